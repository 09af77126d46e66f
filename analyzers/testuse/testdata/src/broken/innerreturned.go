package broken

import (
	"maps"
	"sync"
)

// ZoneBook keeps the nodes of each zone.
type ZoneBook struct {
	mu    sync.RWMutex
	zones map[string]map[string]int
	plain map[string]int
	whole map[string]map[string]int
}

func (r *ZoneBook) Enter(zone, node string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.zones[zone]
	if in == nil {
		in = make(map[string]int)
		r.zones[zone] = in
	}
	in[node]++
	r.plain[node]++
}

func (r *ZoneBook) Zone(zone string) map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	in := r.zones[zone] // want `r.zones\[zone\] is returned itself, and no copy: whoever gets it reads it without r.mu, while \(\*ZoneBook\).Enter writes its entries`
	if len(in) == 0 {
		return nil
	}
	return in
}

func (r *ZoneBook) Copy(zone string) map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maps.Clone(r.zones[zone])
}

func (r *ZoneBook) Leave(zone string) map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := r.zones[zone]
	delete(r.zones, zone)
	return in
}

func (r *ZoneBook) SetWhole(zone string, in map[string]int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole[zone] = in
}

// Whole returns what is replaced, and never changed.
func (r *ZoneBook) Whole(zone string) map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.whole[zone]
}

func (r *ZoneBook) all() map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.plain
}

func (r *ZoneBook) copied() map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return maps.Clone(r.plain)
}

func (r *ZoneBook) in(zone string) map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.zones[zone]
}

func (r *ZoneBook) Sum() (n int) {
	for _, c := range r.all() { // want `r.all\(\) is the map ZoneBook.plain itself, not a copy; it is used after r.mu was released`
		n += c
	}
	for _, c := range r.copied() {
		n += c
	}
	return n
}

func (r *ZoneBook) Count(zone, node string) int {
	return r.in(zone)[node] // want `r.in\(zone\) is the map ZoneBook.zones\[\] itself, not a copy`
}
