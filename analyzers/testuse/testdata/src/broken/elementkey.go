package broken

import (
	"container/list"
	"sync"
	"time"
)

type lruEntry struct {
	key   string
	value int
	until time.Time
}

// A Recent holds its entries by their key, in the elements of a list.
type Recent struct {
	mu    sync.Mutex
	items map[string]*list.Element
	order *list.List
}

// Lookup takes out what is out of date, which may be another one by then.
func (r *Recent) Lookup(key string) (int, bool) {
	r.mu.Lock()
	e, ok := r.items[key] // want `two goroutines can both pass the test of r.items\[key\] and both delete it: r.mu is released in between`
	r.mu.Unlock()
	if !ok {
		return 0, false
	}
	entry := e.Value.(*lruEntry)
	if time.Now().After(entry.until) {
		r.mu.Lock()
		r.takeOut(e)
		r.mu.Unlock()
		return 0, false
	}
	return entry.value, true
}

// Keep puts a value there.
func (r *Recent) Keep(key string, value int, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var entry *lruEntry
	if e, ok := r.items[key]; ok {
		r.order.MoveToFront(e)
		entry = e.Value.(*lruEntry)
		entry.value = value
	} else {
		entry = &lruEntry{key: key, value: value}
		r.items[key] = r.order.PushFront(entry)
	}
	entry.until = until
}

func (r *Recent) takeOut(e *list.Element) {
	r.order.Remove(e)
	delete(r.items, e.Value.(*lruEntry).key)
}

type hitchPost struct {
	name  string
	taken time.Time
}

func newHitchPost(name string, taken time.Time) *hitchPost { return &hitchPost{name, taken} }

// HitchPosts are kept by their names, which a function puts into them.
type HitchPosts struct {
	mu  sync.Mutex
	all map[string]*hitchPost
}

// Free gives up a hitchPost that has been taken for long.
func (s *HitchPosts) Free(name string) {
	s.mu.Lock()
	held := s.all[name] // want `two goroutines can both pass the test of s.all\[name\] and both delete it: s.mu is released in between`
	s.mu.Unlock()
	if held == nil || time.Since(held.taken) < time.Hour {
		return
	}
	s.mu.Lock()
	s.drop(held)
	s.mu.Unlock()
}

func (s *HitchPosts) drop(x *hitchPost) { delete(s.all, x.name) }

// Take is for who comes.
func (s *HitchPosts) Take(name string) {
	s.mu.Lock()
	s.all[name] = newHitchPost(name, time.Now())
	s.mu.Unlock()
}
