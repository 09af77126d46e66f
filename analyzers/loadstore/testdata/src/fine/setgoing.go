package fine

import (
	"context"
	"sync"
	"time"
)

// Elector is run once, by whoever calls it.
type Elector struct {
	mu       sync.RWMutex
	observed time.Time
	holder   string
}

// NewElector makes one.
func NewElector() *Elector { return &Elector{} }

// RunElector runs a new one.
func RunElector(ctx context.Context) { NewElector().Run(ctx) }

// Run runs it until the context is done.
func (e *Elector) Run(ctx context.Context) {
	for ctx.Err() == nil {
		e.try()
	}
}

// The lock is there for those who read: nobody else writes.
func (e *Elector) try() {
	e.mu.RLock()
	at := e.observed
	e.mu.RUnlock()
	e.mu.Lock()
	e.observed = at.Add(time.Second)
	e.mu.Unlock()
}

func (e *Elector) Observed() time.Time {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.observed
}

// FieldCache is filled with what its key determines.
type FieldCache struct{ m sync.Map }

func (c *FieldCache) Get(t string, compute func(string) (map[string]int, error)) map[string]int {
	x, ok := c.m.Load(t)
	if !ok {
		fields, err := compute(t)
		if err != nil {
			x = err
		} else {
			m := map[string]int{}
			for k := range fields {
				m[k] = len(k)
			}
			x = m
		}
		c.m.Store(t, x)
	}
	m, _ := x.(map[string]int)
	return m
}
