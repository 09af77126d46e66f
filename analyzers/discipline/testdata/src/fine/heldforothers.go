package fine

import (
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Sockets has one count for each way to it: what it owns itself goes by the lock.
type Sockets struct {
	mu   sync.Mutex
	open int64
	ever int64
}

func (l *Sockets) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open = 0
}

func (l *Sockets) Open() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open
}

func (l *Sockets) Ever() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ever
}

// socketFollower adds under the lock.
type socketFollower struct{ all *Sockets }

func (l *Sockets) Server(addr string) *http.Server {
	f := &socketFollower{all: l}
	return &http.Server{Addr: addr, ConnState: f.changed}
}

func (f *socketFollower) changed(_ net.Conn, state http.ConnState) {
	if state == http.StateNew {
		f.all.mu.Lock()
		atomic.AddInt64(&f.all.ever, 1)
		f.all.mu.Unlock()
		atomic.AddInt64(&f.all.open, 1)
	}
}
