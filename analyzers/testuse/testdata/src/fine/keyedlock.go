package fine

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

// Volumes has a lock for each name, held from the look to the act.
type Volumes struct {
	locks lockOf
	mu    sync.RWMutex
	names map[string]int
}

func (v *Volumes) Use(name string) int {
	v.locks.Lock(name)
	defer v.locks.Unlock(name)
	v.mu.RLock()
	n := v.names[name]
	v.mu.RUnlock()
	v.mu.Lock()
	v.names[name] = n + 1
	v.mu.Unlock()
	return n
}
