package fine

import (
	"context"
	"sync"
)

// A MeasuredList hands out copies of what it holds.
type MeasuredList struct {
	mu    sync.RWMutex
	names []string
	fixed []string
	ages  map[string]int
}

func NewMeasuredList(fixed []string) *MeasuredList {
	return &MeasuredList{fixed: fixed, ages: map[string]int{}}
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

// Names looks whether there is room.
func (l *MeasuredList) Names() []string {
	out := make([]string, l.Len())
	l.Each(func(i int, name string) {
		if i < len(out) {
			out[i] = name
		}
	})
	return out
}

// Keys takes the number for a hint.
func (l *MeasuredList) Keys() []string {
	out := make([]string, 0, l.Len())
	l.Each(func(_ int, name string) { out = append(out, name) })
	return out
}

// All measures and copies under one lock.
func (l *MeasuredList) All() []string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	out := make([]string, len(l.ages))
	i := 0
	for k := range l.ages {
		out[i] = k
		i++
	}
	return out
}

// Fixed copies what nobody adds to.
func (l *MeasuredList) Fixed() []string {
	l.mu.RLock()
	n := len(l.fixed)
	l.mu.RUnlock()
	out := make([]string, n)
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i, s := range l.fixed {
		out[i] = s
	}
	return out
}

// A ReplacedWatcher runs one task at a time, and looks again.
type ReplacedWatcher struct {
	mu     sync.Mutex
	cancel context.CancelFunc
}

func (w *ReplacedWatcher) Watch(task func(context.Context)) {
	w.Stop()
	ctx, cancel := context.WithCancel(context.Background())
	w.mu.Lock()
	if w.cancel != nil {
		w.mu.Unlock()
		cancel()
		return
	}
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
