package broken

import "sync"

// Attic keeps things, at most so many. It is safe for concurrent use.
type Attic struct {
	mu     sync.RWMutex
	things map[string]int
	oldest []string
	most   int
}

func (a *Attic) size() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.things)
}

// throwOut takes one away, if there is any.
func (a *Attic) throwOut() {
	if len(a.oldest) == 0 || len(a.things) == 0 {
		return
	}
	delete(a.things, a.oldest[0])
	a.oldest = a.oldest[1:]
}

// Keep keeps one more thing. Two that find one too many throw out two.
func (a *Attic) Keep(name string, n int) {
	a.mu.Lock()
	a.things[name] = n
	a.oldest = append(a.oldest, name)
	a.mu.Unlock()
	if a.size() > a.most { // want `two goroutines can both pass the test of a\.things \(in a\.size\) and both delete it: a\.mu is held for reading first and taken for writing later, without looking again`
		a.mu.Lock()
		a.throwOut()
		a.mu.Unlock()
	}
}

// Store keeps one more thing, and looks itself whether there is any.
func (a *Attic) Store(name string, n int) {
	a.mu.Lock()
	a.things[name] = n
	a.oldest = append(a.oldest, name)
	full := len(a.things) > a.most // want `two goroutines can both pass the test of a\.things and both delete it: a\.mu is released in between`
	a.mu.Unlock()
	if full {
		a.mu.Lock()
		if len(a.things) > 0 {
			a.throwOut()
		}
		a.mu.Unlock()
	}
}
