package broken

import (
	"io"
	"sync"
)

// Lodger is known to the reception by what it does on leaving.
type Lodger struct {
	leave func() error
}

// Reception keeps the guests.
type Reception struct {
	mu     sync.Mutex
	guests map[string]*Lodger
}

// Lodge lets a guest in, and out when somebody says so.
func (r *Reception) Lodge(name string, room io.Closer) {
	var once sync.Once
	gone := make(chan struct{})
	g := &Lodger{leave: func() error {
		once.Do(func() { room.Close() })
		close(gone) // want `gone is closed on each call, beside once, which does the rest only once: a second call panics`
		return nil
	}}
	r.mu.Lock()
	r.guests[name] = g
	r.mu.Unlock()
	<-gone
}

// Sauna is heated until it is closed.
type Sauna struct {
	once sync.Once
	fire io.Closer
	cold chan struct{}
}

// Close may be called by whoever leaves last.
func (s *Sauna) Close() error {
	var err error
	s.once.Do(func() { err = s.fire.Close() })
	close(s.cold) // want `s.cold is closed on each call, beside s.once, which does the rest only once: a second call panics`
	return err
}
