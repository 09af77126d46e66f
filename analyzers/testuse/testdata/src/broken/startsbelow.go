package broken

import "sync"

type panel struct {
	name  string
	notes map[int]string
}

// Panels are made when they are asked for.
type Panels struct {
	mu     sync.RWMutex
	polled map[string]*panel
	plain  map[string]*panel
}

func (b *Panels) poll(name string) {}

func (b *Panels) begin(name string) *panel {
	x := &panel{name: name, notes: map[int]string{}}
	b.mu.Lock()
	b.polled[name] = x
	b.mu.Unlock()
	go b.poll(name)
	return x
}

func (b *Panels) Polled(name string) string {
	b.mu.RLock()
	x, ok := b.polled[name] // want `two goroutines can both pass the test of b.polled\[name\] and both set it: b.mu is held for reading first and taken for writing later, without looking again`
	b.mu.RUnlock()
	if !ok {
		x = b.begin(name)
	}
	return x.name
}

func (b *Panels) add(name string) *panel {
	x := &panel{name: name, notes: map[int]string{}}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.plain[name] = x
	return x
}

func (b *Panels) Note(name, note string) {
	b.mu.RLock()
	x := b.plain[name] // want `two goroutines can both pass the test of b.plain\[name\] and both set it: b.mu is held for reading first and taken for writing later, without looking again`
	b.mu.RUnlock()
	if x == nil {
		x = b.add(name)
	}
	b.mu.Lock()
	x.notes[len(x.notes)] = note
	b.mu.Unlock()
}
