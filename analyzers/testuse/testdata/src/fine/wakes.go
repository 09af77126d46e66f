package fine

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Bell wakes whoever waits, as often as it is rung.
type Bell struct {
	mu   sync.Mutex
	cond *sync.Cond
	rung atomic.Bool
}

func (b *Bell) Ring() {
	if !b.rung.Load() {
		b.rung.Store(true)
		b.mu.Lock()
		b.cond.Broadcast()
		b.mu.Unlock()
	}
}

// Lens computes what it shows once, or twice.
type Lens struct {
	name  string
	shown unsafe.Pointer
}

func (l *Lens) compute() string { return l.name + "!" }

func (l *Lens) Show() string {
	if p := atomic.LoadPointer(&l.shown); p != nil {
		return *(*string)(p)
	}
	s := l.compute()
	atomic.StorePointer(&l.shown, unsafe.Pointer(&s))
	return s
}

// Pause is taken back by whoever sees it.
type Pause struct {
	mu sync.Mutex
	on bool
	n  int
}

func (p *Pause) Set() {
	p.mu.Lock()
	p.on = true
	p.n++
	p.mu.Unlock()
}

func (p *Pause) IsSet() bool { return p.on }

func (p *Pause) Reset() {
	p.mu.Lock()
	p.on = false
	p.mu.Unlock()
}

func (p *Pause) Read(n int) int {
	for i := 0; i < n; i++ {
		if p.IsSet() {
			p.Reset()
		}
		n--
	}
	return n
}
