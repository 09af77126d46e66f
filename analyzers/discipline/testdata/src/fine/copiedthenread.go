package fine

import (
	"sync"
	"time"
)

// Quay is watched while boats come and go.
type Quay struct {
	mu    sync.Mutex
	boats []string
	tide  int
	name  string
}

// OpenQuay begins the watch.
func OpenQuay(name string, every time.Duration, tell func(string, []string)) *Quay {
	q := &Quay{name: name}
	go q.watch(every, tell)
	return q
}

func (q *Quay) Look(boats []string, tide int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.boats = boats
	q.tide = tide
}

func (q *Quay) watch(every time.Duration, tell func(string, []string)) {
	last := 0
	for range time.Tick(every) {
		q.mu.Lock()
		boats := q.boats
		tide := q.tide
		name := q.name
		q.mu.Unlock()
		if tide != last {
			tell(name, boats)
			tell(q.name, boats)
		}
		q.mu.Lock()
		if q.tide != tide {
			tell(name, q.boats)
		}
		q.mu.Unlock()
		last = tide
	}
}
