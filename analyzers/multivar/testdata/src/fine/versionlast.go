package fine

import "sync"

// A Codex is read after its version, or has no version.
type Codex struct {
	mu      sync.RWMutex
	rules   map[string]string
	version int
	updates int
}

func (r *Codex) Rules() map[string]string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.rules
}

func (r *Codex) Version() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

func (r *Codex) Updates() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.updates
}

func (r *Codex) Revise(rules map[string]string) {
	r.mu.Lock()
	r.rules = rules
	r.version++
	r.updates++
	r.mu.Unlock()
}

type letter struct {
	version int
	rules   map[string]string
	updates int
}

type Printer struct{ book *Codex }

// Letter sends new rules with an old version at worst: they are asked for once more.
func (p *Printer) Letter() letter {
	return letter{version: p.book.Version(), rules: p.book.Rules()}
}

func (p *Printer) Told() letter {
	return letter{rules: p.book.Rules(), updates: p.book.Updates()}
}

// Two are two objects.
func (p *Printer) Two(other *Codex) []letter {
	a := letter{version: p.book.Version()}
	b := letter{}
	b.rules = other.Rules()
	return []letter{a, b}
}
