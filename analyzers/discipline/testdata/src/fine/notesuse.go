package fine

import (
	"container/list"
	"sync"
	"sync/atomic"
	"time"
)

type stocked struct {
	key   string
	value []byte
	asked atomic.Int64
	kept  time.Time
}

// Larder notes with an atomic when a thing was asked for last, and under the lock when it was kept.
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
	t.asked.Store(time.Now().UnixNano())
	return t.value, true
}

func (s *Larder) Keep(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, ok := s.things[key]; ok {
		t.kept = time.Now()
	}
}

func (s *Larder) Put(key string, value []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.things[key] = &stocked{key: key, value: value}
}

// Copy makes a thing of its own, and writes that.
func (s *Larder) Copy(key string) *stocked {
	s.mu.RLock()
	defer s.mu.RUnlock()
	t, ok := s.things[key]
	if !ok {
		return nil
	}
	c := &stocked{key: t.key, value: t.value}
	c.kept = time.Now()
	return c
}

func (s *Larder) Sweep(before time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, t := range s.things {
		if t.kept.Before(before) {
			delete(s.things, key)
		}
	}
}

type parcel struct {
	to   string
	seen time.Time
}

func (p *parcel) notes() { p.seen = time.Now() }

// Depot has them note it with the lock held for writing.
type Depot struct {
	mu      sync.RWMutex
	parcels map[string]*parcel
}

func (d *Depot) To(id string) (string, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.parcels[id]
	if !ok {
		return "", false
	}
	p.notes()
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

// Succession goes from one to the next, and each has come from the other.
type Succession struct {
	mu    sync.RWMutex
	first map[string]*list.Element
}

func (c *Succession) Next(e *list.Element, a, b *parcel) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e = e.Value.(*list.Element)
	e.Value.(*parcel).seen = time.Now()
	a = b
	b = a
	b.seen = time.Now()
}

func (c *Succession) Put(key string, p *parcel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.first[key] = &list.Element{Value: p}
}
