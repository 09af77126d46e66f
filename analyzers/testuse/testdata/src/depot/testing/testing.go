// Package testing is imported by the tests of those who use depot.
package testing

import (
	"net/http"
	"sync"
)

// Depot is what a test works with.
type Depot struct {
	mu     sync.Mutex
	filled bool
	seen   bool
	all    []string
}

// Fill puts the first one in.
func (d *Depot) Fill(name string) {
	d.mu.Lock()
	if d.filled {
		d.mu.Unlock()
		return
	}
	d.mu.Unlock()
	name = fetch(name)
	d.mu.Lock()
	d.all = append(d.all, name)
	d.filled = true
	d.mu.Unlock()
}

// ServeHTTP is called for each request that a test makes, also at the same time.
func (d *Depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	seen := d.seen // want `both pass the test of d.seen and both set it`
	d.mu.Unlock()
	if !seen {
		name := fetch(r.URL.Path)
		d.mu.Lock()
		d.all = append(d.all, name)
		d.seen = true
		d.mu.Unlock()
	}
}

func fetch(name string) string { return name }
