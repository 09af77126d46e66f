package broken

import "sync"

// Jetty hands its map to a function that puts into it, under the lock.
type Jetty struct {
	mu    sync.Mutex
	boats map[string]int
	gone  map[string]int
}

func NewJetty() *Jetty { return &Jetty{boats: map[string]int{}, gone: map[string]int{}} }

// Moor takes a boat in.
func (j *Jetty) Moor(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.moor(j.boats, name)
	if len(name) > 8 {
		go j.announce()
	}
}

// Sail lets a boat go, by way of a function that hands the map on.
func (j *Jetty) Sail(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	castOff(j.gone, name)
	if len(name) > 8 {
		go j.mourn()
	}
}

func (j *Jetty) moor(at map[string]int, name string) { at[name]++ }

func castOff(to map[string]int, name string) { note(to, name) }

func note(in map[string]int, name string) { in[name] = len(in) }

func (j *Jetty) announce() {
	for name := range j.boats { // want `j.boats is looked into here without j.mu, which all functions hold that change it, as \(\*Jetty\).Moor does`
		println(name)
	}
}

func (j *Jetty) mourn() {
	for name := range j.gone { // want `j.gone is looked into here without j.mu, which all functions hold that change it, as \(\*Jetty\).Sail does`
		println(name)
	}
}
