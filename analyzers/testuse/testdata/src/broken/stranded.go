package broken

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errPast = errors.New("over")

type letter struct {
	text string
	last bool
}

// Post delivers letters until it is told to stop.
type Post struct {
	over  chan struct{}
	box   chan letter
	once  sync.Once
	group sync.WaitGroup
}

func OpenPost() *Post {
	p := &Post{over: make(chan struct{}), box: make(chan letter, 3)}
	p.group.Add(1)
	go p.deliver()
	return p
}

func (p *Post) deliver() {
	defer p.group.Done()
	for {
		select {
		case l := <-p.box:
			if l.last {
				return
			}
			println(l.text)
		}
	}
}

func (p *Post) Close() {
	p.once.Do(func() {
		close(p.over)
		p.box <- letter{last: true}
		p.group.Wait()
	})
}

func (p *Post) Write(text string) error {
	select {
	case <-p.over: // want `who receives from p.box can have left between the look at p.over and the send: it waits for ever, or what is sent is lost`
		return errPast
	default:
	}
	p.box <- letter{text: text}
	return nil
}

// Wire sends until its signal is given.
type Wire struct {
	quit   chan struct{}
	words  chan string
	closed atomic.Bool
	mu     sync.Mutex
	shut   bool
	once   sync.Once
	signs  chan string
}

func OpenWire() *Wire {
	w := &Wire{quit: make(chan struct{}), words: make(chan string), signs: make(chan string)}
	go w.send()
	return w
}

func (w *Wire) send() {
	for {
		select {
		case s := <-w.words:
			println(s)
		case s := <-w.signs:
			println(s)
		case <-w.quit:
			return
		}
	}
}

func (w *Wire) Close() {
	w.once.Do(func() {
		w.mu.Lock()
		w.shut = true
		w.mu.Unlock()
		w.closed.Store(true)
		close(w.quit)
	})
}

func (w *Wire) Say(s string) error {
	if w.closed.Load() { // want `who receives from w.words can have left between the look at w.closed and the send`
		return errPast
	}
	w.words <- s
	return nil
}

func (w *Wire) Repeat(s string) error {
	w.mu.Lock()
	if w.shut { // want `who receives from w.signs can have left between the look at w.shut and the send`
		w.mu.Unlock()
		return errPast
	}
	w.mu.Unlock()
	w.signs <- s
	return nil
}

// Call is the same as Say: one report tells of both.
func (w *Wire) Call(s string) error {
	if w.closed.Load() {
		return errPast
	}
	w.words <- s + "!"
	return nil
}

// Whisper waits for the signal as well.
func (w *Wire) Whisper(s string) error {
	select {
	case <-w.quit:
		return errPast
	default:
	}
	select {
	case w.words <- s:
		return nil
	case <-w.quit:
		return errPast
	}
}

// Drain is a queue that is emptied at the end.
type Drain struct {
	quit  chan struct{}
	items chan int
	once  sync.Once
}

func OpenDrain() *Drain {
	d := &Drain{quit: make(chan struct{}), items: make(chan int, 9)}
	go d.loop()
	return d
}

func (d *Drain) loop() {
	for {
		select {
		case n := <-d.items:
			println(n)
		case <-d.quit:
			for {
				n := <-d.items
				println(n)
			}
		}
	}
}

func (d *Drain) Close() { d.once.Do(func() { close(d.quit) }) }

func (d *Drain) Put(n int) {
	select {
	case <-d.quit:
		return
	default:
	}
	d.items <- n
}

// Barrier holds a lock over the look and the send.
type Barrier struct {
	mu    sync.RWMutex
	over  bool
	quit  chan struct{}
	items chan int
}

func OpenGate() *Barrier {
	g := &Barrier{quit: make(chan struct{}), items: make(chan int)}
	go g.loop()
	return g
}

func (g *Barrier) loop() {
	for {
		select {
		case n := <-g.items:
			println(n)
		case <-g.quit:
			return
		}
	}
}

func (g *Barrier) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over {
		g.over = true
		close(g.quit)
	}
}

func (g *Barrier) Put(n int) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if !g.over {
		g.items <- n
	}
}
