package broken

import "sync"

type errand struct {
	name  string
	phase int
}

const (
	phaseWaiting = iota
	phaseRunning
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
		go e.byKey()
		go e.byObject()
		go e.itself()
	}
	return e
}

func (e *Errands) Add(name string) {
	e.mu.Lock()
	e.errands[name] = &errand{name: name}
	e.mu.Unlock()
}

func (e *Errands) due() (names []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, x := range e.errands {
		if x.phase == phaseWaiting {
			names = append(names, name)
		}
	}
	return names
}

func (e *Errands) begin(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	x, ok := e.errands[name]
	if !ok {
		return false
	}
	x.phase = phaseRunning
	return true
}

func (e *Errands) byKey() {
	for _, name := range e.due() { // want `two goroutines can both list the same entry of Errands.errands\[\] by its phase and set it: e.mu is released in between, and it is not looked at again`
		if e.begin(name) {
			e.do(name)
		}
	}
}

func (e *Errands) waiting() []*errand {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []*errand
	for _, x := range e.errands {
		if x.phase != phaseWaiting {
			continue
		}
		list = append(list, x)
	}
	return list
}

func (e *Errands) byObject() {
	list := e.waiting()
	for _, x := range list { // want `two goroutines can both list the same entry of Errands.errands\[\] by its phase and set it: e.mu is released in between, and it is not looked at again`
		e.mu.Lock()
		x.phase = phaseRunning
		e.mu.Unlock()
		e.do(x.name)
	}
}

func (e *Errands) itself() {
	var names []string
	e.mu.Lock()
	for name, x := range e.errands {
		if x.phase == phaseWaiting { // want `two goroutines can both list the same entry of Errands.errands\[\] by its phase and set it: e.mu is released in between, and it is not looked at again`
			names = append(names, name)
		}
	}
	e.mu.Unlock()
	for _, name := range names {
		e.mu.Lock()
		if x := e.errands[name]; x != nil {
			x.phase = phaseRunning
		}
		e.mu.Unlock()
		e.do(name)
	}
}
