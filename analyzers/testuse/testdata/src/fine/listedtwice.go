package fine

import "sync"

type flight struct{ miles int }

// Airfield takes each flight out once.
type Airfield struct {
	mu     sync.Mutex
	away   sync.Map
	logged []flight
	all    []string
	last   flight
}

func (a *Airfield) Start(plane string) { a.away.Store(plane, &flight{}) }

func (a *Airfield) Land(plane string) {
	if v, ok := a.away.LoadAndDelete(plane); ok {
		a.mu.Lock()
		a.logged = append(a.logged, *(v.(*flight)))
		a.mu.Unlock()
	}
}

// Arrive does both under the lock.
func (a *Airfield) Arrive(plane string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if v, ok := a.away.Load(plane); ok {
		a.logged = append(a.logged, *(v.(*flight)))
	}
	a.away.Delete(plane)
}

// Miss puts nothing of it anywhere, but its name, which may be there twice.
func (a *Airfield) Miss(plane string) {
	if _, ok := a.away.Load(plane); ok {
		a.mu.Lock()
		a.all = append(a.all, plane)
		a.mu.Unlock()
	}
	a.away.Delete(plane)
}

// Note remembers the last one, whichever that is.
func (a *Airfield) Note(plane string) {
	if v, ok := a.away.Load(plane); ok {
		a.mu.Lock()
		a.last = *(v.(*flight))
		a.mu.Unlock()
	}
	a.away.Delete(plane)
}
