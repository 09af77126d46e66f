package broken

import "sync"

// A Rulebook tells by its version whether it has changed.
type Rulebook struct {
	mu      sync.RWMutex
	rules   map[string]string
	version int
	author  string
	edition string
}

func (r *Rulebook) Rules() map[string]string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.rules
}

func (r *Rulebook) Version() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.version
}

func (r *Rulebook) Author() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.author
}

func (r *Rulebook) Edition() string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.edition
}

func (r *Rulebook) Revise(rules map[string]string) {
	r.mu.Lock()
	r.rules = rules
	r.version++
	r.mu.Unlock()
}

func (r *Rulebook) Sign(author, edition string) {
	r.mu.Lock()
	r.author, r.edition = author, edition
	r.mu.Unlock()
}

type letter struct {
	rules   map[string]string
	version int
}

type colophon struct{ author, edition string }

type Press struct{ book *Rulebook }

// Letter sends old rules with a new version: nobody asks for the new ones.
func (p *Press) Letter() letter {
	return letter{rules: p.book.Rules(), version: p.book.Version()} // want `Rulebook.rules and Rulebook.version are read in two critical sections and used together; \(\*Rulebook\).Revise changes both in one`
}

func (p *Press) Colophon(send func(colophon)) {
	m := colophon{author: p.book.Author()} // want `Rulebook.author and Rulebook.edition are read in two critical sections and used together`
	if m.author == "" {
		return
	}
	m.edition = p.book.Edition()
	send(m)
}
