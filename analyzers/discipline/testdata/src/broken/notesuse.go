package broken

import (
	"container/list"
	"sync"
	"time"
)

type stocked struct {
	key   string
	value []byte
	asked time.Time
	warm  bool
}

// Larder notes in each thing when it was asked for last.
type Larder struct {
	mu     sync.RWMutex
	things map[string]*stocked
}

func (s *Larder) Get(key string) ([]byte, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.things[key]
	if !ok {
		return nil, false
	}
	t.asked = time.Now() // want `t.asked is written here with s.mu held for reading only: two goroutines that look up the same Larder.things\[\] can do so at the same time`
	return t.value, true
}

func (s *Larder) Put(key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.things[key] = &stocked{key: key, value: value, asked: time.Now()}
}

func (s *Larder) Sweep(before time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, t := range s.things {
		if t.asked.Before(before) {
			delete(s.things, key)
		}
	}
}

// Pantry gives what was asked for lately another turn.
type Pantry struct {
	mu    sync.RWMutex
	most  int
	items map[string]*list.Element
	queue *list.List
}

func (h *Pantry) Get(key string) ([]byte, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if e, ok := h.items[key]; ok {
		e.Value.(*stocked).warm = true // want `e.Value.\(\*stocked\).warm is written here with h.mu held for reading only: two goroutines that look up the same Pantry.items\[\] can do so at the same time`
		return e.Value.(*stocked).value, true
	}
	return nil, false
}

func (h *Pantry) Put(key string, value []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.queue.Len() >= h.most {
		last := h.queue.Back()
		t := last.Value.(*stocked)
		if t.warm {
			t.warm = false
			h.queue.MoveToFront(last)
			continue
		}
		delete(h.items, t.key)
		h.queue.Remove(last)
	}
	h.items[key] = h.queue.PushFront(&stocked{key: key, value: value})
}

type parcel struct {
	to   string
	seen time.Time
}

func (p *parcel) notes() { p.seen = time.Now() }

// Depot has a method of its parcels note that they were asked for.
type Depot struct {
	mu      sync.RWMutex
	parcels map[string]*parcel
}

func (d *Depot) To(id string) (string, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	p, ok := d.parcels[id]
	if !ok {
		return "", false
	}
	p.notes() // want `p.notes changes d.parcels\[id\], and d.mu is held for reading only, which others can do at the same time`
	return p.to, true
}

func (d *Depot) Take(id, to string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parcels[id] = &parcel{to: to, seen: time.Now()}
}

func (d *Depot) Drop(before time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id, p := range d.parcels {
		if p.seen.Before(before) {
			delete(d.parcels, id)
		}
	}
}
