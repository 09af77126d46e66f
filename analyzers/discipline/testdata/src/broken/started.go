package broken

import (
	"sync"
	"time"
)

// Gate is shut for a while, by one goroutine at a time.
type Gate struct {
	mu   sync.Mutex
	shut bool
	open chan struct{}
}

func (g *Gate) Order(what string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch what {
	case "shut":
		g.block()
		go func() {
			time.Sleep(time.Second)
			g.unblock()
		}()
	case "open":
		g.unblock()
	}
}

func (g *Gate) block() {
	g.open = make(chan struct{})
	g.shut = true
}

func (g *Gate) unblock() {
	if g.shut { // want `g.shut is tested and changed here with g.mu held when \(\*Gate\).Order calls unblock, and without it by what \(\*Gate\).Order begins`
		g.shut = false
		close(g.open)
	}
}

// Lease runs out by a timer.
type Lease struct {
	mu    sync.Mutex
	until *time.Timer
	held  bool
}

func (l *Lease) Take() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop()
	l.held = true
	l.until = time.AfterFunc(time.Second, l.drop)
}

func (l *Lease) Drop() {
	l.mu.Lock()
	l.drop()
	l.mu.Unlock()
}

func (l *Lease) drop() {
	if !l.held { // want `l.held is tested and changed here with l.mu held when \(\*Lease\).Take calls drop, and without it by what \(\*Lease\).Take begins`
		return
	}
	l.held = false
	l.until.Stop()
}
