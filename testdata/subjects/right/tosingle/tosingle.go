// Package tosingle changes its table in one goroutine; others read it.
package tosingle

import (
	"sync"
	"time"
)

type route struct {
	via   string
	until time.Time
}

type update struct {
	to  string
	via string
}

// Table is changed by its loop alone.
type Table struct {
	mu      sync.RWMutex
	routes  map[string]route
	n       int
	updates chan update
	checks  chan string
}

// New starts the loop.
func New() *Table {
	t := &Table{routes: map[string]route{}, updates: make(chan update), checks: make(chan string)}
	go t.loop()
	return t
}

func (t *Table) loop() {
	for {
		select {
		case u := <-t.updates:
			t.set(u.to, route{u.via, time.Now().Add(time.Minute)})
		case to := <-t.checks:
			t.check(to)
		}
	}
}

func (t *Table) set(to string, r route) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.routes[to] = r
	t.n++
}

func (t *Table) check(to string) {
	t.mu.RLock()
	r, ok := t.routes[to]
	t.mu.RUnlock()
	if !ok || time.Now().Before(r.until) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.routes[to]; ok {
		t.n--
		delete(t.routes, to)
	}
}

// Set tells of a route, and Check of one to look at.
func (t *Table) Set(to, via string) { t.updates <- update{to, via} }

// Check looks at a route.
func (t *Table) Check(to string) { t.checks <- to }

// Via is the way to there.
func (t *Table) Via(to string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.routes[to].via
}
