package fine

import "sync"

type member struct {
	Name string
	Runs int
}

// Members are kept by their names.
type Members struct {
	mu sync.Mutex
	m  map[string]member
}

// take gives away what it has found.
func (a *Members) take(name string) member {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.m[name]
	delete(a.m, name)
	return x
}

func (a *Members) put(x member) {
	a.mu.Lock()
	a.m[x.Name] = x
	a.mu.Unlock()
}

func (a *Members) Move(name string) {
	x := a.take(name)
	x.Runs++
	a.put(x)
}

func (a *Members) Run(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.m[name]
	x.Runs++
	a.m[x.Name] = x
}
