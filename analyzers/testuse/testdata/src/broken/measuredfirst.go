package broken

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A MeasuredList hands out copies of what it holds.
type MeasuredList struct {
	mu    sync.RWMutex
	names []string
	ages  map[string]int
}

func (l *MeasuredList) Add(name string, age int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names = append(l.names, name)
	l.ages[name] = age
}

func (l *MeasuredList) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.names)
}

func (l *MeasuredList) Each(fn func(i int, name string)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i, name := range l.names {
		fn(i, name)
	}
}

func (l *MeasuredList) Names() []string {
	out := make([]string, l.Len()) // want `out is as long as MeasuredList.names was before the lock was released, and is filled by its entries \(out\[i\]\) under the lock taken anew: \(\*MeasuredList\).Add can add one in between, and the index is out of range`
	l.Each(func(i int, name string) { out[i] = name })
	return out
}

func (l *MeasuredList) Keys() []string {
	l.mu.RLock()
	n := len(l.ages) // want `keys is as long as MeasuredList.ages was before the lock was released`
	l.mu.RUnlock()
	keys := make([]string, n)
	i := 0
	l.mu.RLock()
	defer l.mu.RUnlock()
	for k := range l.ages {
		keys[i] = k
		i++
	}
	return keys
}

// MeasuredSeen remembers messages, and MeasuredInbox handles each once.
type MeasuredSeen struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (d *MeasuredSeen) Seen(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.at[id]
	return ok
}

func (d *MeasuredSeen) Note(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at[id] = time.Now()
}

type MeasuredInbox struct {
	mu   sync.Mutex
	seen *MeasuredSeen
	run  func(string) error
}

func (h *MeasuredInbox) Receive(id string) error {
	if h.seen.Seen(id) { // want `two goroutines can both pass the test of h.seen.at \(in h.seen.Seen\) and both set it`
		return nil
	}
	if err := h.run(id); err != nil {
		return err
	}
	h.seen.Note(id)
	return nil
}

// A MeasuredBreaker lets one trial through while it is half open.
type MeasuredBreaker struct {
	state    atomic.Int32
	failures atomic.Int64
	trial    atomic.Bool
}

func (b *MeasuredBreaker) Allow(now int64) bool {
	switch b.state.Load() {
	case 0:
		return true
	case 1:
		if b.failures.Load() < now {
			b.state.Store(2)
		}
		return false
	}
	if b.trial.Load() { // want `two goroutines can both pass the test of b.trial and both set it: two atomic operations are not one`
		return false
	}
	b.trial.Store(true)
	return true
}

func (b *MeasuredBreaker) Report(ok bool) {
	b.trial.Store(false)
	if !ok {
		b.failures.Add(1)
	}
}

// A ReplacedWatcher runs one task at a time.
type ReplacedWatcher struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (w *ReplacedWatcher) Watch(task func(context.Context)) {
	w.Stop() // want `two goroutines can both end what is in w.cancel and store their own, of which one is lost and never ended: w.mu is released in between`
	ctx, cancel := context.WithCancel(context.Background())
	w.mu.Lock()
	w.cancel = cancel
	w.mu.Unlock()
	go task(ctx)
}

func (w *ReplacedWatcher) Stop() {
	w.mu.Lock()
	cancel := w.cancel
	w.cancel = nil
	w.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
