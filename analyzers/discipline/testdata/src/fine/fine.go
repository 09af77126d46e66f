// Package fine has accesses that look as if they broke a rule.
package fine

import (
	"sync"
	"sync/atomic"
)

type Balancer struct {
	mu    sync.Mutex
	next  uint32
	size  uint32
	rows  uint64
	cache map[string]int
}

// New has the object for itself.
func New(n uint32) *Balancer {
	b := &Balancer{}
	b.next = n
	b.size = n
	return b
}

func (b *Balancer) Pick() uint32 { return atomic.AddUint32(&b.next, 1) % b.size }

// Grow and Size: all writers hold the lock, and so does the plain reader.
func (b *Balancer) Grow() {
	b.mu.Lock()
	defer b.mu.Unlock()
	atomic.StoreUint64(&b.rows, b.rows+1)
}

func (b *Balancer) Size() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rows
}

func (b *Balancer) Set(k string, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cache[k] = v
}

func (b *Balancer) Get(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cache[k]
}

// Barrier waits for whoever is inside, and touches nothing.
func (b *Balancer) Barrier() {
	b.mu.Lock()
	b.mu.Unlock()
}

func count(n int, rows *uint64) { *rows += uint64(n) }

// Total counts into a variable of its own.
func Total(n int) uint64 {
	var rows uint64
	count(n, &rows)
	return rows
}
