package fine

import (
	"sync"
	"time"
)

// OutboxKept keeps a signal in the buffer of its channel.
type OutboxKept struct {
	mu      sync.Mutex
	letters []string
	wake    chan struct{}
}

func NewOutboxKept(send func(string)) *OutboxKept {
	o := &OutboxKept{wake: make(chan struct{}, 1)}
	go o.run(send)
	return o
}

func (o *OutboxKept) Put(letter string) {
	o.mu.Lock()
	o.letters = append(o.letters, letter)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *OutboxKept) run(send func(string)) {
	for {
		o.mu.Lock()
		list := o.letters
		o.letters = nil
		o.mu.Unlock()
		for _, letter := range list {
			send(letter)
		}
		<-o.wake
	}
}

// OutboxTimed looks every second as well.
type OutboxTimed struct {
	mu      sync.Mutex
	letters []string
	wake    chan struct{}
}

func NewOutboxTimed(send func(string)) *OutboxTimed {
	o := &OutboxTimed{wake: make(chan struct{})}
	go o.run(send)
	return o
}

func (o *OutboxTimed) Put(letter string) {
	o.mu.Lock()
	o.letters = append(o.letters, letter)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *OutboxTimed) run(send func(string)) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		o.mu.Lock()
		list := o.letters
		o.letters = nil
		o.mu.Unlock()
		for _, letter := range list {
			send(letter)
		}
		select {
		case <-o.wake:
		case <-tick.C:
		}
	}
}

// Progress shows the newest state: a signal is for who looks on at the moment, and what it is of comes anew.
type Progress struct {
	mu   sync.Mutex
	step int
	seen chan struct{}
}

func NewProgress() *Progress { return &Progress{seen: make(chan struct{})} }

func (p *Progress) Advance() {
	p.mu.Lock()
	p.step++
	p.mu.Unlock()
	select {
	case p.seen <- struct{}{}:
	default:
	}
}

// Wait waits for the next step, whichever it is.
func (p *Progress) Wait() int {
	<-p.seen
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.step
}
