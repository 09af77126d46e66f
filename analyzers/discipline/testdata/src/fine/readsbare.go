package fine

import (
	"io"
	"sync"
)

// Readers has nobody who takes the lock only to read: an old value will do, perhaps.
type Readers struct {
	mu sync.Mutex
	n  int64
}

func (c *Readers) Add(d int64) { c.mu.Lock(); c.n += d; c.mu.Unlock() }
func (c *Readers) Sub(d int64) { c.mu.Lock(); c.n -= d; c.mu.Unlock() }
func (c *Readers) Reset()      { c.mu.Lock(); c.n = 0; c.mu.Unlock() }
func (c *Readers) Get() int64  { return c.n }

// Server has its listener before anybody asks.
type Server struct {
	mu sync.Mutex
	l  io.Closer
	n  int
}

func (s *Server) Start(l io.Closer) {
	s.mu.Lock()
	s.l = l
	s.mu.Unlock()
	go s.serve()
}

func (s *Server) Restart(l io.Closer) { s.Start(l) }

func (s *Server) Listener() io.Closer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.l
}

func (s *Server) serve() {
	s.l.Close()
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

// TurnGauge is written by the one goroutine that also reads it without the lock.
type TurnGauge struct {
	lock sync.Mutex
	sum  map[string]int
	turn int
}

func (g *TurnGauge) Start(in chan string) {
	go func() {
		for s := range in {
			g.turn++
			g.lock.Lock()
			g.sum[s] = g.turn
			g.lock.Unlock()
		}
	}()
}

func (g *TurnGauge) Sum(s string) int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.sum[s]
}

// Printing is told what to do before it prints, and takes the lock for its output alone.
type Printing struct {
	mu     sync.Mutex
	out    io.Writer
	format func(string) []byte
}

func NewPrinting(out io.Writer, format func(string) []byte) *Printing {
	return &Printing{out: out, format: format}
}

func (p *Printing) Print(s string) {
	text := p.format(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.out.Write(text)
}

// A QuitPump unsets its channel when the goroutine that reads it bare is gone.
type QuitPump struct {
	mu   sync.Mutex
	quit chan bool
	done chan bool
	turn func()
}

func (p *QuitPump) Start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quit, p.done = make(chan bool), make(chan bool)
	go p.pump()
}

func (p *QuitPump) pump() {
	for {
		select {
		case <-p.quit:
			p.done <- true
			return
		default:
			p.turn()
		}
	}
}

func (p *QuitPump) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.quit <- true
	<-p.done
	close(p.quit)
	p.quit = nil
}

func (p *QuitPump) Running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.quit != nil
}

// Settings have no lock: that of the one who remembers them guards what it remembers.
type Settings struct{ off bool }

type Remembered struct {
	sync.RWMutex
	*Settings
}

func (r *Remembered) Off() bool { r.RLock(); defer r.RUnlock(); return r.off }
func (r *Remembered) Turn()     { r.Lock(); defer r.Unlock(); r.off = !r.off }
func (r *Remembered) Set()      { r.Lock(); defer r.Unlock(); r.off = true }

type Starter struct {
	mu    sync.Mutex
	begun int
	all   []*Settings
}

func (s *Starter) Add(o *Settings) {
	s.mu.Lock()
	s.all = append(s.all, o)
	s.mu.Unlock()
}

func (s *Starter) Begin() {
	s.mu.Lock()
	all := s.all
	s.mu.Unlock()
	for _, o := range all {
		if !o.off {
			s.mu.Lock()
			s.begun++
			s.mu.Unlock()
		}
	}
}

// Closing tells its own method what it has been told.
type Closing struct {
	mu    sync.Mutex
	err   error
	lines []string
}

func (c *Closing) Line(s string) {
	c.mu.Lock()
	c.lines = append(c.lines, s)
	c.mu.Unlock()
}

func (c *Closing) Send(err error, out func([]string)) {
	c.err = err
	c.finish()
	c.mu.Lock()
	defer c.mu.Unlock()
	out(c.lines)
}

func (c *Closing) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		c.lines = append(c.lines, c.err.Error())
	}
}
