package stickytimer

import (
	"sync"
	"time"
)

type binding struct {
	backend string
	gen     uint64
	timer   *time.Timer
}

// Affinity keeps a client on one backend for as long as it is active.
type Affinity struct {
	mu    sync.Mutex
	idle  time.Duration
	gen   uint64
	binds map[string]*binding
	pick  func() string
}

func New(idle time.Duration, pick func() string) *Affinity {
	return &Affinity{idle: idle, pick: pick, binds: make(map[string]*binding)}
}

func (a *Affinity) arm(client string, b *binding) {
	if b.timer != nil {
		b.timer.Stop()
	}
	a.gen++
	gen := a.gen
	b.gen = gen
	b.timer = time.AfterFunc(a.idle, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if cur, ok := a.binds[client]; ok && cur.gen == gen {
			delete(a.binds, client)
		}
	})
}

func (a *Affinity) Backend(client string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	b, ok := a.binds[client]
	if !ok {
		b = &binding{backend: a.pick()}
		a.binds[client] = b
	}
	a.arm(client, b)
	return b.backend
}

func (a *Affinity) Evict(backend string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for c, b := range a.binds {
		if b.backend == backend {
			b.timer.Stop()
			delete(a.binds, c)
			n++
		}
	}
	return n
}
