package broken

import "sync"

type member struct {
	Name string
	Tags []string
	Runs int
}

// Members are kept by their names.
type Members struct {
	mu sync.Mutex
	m  map[string]member
}

func (a *Members) get(name string) (member, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	x, ok := a.m[name]
	if ok && x.Runs < 0 {
		delete(a.m, name)
		return member{}, false
	}
	return x, ok
}

func (a *Members) put(x member) {
	a.mu.Lock()
	a.m[x.Name] = x
	a.mu.Unlock()
}

func (a *Members) Tag(name, tag string) {
	x, ok := a.get(name) // want `two goroutines can both read a.m \(in a.get\) before either stores it, and one update is lost: a.mu is released in between`
	if !ok {
		return
	}
	x.Tags = append(x.Tags, tag)
	a.put(x)
}

func (a *Members) Run(name string) {
	a.mu.Lock()
	x := a.m[name] // want `two goroutines can both read a.m\[name\] before either stores it, and one update is lost: a.mu is released in between`
	a.mu.Unlock()
	x.Runs++
	a.mu.Lock()
	a.m[x.Name] = x
	a.mu.Unlock()
}
