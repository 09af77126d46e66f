package fine

import (
	"sync"
	"time"
)

// Gate takes the lock in the goroutine, too.
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
		g.open = make(chan struct{})
		g.shut = true
		go func() {
			time.Sleep(time.Second)
			g.mu.Lock()
			defer g.mu.Unlock()
			g.unblock()
		}()
	case "open":
		g.unblock()
	}
}

func (g *Gate) unblock() {
	if g.shut {
		g.shut = false
		close(g.open)
	}
}

// Barrier waits, with the lock held, for the goroutine that it starts.
type Barrier struct {
	mu   sync.Mutex
	down bool
}

func (b *Barrier) Lower() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.down = true
	done := make(chan struct{})
	go func() {
		b.raise()
		close(done)
	}()
	<-done
	b.raise()
}

func (b *Barrier) raise() {
	if b.down {
		b.down = false
	}
}

// Door has a lock of its own where it is moved.
type Door struct {
	mu    sync.Mutex
	moves sync.Mutex
	ajar  bool
}

func (d *Door) Push() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pull()
	d.set()
	go d.pull()
}

func (d *Door) set() {
	d.moves.Lock()
	d.ajar = true
	d.moves.Unlock()
}

func (d *Door) pull() {
	d.moves.Lock()
	defer d.moves.Unlock()
	if d.ajar {
		d.ajar = false
	}
}

// Hatch is handed on with its lock.
type Hatch struct {
	mu   sync.Mutex
	open bool
}

func (h *Hatch) Lift() {
	h.mu.Lock()
	h.open = true
	go func() {
		defer h.mu.Unlock()
		h.fall()
	}()
}

func (h *Hatch) Drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fall()
}

func (h *Hatch) fall() {
	if h.open {
		h.open = false
	}
}
