package fine

import (
	"io"
	"sync"
)

// Visitor is known to the porter by what it does on leaving.
type Visitor struct {
	leave func() error
	greet func()
}

// Porter keeps the visitors.
type Porter struct {
	mu       sync.Mutex
	visitors map[string]*Visitor
}

// Admit lets a visitor in, and out once.
func (p *Porter) Admit(name string, door io.Closer) {
	var once, hello sync.Once
	gone := make(chan struct{})
	v := &Visitor{
		leave: func() error {
			once.Do(func() {
				door.Close()
				close(gone)
			})
			return nil
		},
		greet: func() {
			first := false
			hello.Do(func() { first = true })
			said := make(chan struct{})
			defer close(said)
			if first {
				close(gone)
			}
		},
	}
	p.mu.Lock()
	p.visitors[name] = v
	p.mu.Unlock()
	<-gone
}

// Pool is filled anew each time.
type Pool struct {
	once  sync.Once
	water io.Closer
	empty chan struct{}
}

// Close leaves a new channel behind.
func (p *Pool) Close() {
	p.once.Do(func() { p.water.Close() })
	close(p.empty)
	p.empty = make(chan struct{})
}
