package spared

import (
	"sync"
	"sync/atomic"
)

// Lease is given to one of many, by way of a second variable, a second look or
// an indivisible operation.
type Lease struct {
	mu     sync.Mutex
	over   bool
	holder *page
	round  int
	open   atomic.Int32
	won    atomic.Bool
	byKey  sync.Map
	useful bool
}

// Expire claims the end before it lets go of the lock.
func (l *Lease) Expire(p *page) {
	l.mu.Lock()
	if l.over || l.holder != nil {
		l.mu.Unlock()
		return
	}
	l.over = true
	l.mu.Unlock()
	p.Close()
	l.mu.Lock()
	l.holder = p
	l.mu.Unlock()
}

// Take claims nothing.
func (l *Lease) Take(p *page) {
	l.mu.Lock()
	if l.holder != nil { // want `both pass the test of l.holder and both set it`
		l.mu.Unlock()
		return
	}
	l.mu.Unlock()
	p.Close()
	l.mu.Lock()
	l.holder = p
	l.mu.Unlock()
}

// Renew looks whether the round that it saw is the round still.
func (l *Lease) Renew(p *page) {
	l.mu.Lock()
	round := l.round
	free := l.holder == nil
	l.mu.Unlock()
	if !free {
		return
	}
	p.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.round == round {
		l.holder = p
		l.round++
	}
}

// Enter counts down if the limit is passed, which the result tells.
func (l *Lease) Enter() bool {
	if l.open.Load() >= 8 {
		return false
	}
	if l.open.Add(1) > 8 {
		l.open.Add(-1)
		return false
	}
	return true
}

// Join does not look at the result.
func (l *Lease) Join() bool {
	if l.open.Load() >= 8 { // want `both pass the test of l.open and both add to it`
		return false
	}
	l.open.Add(1)
	return true
}

// Elect stores what one goroutine alone gets to store.
func (l *Lease) Elect(k string, p *page) {
	if _, ok := l.byKey.Load(k); ok {
		return
	}
	if l.won.CompareAndSwap(false, true) {
		l.byKey.Store(k, p)
	}
}

// Register is for all.
func (l *Lease) Register(k string, p *page) {
	if _, ok := l.byKey.Load(k); ok { // want `both`
		return
	}
	l.byKey.Store(k, p)
}

// Disable takes the flag back on what everybody finds out alike.
func (l *Lease) Disable(p *page) {
	l.mu.Lock()
	useful := l.useful
	l.mu.Unlock()
	if useful {
		if p.n == 0 {
			l.mu.Lock()
			l.useful = false
			l.mu.Unlock()
		}
	}
}

// Enable makes it useful.
func (l *Lease) Enable() {
	l.mu.Lock()
	l.useful = true
	l.mu.Unlock()
}

// Drain takes away what it has seen.
func (l *Lease) Drain() {
	if n := l.open.Load(); n > 0 {
		l.open.Add(-n)
	}
}

// Replace is told what its caller has seen, and looks whether that holds.
func (l *Lease) Replace(p *page) {
	if q := l.current(); q == nil {
		l.exchange(q, p)
	}
}

func (l *Lease) current() *page {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.holder
}

func (l *Lease) exchange(old, p *page) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.round == 0 {
		l.holder = p
	}
}

// Pages has a removal that tells.
type Pages struct {
	mu    sync.RWMutex
	byID  map[int]*page
	count int
}

func (p *Pages) get(id int) (*page, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	q, ok := p.byID[id]
	return q, ok
}

func (p *Pages) remove(id int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.byID[id]
	delete(p.byID, id)
	return ok
}

// Put makes the rest worthwhile.
func (p *Pages) Put(id int, q *page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byID[id] = q
}

// Drop listens to the answer.
func (p *Pages) Drop(id int) bool {
	if _, ok := p.get(id); !ok {
		return false
	}
	if ok := p.remove(id); ok {
		return true
	}
	return false
}

// Free closes what another one may have closed.
func (p *Pages) Free(id int) {
	if q, ok := p.get(id); ok { // want `both pass the test of p.byID \(in p.get\) and both delete it`
		q.Close()
		p.remove(id)
	}
}

// First looks again before it uses what it has looked at.
type First struct {
	mu   sync.RWMutex
	list []int
}

func (f *First) Add(n int) {
	f.mu.RLock()
	if len(f.list) > 0 && f.list[0] > n {
		f.mu.RUnlock()
		return
	}
	f.mu.RUnlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.list) > 0 && f.list[0] > n {
		return
	}
	f.list = append(f.list, n)
}

func (f *First) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}
