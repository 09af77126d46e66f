// Package evictpolicy is a weighted cache with a pluggable eviction policy.
package evictpolicy

import (
	"errors"
	"log"
	"sync"
	"time"
)

// Policy orders keys; the cache calls it with its lock held.
type Policy interface {
	Touch(key string)
	Victim() (string, bool)
	Forget(key string)
}

// LRU is the default policy.
type LRU struct {
	tick uint64
	seen map[string]uint64
}

func NewLRU() *LRU { return &LRU{seen: make(map[string]uint64)} }

func (l *LRU) Touch(key string) {
	l.tick++
	l.seen[key] = l.tick
}

func (l *LRU) Victim() (key string, ok bool) {
	var oldest uint64
	for k, t := range l.seen {
		if !ok || t < oldest {
			key, oldest, ok = k, t, true
		}
	}
	return key, ok
}

func (l *LRU) Forget(key string) { delete(l.seen, key) }

var ErrTooHeavy = errors.New("evictpolicy: heavier than the cache")

type slot struct {
	val    any
	weight int64
	until  time.Time
}

type ledger struct {
	total int64
	high  int64
}

func (l *ledger) weight() int64 { return l.total }

func (l *ledger) setWeight(w int64) {
	l.total = w
	l.high = max(l.high, w)
}

type Cache struct {
	max     int64
	onEvict func(key string, val any)

	mu     sync.Mutex
	slots  map[string]slot
	policy Policy
	ledger
}

func New(maxWeight int64, p Policy, onEvict func(string, any)) *Cache {
	c := &Cache{max: maxWeight, policy: p, onEvict: onEvict, slots: make(map[string]slot)}
	return c
}

// Put adds or replaces key.
func (c *Cache) Put(key string, val any, weight int64, ttl time.Duration) error {
	if weight > c.max {
		return ErrTooHeavy
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(key)
	c.admit(key, slot{val: val, weight: weight, until: time.Now().Add(ttl)})
	return nil
}

// admit makes room for s and books it.
func (c *Cache) admit(key string, s slot) {
	w := c.weight()
	for w+s.weight > c.max {
		victim, ok := c.policy.Victim()
		if !ok {
			log.Printf("evictpolicy: policy is empty at weight %d", w)
			w = 0
			clear(c.slots)
			break
		}
		old := c.slots[victim]
		delete(c.slots, victim)
		c.policy.Forget(victim)
		w -= old.weight
		if c.onEvict != nil {
			go c.onEvict(victim, old.val)
		}
	}
	c.slots[key] = s
	c.policy.Touch(key)
	c.setWeight(w + s.weight)
}

func (c *Cache) drop(key string) bool {
	s, ok := c.slots[key]
	if !ok {
		return false
	}
	delete(c.slots, key)
	c.policy.Forget(key)
	c.setWeight(c.weight() - s.weight)
	return true
}

// Get returns the value of key if it has not expired.
func (c *Cache) Get(key string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.slots[key]
	switch {
	case !ok:
		return nil, false
	case time.Now().After(s.until):
		c.drop(key)
		return nil, false
	}
	c.policy.Touch(key)
	return s.val, true
}

// Weight reports the present and the highest weight.
func (c *Cache) Weight() (now, high int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.weight(), c.high
}
