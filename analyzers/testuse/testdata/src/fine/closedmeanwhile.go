package fine

import (
	"net"
	"sync"
	"time"
)

// Barometer waits for its goroutine before it closes.
type Barometer struct {
	readings chan int
	quit     chan struct{}
	wg       sync.WaitGroup
}

func NewBarometer() *Barometer {
	b := &Barometer{readings: make(chan int, 8), quit: make(chan struct{})}
	b.wg.Add(1)
	go b.run()
	return b
}

func (b *Barometer) run() {
	defer b.wg.Done()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-b.quit:
			return
		case <-ticker.C:
			select {
			case b.readings <- 1:
			case <-b.quit:
				return
			}
		}
	}
}

func (b *Barometer) Close() {
	close(b.quit)
	b.wg.Wait()
	close(b.readings)
}

// Sieve tells by a channel that its goroutine is through.
type Sieve struct {
	grains chan int
	quit   chan struct{}
	gone   chan struct{}
}

func OpenSieve() *Sieve {
	s := &Sieve{make(chan int), make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(s.gone)
		for i := 0; ; i++ {
			select {
			case s.grains <- i:
			case <-s.quit:
				return
			}
		}
	}()
	return s
}

func (s *Sieve) Stop() {
	close(s.quit)
	<-s.gone
	close(s.grains)
}

// Porch closes what its goroutines send to when all of them have gone.
type Porch struct {
	l      net.Listener
	guests chan net.Conn
	wg     sync.WaitGroup
}

func NewPorch(l net.Listener) *Porch {
	p := &Porch{l: l, guests: make(chan net.Conn, 4)}
	go p.serve()
	return p
}

func (p *Porch) serve() {
	defer func() {
		p.wg.Wait()
		close(p.guests)
	}()
	for {
		c, err := p.l.Accept()
		if err != nil {
			return
		}
		p.wg.Add(1)
		go p.greet(c)
	}
}

func (p *Porch) greet(c net.Conn) {
	defer p.wg.Done()
	p.guests <- c
}

// Bunker closes and sends with the lock held.
type Bunker struct {
	mu   sync.RWMutex
	shut bool
	out  chan int
}

func (h *Bunker) Fill(i int) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.shut {
		return
	}
	h.out <- i
}

func (h *Bunker) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.shut {
		h.shut = true
		close(h.out)
	}
}

// Wire is for one goroutine that sends, which closes it too.
type Wire struct {
	out chan byte
}

// Write sends; who writes closes the wire when it has nothing more to send.
func (w *Wire) Write(b byte) { w.out <- b }

func (w *Wire) Close() { close(w.out) }

// Letterbox survives.
type Letterbox struct {
	mu      sync.Mutex
	letters chan string
}

func (l *Letterbox) Post(s string) (ok bool) {
	defer func() { ok = recover() == nil }()
	l.letters <- s
	return true
}

func (l *Letterbox) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.letters)
}

// Close is called once.
func (l *Letterbox) Close() { close(l.letters) }

// Spout tells its users when to close it.
type Spout struct {
	mu  sync.Mutex
	out chan int
	n   int
}

func (c *Spout) Slide(i int) {
	c.mu.Lock()
	c.n += i
	c.mu.Unlock()
	c.out <- i
}

// Close is called once, when all senders have returned.
func (c *Spout) Close() { close(c.out) }

// Rowers closes what its goroutines send on once they are all done, which are started in another one.
type Rowers struct {
	rows chan int
	errs chan error
}

func (r *Rowers) launch(streams []string) {
	var group sync.WaitGroup
	group.Add(len(streams))
	go func() {
		group.Wait()
		close(r.rows)
		close(r.errs)
	}()
	go func() {
		for range streams {
			go func() {
				r.row()
				group.Done()
			}()
		}
	}()
}

// Next is the next row.
func (r *Rowers) Next(streams []string) (int, error) {
	if r.rows == nil {
		r.rows, r.errs = make(chan int, 3), make(chan error, 3)
		r.launch(streams)
	}
	select {
	case row := <-r.rows:
		return row, nil
	case err := <-r.errs:
		return 0, err
	}
}

func (r *Rowers) row() {
	for i := range 3 {
		r.rows <- i
		r.errs <- nil
	}
}
