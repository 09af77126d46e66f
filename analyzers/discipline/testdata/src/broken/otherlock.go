package broken

import "sync"

// Roster has two locks, and one function each takes the wrong one.
type Roster struct {
	namesMu sync.Mutex
	names   map[string]bool

	seatsMu sync.RWMutex
	seats   map[string]int
	last    string
	free    int
}

func (r *Roster) Add(name string) {
	r.namesMu.Lock()
	defer r.namesMu.Unlock()
	r.names[name] = true
}

func (r *Roster) Known(name string) bool {
	r.namesMu.Lock()
	defer r.namesMu.Unlock()
	return r.names[name]
}

func (r *Roster) Forget(name string) {
	r.namesMu.Lock()
	defer r.namesMu.Unlock()
	delete(r.names, name)
	delete(r.seats, name) // want `r.seats is accessed here under r.namesMu, and by all other functions under r.seatsMu, as in \(\*Roster\).Sit: neither keeps the others out`
}

func (r *Roster) Sit(name string, seat int) {
	r.seatsMu.Lock()
	r.seats[name] = seat
	r.last = name
	r.free--
	r.seatsMu.Unlock()
}

func (r *Roster) SeatOf(name string) int {
	r.seatsMu.RLock()
	defer r.seatsMu.RUnlock()
	return r.seats[name]
}

func (r *Roster) Last() string {
	r.seatsMu.RLock()
	defer r.seatsMu.RUnlock()
	return r.last
}

// LastKnown reads under the other lock.
func (r *Roster) LastKnown() bool {
	r.namesMu.Lock()
	defer r.namesMu.Unlock()
	return r.names[r.last] // want `r.last is accessed here under r.namesMu`
}

func (r *Roster) Free() int {
	r.seatsMu.RLock()
	defer r.seatsMu.RUnlock()
	return r.free
}

// Rise counts under the other lock.
func (r *Roster) Rise(name string) {
	r.namesMu.Lock()
	if r.names[name] {
		r.free++ // want `r.free is accessed here under r.namesMu`
	}
	r.namesMu.Unlock()
}
