package fine

import "sync"

type errand struct {
	name  string
	phase int
}

const (
	phaseWaiting = iota
	phaseRunning
	phaseOver
)

// Errands are run by several goroutines.
type Errands struct {
	mu      sync.Mutex
	errands map[string]*errand
	do      func(string)
}

func NewErrands(n int, do func(string)) *Errands {
	e := &Errands{errands: map[string]*errand{}, do: do}
	for range n {
		go e.looksAgain()
		go e.reserves()
	}
	return e
}

// One is all that runs its errands.
func NewOne(do func(string)) *One {
	o := &One{errands: map[string]*errand{}, do: do}
	go o.alone()
	return o
}

func (e *Errands) Add(name string) {
	e.mu.Lock()
	e.errands[name] = &errand{name: name}
	e.mu.Unlock()
}

func (e *Errands) waiting() (list []*errand) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.errands {
		if x.phase == phaseWaiting {
			list = append(list, x)
		}
	}
	return list
}

func (e *Errands) claim(x *errand) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if x.phase != phaseWaiting {
		return false
	}
	x.phase = phaseRunning
	return true
}

func (e *Errands) looksAgain() {
	for _, x := range e.waiting() {
		if e.claim(x) {
			e.do(x.name)
		}
	}
}

func (e *Errands) reserved() (list []*errand) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, x := range e.errands {
		if x.phase == phaseWaiting {
			x.phase = phaseRunning
			list = append(list, x)
		}
	}
	return list
}

func (e *Errands) reserves() {
	for _, x := range e.reserved() {
		e.do(x.name)
		e.mu.Lock()
		x.phase = phaseOver
		e.mu.Unlock()
	}
}

type One struct {
	mu      sync.Mutex
	errands map[string]*errand
	do      func(string)
}

func (o *One) Add(name string) {
	o.mu.Lock()
	o.errands[name] = &errand{name: name}
	o.mu.Unlock()
}

func (o *One) names() (names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, x := range o.errands {
		if x.phase == phaseWaiting {
			names = append(names, name)
		}
	}
	return names
}

func (o *One) alone() {
	for _, name := range o.names() {
		o.mu.Lock()
		o.errands[name].phase = phaseRunning
		o.mu.Unlock()
		o.do(name)
	}
}

// last walks through a list by a variable of its own.
func (o *One) last() (name string) {
	for _, name = range o.names() {
		o.do(name)
	}
	return name
}
