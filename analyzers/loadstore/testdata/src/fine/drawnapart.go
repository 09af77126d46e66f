package fine

import (
	"log"
	"sync"
	"sync/atomic"
)

type Bell struct {
	mu    sync.Mutex
	next  int
	rings int
	subs  map[int]func()
}

func (b *Bell) On(f func()) (cancel func()) {
	b.mu.Lock()
	id := b.next
	b.next++
	b.mu.Unlock()
	b.mu.Lock()
	b.subs[id] = f
	b.mu.Unlock()
	return func() {
		b.mu.Lock()
		delete(b.subs, id)
		b.mu.Unlock()
	}
}

// Ring tells how often it was rung before.
func (b *Bell) Ring() int {
	b.mu.Lock()
	n := b.rings
	b.mu.Unlock()
	b.mu.Lock()
	b.rings++
	b.mu.Unlock()
	return n
}

type Ticks struct{ n atomic.Int64 }

func (t *Ticks) Tick() { t.n.Add(1) }

func (t *Ticks) Flush(emit func(int64)) { emit(t.n.Swap(0)) }

// Reset shows what it was.
func (t *Ticks) Reset() {
	log.Print(t.n.Load())
	t.n.Store(0)
}

// Each counts and names in one, again and again.
func (b *Bell) Each(list []func()) {
	for _, f := range list {
		b.mu.Lock()
		b.next++
		id := b.next
		b.subs[id] = f
		b.mu.Unlock()
	}
}

// A Press tells how many sheets there were when it began, which numbers nothing.
type Press struct {
	mu     sync.Mutex
	sheets int
}

type sheet struct {
	Text  string
	Total int
}

func (p *Press) total() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sheets
}

func (p *Press) Print(text string, to func(sheet)) {
	to(sheet{Text: text, Total: p.total()})
	p.mu.Lock()
	p.sheets++
	p.mu.Unlock()
}
