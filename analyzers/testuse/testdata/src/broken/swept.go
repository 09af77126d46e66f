package broken

import (
	"sync"
	"time"
)

type berth struct {
	ship  string
	until time.Time
}

// Harbour renews berths while a sweep goes through them.
type Harbour struct {
	berths sync.Map // place -> berth
	seen   sync.Map // ship -> unix seconds
	typed  berthMap[string, berth]
	ttl    time.Duration
}

func (h *Harbour) Moor(place, ship string) {
	h.berths.Store(place, berth{ship, time.Now().Add(h.ttl)})
}

func (h *Harbour) Sweep() {
	now := time.Now()
	h.berths.Range(func(k, v any) bool {
		b, ok := v.(berth)
		if !ok {
			return true
		}
		if now.After(b.until) { // want `what is deleted from Harbour.berths\[\] can be a fresh entry, which \(\*Harbour\).Moor has stored under that key since the old one was looked at here: CompareAndDelete leaves it`
			place := k.(string)
			h.berths.Delete(place)
		}
		return true
	})
}

func (h *Harbour) SweepLater() {
	var old []any
	h.berths.Range(func(k, v any) bool {
		if time.Since(v.(berth).until) < 0 { // want `what is deleted from Harbour.berths\[\] can be a fresh entry`
			return true
		}
		old = append(old, k)
		return true
	})
	for _, k := range old {
		h.berths.Delete(k)
	}
}

func (h *Harbour) SweepAll() {
	for k, v := range h.berths.Range {
		if v.(berth).until.Before(time.Now()) { // want `what is deleted from Harbour.berths\[\] can be a fresh entry`
			h.berths.Delete(k)
		}
	}
}

func (h *Harbour) Spotted(ship string) {
	_, known := h.seen.Swap(ship, time.Now().Unix())
	if !known {
		println(ship)
	}
}

func (h *Harbour) Forget(limit int64) (n int) {
	now := time.Now().Unix()
	h.seen.Range(func(ship, at any) bool {
		age := now - at.(int64)
		if age < limit { // want `what is deleted from Harbour.seen\[\] can be a fresh entry, which \(\*Harbour\).Spotted has stored`
			return true
		}
		h.seen.Delete(ship)
		n++
		return true
	})
	return n
}

type berthMap[K comparable, V any] struct{ m sync.Map }

func (m *berthMap[K, V]) Set(k K, v V) { m.m.Store(k, v) }
func (m *berthMap[K, V]) Drop(k K)     { m.m.Delete(k) }
func (m *berthMap[K, V]) Each(f func(K, V) bool) {
	m.m.Range(func(k, v any) bool { return f(k.(K), v.(V)) })
}

func (b berth) over(now time.Time) bool { return now.After(b.until) }

func newBerth(ship string, ttl time.Duration) berth { return berth{ship, time.Now().Add(ttl)} }

func (h *Harbour) MoorTyped(place, ship string) { h.typed.Set(place, newBerth(ship, h.ttl)) }

func (h *Harbour) SweepTyped(now time.Time) {
	h.typed.Each(func(place string, b berth) bool {
		if b.over(now) { // want `what is deleted from berthMap.m\[\] can be a fresh entry, which \(\*Harbour\).MoorTyped has stored`
			h.typed.Drop(place)
		}
		return true
	})
}
