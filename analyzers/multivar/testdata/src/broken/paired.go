package broken

import (
	"math/rand"
	"sync"
	"sync/atomic"
)

// PairSpan has two ends that belong together.
type PairSpan struct {
	lo, hi atomic.Int32
	hits   atomic.Int64
	sum    atomic.Int64
}

func (p *PairSpan) Set(lo, hi int32) {
	p.lo.Store(lo)
	p.hi.Store(hi)
}

func (p *PairSpan) Pick() int {
	lo, hi := p.lo.Load(), p.hi.Load() // want `PairSpan.lo and PairSpan.hi are loaded one after the other and used together; \(\*PairSpan\).Set stores both in two steps, and can come in between`
	return int(lo + rand.Int31n(hi-lo))
}

// Mean is made of what is counted.
func (p *PairSpan) Hit(n int64) {
	p.hits.Add(1)
	p.sum.Add(n)
}

func (p *PairSpan) Mean() int64 { return p.sum.Load() / p.hits.Load() }

// PairLease stores both under a lock, which who loads them does not take.
type PairLease struct {
	mu     sync.Mutex
	epoch  atomic.Uint64
	holder atomic.Value
	alone  atomic.Uint64
	beside atomic.Uint64
	first  uint64
	second uint64
}

type leaseNews struct {
	epoch  uint64
	holder string
}

func (p *PairLease) Learn(n leaseNews) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n.epoch < p.epoch.Load() {
		return false
	}
	p.epoch.Store(n.epoch)
	p.holder.Store(n.holder)
	return true
}

func (p *PairLease) now() (uint64, string) {
	epoch := p.epoch.Load() // want `PairLease.epoch and PairLease.holder are loaded one after the other and used together`
	holder, _ := p.holder.Load().(string)
	return epoch, holder
}

func (p *PairLease) Send(send func(uint64, string)) {
	send(p.now())
}

// Under takes the lock.
func (p *PairLease) Under() (uint64, string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	epoch := p.epoch.Load()
	holder, _ := p.holder.Load().(string)
	return epoch, holder
}

// Checked looks at the first one again.
func (p *PairLease) Checked() (uint64, string) {
	for {
		epoch := p.epoch.Load()
		holder, _ := p.holder.Load().(string)
		if p.epoch.Load() == epoch {
			return epoch, holder
		}
	}
}

// SetAlone stores one of the two alone.
func (p *PairLease) SetBoth(a, b uint64) {
	p.alone.Store(a)
	p.beside.Store(b)
}

func (p *PairLease) SetAlone(a uint64) { p.alone.Store(a) }

func (p *PairLease) Apart() (uint64, uint64) { return p.alone.Load(), p.beside.Load() }

// SetWords and Words use the functions of sync/atomic.
func (p *PairLease) SetWords(a, b uint64) {
	atomic.StoreUint64(&p.first, a)
	atomic.StoreUint64(&p.second, b)
}

func (p *PairLease) Words() (uint64, uint64) {
	return atomic.LoadUint64(&p.first), atomic.LoadUint64(&p.second) // want `PairLease.first and PairLease.second are loaded one after the other`
}

// PairStats has figures for people.
type PairStats struct{ used, free atomic.Int64 }

func (p *PairStats) Set(used, free int64) {
	p.used.Store(used)
	p.free.Store(free)
}

func (p *PairStats) Both() (int64, int64) { return p.used.Load(), p.free.Load() }
