// Package readyfirst lets nobody in before the goroutine is through.
package readyfirst

import "sync"

// Table is loaded once, in the background.
type Table struct {
	mu      sync.Mutex
	begun   bool
	rows    map[string]string
	version int
	ready   chan struct{}
}

// New makes one.
func New() *Table { return &Table{ready: make(chan struct{})} }

// Prefetch begins to load, unless it has begun.
func (t *Table) Prefetch(load func() map[string]string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun {
		return
	}
	t.begun = true
	// Right: all others wait for ready before they touch rows or version.
	go func() {
		t.rows = load()
		t.version = 1
		close(t.ready)
	}()
}

// Get waits for the table.
func (t *Table) Get(k string) (string, int) {
	<-t.ready
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows[k], t.version
}

// Set waits for the table.
func (t *Table) Set(k, v string) {
	<-t.ready
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k] = v
	t.version++
}

// Replace waits for the table.
func (t *Table) Replace(rows map[string]string) {
	<-t.ready
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = rows
	t.version++
}
