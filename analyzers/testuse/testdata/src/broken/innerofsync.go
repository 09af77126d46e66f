package broken

import "sync"

// Almanac has the days of each year.
type Almanac struct {
	years sync.Map // of map[string]string
}

func (a *Almanac) Note(year int, day, what string) {
	v, ok := a.years.Load(year) // want `two goroutines can both pass the test of a.years\[year\] and both set it`
	var days map[string]string
	if ok {
		days = v.(map[string]string)
	} else {
		days = map[string]string{}
		a.years.Store(year, days)
	}
	days[day] = what // want `days is a map that years holds, and is changed here while \(\*Almanac\).On can look into it without a lock`
}

func (a *Almanac) On(year int, day string) string {
	v, ok := a.years.Load(year)
	if !ok {
		return ""
	}
	return v.(map[string]string)[day]
}

// Register holds its lock where it writes, and nobody else does.
type Register struct {
	mu    sync.Mutex
	names sync.Map
}

func (r *Register) Enter(house, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, _ := r.names.LoadOrStore(house, map[string]bool{})
	v.(map[string]bool)[name] = true // want `v.\(map\[string\]bool\) is a map that names holds, and is changed here while \(\*Register\).Has can look into it`
}

func (r *Register) Has(house, name string) bool {
	v, ok := r.names.Load(house)
	return ok && v.(map[string]bool)[name]
}
