package channels

import (
	"context"
	"sync"
)

// What a list that is copied under a lock holds belongs to others as well: here subscribers,
// which are the keys of a map, or its values, or the elements of a slice.

type Bulletin struct {
	mu   sync.Mutex
	set  map[*Reader]struct{}
	list []*Reader
	byID map[int]*Reader
}

type Reader struct {
	of *Bulletin
	ch chan string

	mu   sync.Mutex
	gone bool
	page *Sheet
}

type Sheet struct{ n int }

func NewBulletin() *Bulletin {
	return &Bulletin{set: map[*Reader]struct{}{}, byID: map[int]*Reader{}}
}

func (b *Bulletin) Read(ctx context.Context, depth int) *Reader {
	r := &Reader{of: b, ch: make(chan string, depth)}
	b.mu.Lock()
	b.set[r] = struct{}{}
	b.list = append(b.list, r)
	b.byID[len(b.list)] = r
	b.mu.Unlock()
	context.AfterFunc(ctx, r.Leave)
	return r
}

func (r *Reader) Leave() {
	r.of.mu.Lock()
	delete(r.of.set, r)
	r.of.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	r.gone = true
	close(r.ch)
}

func (r *Reader) offer(s string) bool {
	r.mu.Lock()
	gone := r.gone // want `r.ch can be closed between the test of r.gone and the send on it, which then panics`
	r.mu.Unlock()
	if gone {
		return false
	}
	select {
	case r.ch <- s:
		return true
	default:
		return false
	}
}

func (r *Reader) left() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

func (r *Reader) push(s string) {
	if !r.left() { // want `r.ch can be closed between the test of r.gone and the send on it, which then panics`
		r.ch <- s
	}
}

func (r *Reader) put(s string) {
	switch {
	case r.left(): // want `r.ch can be closed between the test of r.gone and the send on it, which then panics`
	default:
		r.ch <- s
	}
}

// give sends with the lock held.
func (r *Reader) give(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return
	}
	select {
	case r.ch <- s:
	default:
	}
}

func (b *Bulletin) Post(s string) {
	b.mu.Lock()
	targets := make([]*Reader, 0, len(b.set))
	for r := range b.set {
		targets = append(targets, r)
	}
	b.mu.Unlock()
	for _, r := range targets {
		r.offer(s)
		r.give(s)
	}
}

func (b *Bulletin) all() []*Reader {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]*Reader(nil), b.list...)
}

func (b *Bulletin) PostAll(s string) {
	for _, r := range b.all() {
		r.push(s)
	}
}

func (b *Bulletin) PostEach(s string) {
	b.mu.Lock()
	targets := make([]*Reader, len(b.byID))
	i := 0
	for _, r := range b.byID {
		targets[i] = r
		i++
	}
	b.mu.Unlock()
	for i := range targets {
		targets[i].put(s)
	}
}

// A list of what the function has made for itself.
func Rehearse(n int) int {
	var own []*Reader
	for range n {
		own = append(own, &Reader{ch: make(chan string, 1)})
	}
	for _, r := range own {
		r.turn()
	}
	return len(own)
}

func (r *Reader) turn() {
	if r.page == nil {
		r.page = &Sheet{1}
	}
}
