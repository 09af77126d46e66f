package fine

import (
	"context"
	"sync"
	"time"
)

// Coupons is as it should be: it asks once more.
type Coupons struct {
	mu    sync.RWMutex
	known map[string]*couponUse
	all   map[string]*couponUse
}

type couponUse struct {
	text string
	last time.Time
}

func NewCoupons(ctx context.Context) *Coupons {
	t := &Coupons{known: map[string]*couponUse{}, all: map[string]*couponUse{}}
	go func() {
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				t.sweep()
				t.copyAll()
			}
		}
	}()
	return t
}

func (t *Coupons) sweep() {
	kept := make(map[string]*couponUse)
	t.mu.Lock()
	for name, u := range t.known {
		if time.Since(u.last) < time.Hour {
			kept[name] = u
		}
	}
	t.known = kept
	t.mu.Unlock()
}

func (t *Coupons) copyAll() {
	next := make(map[string]*couponUse)
	t.mu.Lock()
	for name, u := range t.all {
		next[name] = u
	}
	t.all = next
	t.mu.Unlock()
}

func (t *Coupons) draw(name string) {
	t.mu.Lock()
	if t.known[name] == nil {
		t.known[name] = &couponUse{text: name, last: time.Now()}
	}
	t.mu.Unlock()
}

func (t *Coupons) add(name string) {
	t.mu.Lock()
	if t.all[name] == nil {
		t.all[name] = &couponUse{text: name, last: time.Now()}
	}
	t.mu.Unlock()
}

func (t *Coupons) Get(name string) (string, bool) {
	t.mu.RLock()
	_, ok := t.known[name]
	t.mu.RUnlock()
	if !ok {
		t.draw(name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	u, ok := t.known[name]
	if !ok {
		return "", false
	}
	u.last = time.Now()
	return u.text, true
}

// Find has them all.
func (t *Coupons) Find(name string) string {
	t.mu.RLock()
	_, ok := t.all[name]
	t.mu.RUnlock()
	if !ok {
		t.add(name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	u, _ := t.all[name]
	u.last = time.Now()
	return u.text
}
