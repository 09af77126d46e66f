package broken

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Listeners counts open connections by sync/atomic in a callback, and shows them under a lock that
// is for the rest.
type Listeners struct {
	mu    sync.Mutex
	open  int64
	names []string
}

func (l *Listeners) Add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, name)
}

func (l *Listeners) Status() (names int, open int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.names), l.open // want `l.open is accessed without sync/atomic here and with it elsewhere`
}

// follower hears of the states of one server's connections.
type follower struct{ all *Listeners }

func (l *Listeners) Server(addr string) *http.Server {
	f := &follower{all: l}
	return &http.Server{Addr: addr, ConnState: f.changed}
}

func (f *follower) changed(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		atomic.AddInt64(&f.all.open, 1)
	case http.StateClosed:
		atomic.AddInt64(&f.all.open, -1)
	}
}
