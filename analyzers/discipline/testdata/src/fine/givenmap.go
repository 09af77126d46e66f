package fine

import "sync"

// Jetty hands its maps to functions that do not change them, take the lock themselves, or change another map.
type Jetty struct {
	mu    sync.Mutex
	boats map[string]int
	names map[string]int
	berth map[string]int
}

// NewJetty makes one.
func NewJetty() *Jetty {
	return &Jetty{boats: map[string]int{}, names: map[string]int{}, berth: map[string]int{}}
}

// Moor takes a boat in.
func (j *Jetty) Moor(name string) {
	j.put(j.boats, name)
	if len(name) > 8 {
		go j.announce()
	}
}

func (j *Jetty) put(at map[string]int, name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	at[name]++
}

func (j *Jetty) announce() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for name := range j.boats {
		println(name)
	}
}

// Named looks a name up.
func (j *Jetty) Named(name string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(name) > 8 {
		go j.tell()
	}
	return look(j.names, name)
}

func look(in map[string]int, name string) int { return in[name] }

func (j *Jetty) tell() {
	for name := range j.names {
		println(name)
	}
}

// Berths counts the berths.
func (j *Jetty) Berths(name string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(name) > 8 {
		go j.walk()
	}
	return total(j.berth)
}

func total(of map[string]int) (n int) {
	of = map[string]int{"": len(of)}
	of["all"]++
	return len(of)
}

func (j *Jetty) walk() {
	for name := range j.berth {
		println(name)
	}
}
