// Package broken keeps to no rule.
package broken

import (
	"sync"
	"sync/atomic"
)

type host struct{ name string }

type Balancer struct {
	mu    sync.Mutex
	hosts []host
	next  uint32
	rows  uint64
	cache map[string]int
}

func (b *Balancer) Pick() host {
	atomic.AddUint32(&b.next, 1)
	return b.hosts[b.next%uint32(len(b.hosts))] // want `b.next is accessed without sync/atomic here`
}

func (b *Balancer) Rows() uint64 { return atomic.LoadUint64(&b.rows) }

func (b *Balancer) Merge(n int) { merge(n, &b.rows) }

func merge(n int, rows *uint64) { count(n, rows) }

func count(n int, rows *uint64) {
	*rows += uint64(n) // want `it can be Balancer.rows, which is accessed with it elsewhere`
}

func (b *Balancer) Get(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.cache[k]
}

func (b *Balancer) Forget(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.cache, k)
}

func (b *Balancer) Set(k string, v int) {
	b.mu.Lock() // want `b.mu is locked and unlocked at once`
	b.mu.Unlock()
	b.cache[k] = v
}
