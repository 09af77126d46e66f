// Healing holds: taken before the program's own lock in every critical section
// that touches a variable with sections, directly or in a method it calls.
package main

import (
	"fmt"
	"sync"
)

type pool struct {
	sync.RWMutex
	mu    sync.Mutex
	free  []int
	names map[string]int
	other int
	next  *pool
}

var (
	globalMu sync.Mutex
	total    int
)

func (p *pool) get() (int, bool) {
	p.mu.Lock()
	n := len(p.free)
	p.mu.Unlock()
	if n == 0 {
		return 0, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.free[n-1]
	p.free = p.free[:n-1]
	return v, true
}

func (p *pool) put(v int) {
	p.mu.Lock()
	if v < 0 {
		p.mu.Unlock()
		return
	}
	p.push(v)
	p.mu.Unlock()
	p.mu.Lock() // touches nothing that is watched
	p.other++
	p.mu.Unlock()
}

func (p *pool) push(v int) { p.append(v) }

func (p *pool) append(v int) { p.free = append(p.free, v) }

func (p *pool) name(s string) int {
	p.RLock()
	n, ok := p.names[s]
	p.RUnlock()
	if ok {
		return n
	}
	p.Lock()
	defer p.Unlock()
	p.names[s] = len(s)
	return p.names[s]
}

// other pools, pointers that may be nil or change: no hold.
func (p *pool) rest(q *pool) {
	p.mu.Lock()
	if q != nil {
		q.free = nil
	}
	if p.next != nil {
		p.next.free = nil
	}
	p.mu.Unlock()
	q.mu.Lock()
	q = p
	q.free = nil
	p.next.mu.Unlock()
}

func count(by int) {
	globalMu.Lock()
	t := total
	globalMu.Unlock()
	func() {
		globalMu.Lock()
		defer func() { globalMu.Unlock() }()
		total = t + by
	}()
}

func (p *pool) loop() {
	for range 2 {
		p.mu.Lock()
		if len(p.free) > 5 {
			p.mu.Unlock()
			continue
		}
		p.free = append(p.free, 1)
		p.mu.Unlock()
	}
}

func main() {
	p := &pool{names: map[string]int{}, free: []int{1, 2}}
	p.next = &pool{}
	fmt.Println(p.get())
	p.put(7)
	p.put(-1)
	p.loop()
	p.rest(p.next)
	fmt.Println(p.get())
	fmt.Println(p.name("abc"), p.name("abc"), p.other)
	count(2)
	count(3)
	fmt.Println(total)
}
