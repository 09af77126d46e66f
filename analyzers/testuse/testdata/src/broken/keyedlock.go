package broken

import "sync"

type lockOf struct {
	mu sync.Mutex
	of map[string]*sync.Mutex
}

func (l *lockOf) get(name string) *sync.Mutex {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of[name] == nil {
		l.of[name] = new(sync.Mutex)
	}
	return l.of[name]
}

func (l *lockOf) Lock(name string)   { l.get(name).Lock() }
func (l *lockOf) Unlock(name string) { l.get(name).Unlock() }

// Volumes has a lock for each name.
type Volumes struct {
	locks lockOf
	mu    sync.RWMutex
	names map[string]*topic
}

// The lock of the name is given back after the look.
func (v *Volumes) Remove(name string) {
	v.locks.Lock(name)
	v.mu.RLock()
	t := v.names[name] // want `two goroutines can both pass the test of v.names\[name\] and both delete it: v.mu is held for reading first and taken for writing later, without looking again`
	v.mu.RUnlock()
	v.locks.Unlock(name)
	if t == nil {
		return
	}
	v.mu.Lock()
	delete(v.names, name)
	v.mu.Unlock()
	t.users.Add(-1)
}

// Epochs has what was made for each, and a list of all.
type Epochs struct {
	mu     sync.RWMutex
	byNo   map[uint32]*topic
	active []*topic
	open   func(uint32) (*topic, error)
}

func (e *Epochs) Change(no uint32) error {
	e.mu.RLock()
	_, ok := e.byNo[no] // want `two goroutines can both pass the test of e.byNo\[no\] and both set it: e.mu is held for reading first and taken for writing later, without looking again`
	e.mu.RUnlock()
	if ok {
		return nil
	}
	t, err := e.open(no)
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.active = append([]*topic{t}, e.active...)
	e.byNo[no] = t
	e.mu.Unlock()
	return nil
}
