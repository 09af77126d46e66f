package fine

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

// Lookup looks again whether it is still the same that is out of date.
func (r *Recent) Lookup(key string) bool {
	r.mu.Lock()
	e, ok := r.items[key]
	r.mu.Unlock()
	if !ok {
		return false
	}
	entry := e.Value.(*lruEntry)
	if time.Now().Before(entry.until) {
		return true
	}
	r.mu.Lock()
	if now, ok := r.items[key]; ok && now == e {
		r.takeOut(e)
	}
	r.mu.Unlock()
	return false
}

// Trim takes out the last one, whichever that is: not what was looked up.
func (r *Recent) Trim(key string) {
	r.mu.Lock()
	_, ok := r.items[key]
	r.mu.Unlock()
	if ok {
		return
	}
	r.mu.Lock()
	if last := r.order.Back(); last != nil {
		r.takeOut(last)
	}
	r.mu.Unlock()
}

// Keep puts a value there.
func (r *Recent) Keep(key string, value int, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.items[key]; ok {
		r.takeOut(e)
	}
	r.items[key] = r.order.PushFront(&lruEntry{key, value, until})
}

func (r *Recent) takeOut(e *list.Element) {
	r.order.Remove(e)
	delete(r.items, e.Value.(*lruEntry).key)
}
