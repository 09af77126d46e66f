package broken

import (
	"sync"
	"time"
)

// A warmSlot is kept in a map whose lock is that of its fields.
type warmSlot struct {
	path  string
	hits  int
	last  time.Time
	bytes int64
}

type WarmSlots struct {
	mu    sync.RWMutex
	slots map[string]*warmSlot
	order []*warmSlot
}

func (w *WarmSlots) Add(key, path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slots[key] = &warmSlot{path: path, last: time.Now()}
	w.cool()
}

func (w *WarmSlots) cool() {
	for k, s := range w.slots {
		if time.Since(s.last) > time.Hour && s.hits == 0 {
			delete(w.slots, k)
		}
	}
}

// Bytes sums up what the slots of the order hold.
func (w *WarmSlots) Bytes() (n int64) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for _, s := range w.order {
		n += s.bytes
	}
	return n
}

func (w *WarmSlots) Touch(key string) string {
	w.mu.RLock()
	s, ok := w.slots[key]
	w.mu.RUnlock()
	if !ok {
		return ""
	}
	s.last = time.Now() // want `s.last is written here after w.mu was released, under which it was found in w.slots: \(\*WarmSlots\).cool reads it with the lock held`
	return s.path
}

func (w *WarmSlots) find(key string) *warmSlot {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.slots[key]
}

// Hit finds the slot by a getter.
func (w *WarmSlots) Hit(key string) {
	if s := w.find(key); s != nil {
		s.hits++ // want `s.hits is written here after w.mu was released`
	}
}

// Grow finds the slot by its place in a list.
func (w *WarmSlots) Grow(i int, n int64) {
	w.mu.Lock()
	s := w.order[i]
	w.mu.Unlock()
	switch {
	case n > 0:
		s.bytes += n // want `s.bytes is written here after w.mu was released`
	}
}

// Take has taken the slot out before it changes it.
func (w *WarmSlots) Take(key string) string {
	w.mu.Lock()
	s := w.slots[key]
	delete(w.slots, key)
	w.mu.Unlock()
	if s == nil {
		return ""
	}
	s.hits = 0
	return s.path
}
