// Package fine tests variables and relies on the tests rightly.
package fine

import (
	"strings"
	"sync"
	"sync/atomic"
)

type conn struct{ users int }

type Server struct {
	mu     sync.RWMutex
	closed bool
	done   chan struct{}
	conn   *conn
	seats  map[int]string
	lower  map[string]string
	gone   atomic.Bool
	byName sync.Map
	warned atomic.Bool
	last   atomic.Int64
}

func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	close(s.done)
}

func (s *Server) Shutdown() {
	if !s.gone.CompareAndSwap(false, true) {
		return
	}
	close(s.done)
}

func (s *Server) Stop() {
	if s.gone.Load() { // the fast way out
		return
	}
	if s.gone.Swap(true) {
		return
	}
	close(s.done)
}

// Conn looks again under the lock.
func (s *Server) Conn() *conn {
	s.mu.RLock()
	c := s.conn
	s.mu.RUnlock()
	if c != nil {
		return c
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil {
		s.conn = &conn{}
	}
	return s.conn
}

func (s *Server) Book(seat int, name string) bool {
	s.mu.RLock()
	_, taken := s.seats[seat]
	s.mu.RUnlock()
	if taken {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.seats[seat]; taken {
		return false
	}
	s.seats[seat] = name
	return true
}

// Lower computes the same string whoever comes first.
func (s *Server) Lower(name string) string {
	s.mu.RLock()
	l, ok := s.lower[name]
	s.mu.RUnlock()
	if ok {
		return l
	}
	l = strings.ToLower(name)
	s.mu.Lock()
	s.lower[name] = l
	s.mu.Unlock()
	return l
}

func (s *Server) Named(name string) *conn {
	if c, ok := s.byName.Load(name); ok {
		return c.(*conn)
	}
	c, _ := s.byName.LoadOrStore(name, &conn{})
	return c.(*conn)
}

// Warn sets a flag that is set already: nobody can tell.
func (s *Server) Warn() {
	if !s.warned.Load() {
		s.warned.Store(true)
	}
}

// Due lets one caller through.
func (s *Server) Due(now int64) bool {
	last := s.last.Load()
	return now > last && s.last.CompareAndSwap(last, now)
}

// Router has one goroutine, which alone uses its flag.
type Router struct {
	mu      sync.Mutex
	started bool
	in      chan int
	out     chan int
}

func NewRouter() *Router {
	r := &Router{in: make(chan int), out: make(chan int)}
	go r.route()
	return r
}

func (r *Router) route() {
	for n := range r.in {
		if !r.started {
			r.started = true
			go r.write()
		}
		r.out <- n
	}
}

func (r *Router) write() {
	for range r.out {
	}
}

var once sync.Once
var table map[string]int

func Table() map[string]int {
	once.Do(func() {
		if table == nil {
			table = map[string]int{}
		}
	})
	return table
}

// Options are filled in with the same values whoever comes first.
type Options struct{ Size int }

func (o *Options) init() {
	if o.Size == 0 {
		o.Size = 10
	}
}

func Serve(o *Options, conns []chan int) {
	for _, c := range conns {
		go func() {
			o.init()
			c <- o.Size
		}()
	}
}
