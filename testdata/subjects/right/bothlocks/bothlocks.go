// Package bothlocks writes with two locks held, and reads with either.
package bothlocks

import "sync"

// Table has a lock for its rows and one for its plan.
type Table struct {
	rowsMu sync.Mutex
	rows   map[string]int
	planMu sync.Mutex
	plan   []string
	frozen bool
}

// New makes one.
func New() *Table { return &Table{rows: map[string]int{}} }

// Freeze writes frozen with both locks held.
func (t *Table) Freeze(on bool) {
	t.rowsMu.Lock()
	defer t.rowsMu.Unlock()
	t.planMu.Lock()
	defer t.planMu.Unlock()
	t.frozen = on
}

// Put. Right: one of the two locks keeps Freeze out.
func (t *Table) Put(k string) bool {
	t.rowsMu.Lock()
	defer t.rowsMu.Unlock()
	if t.frozen {
		return false
	}
	t.rows[k]++
	return true
}

// Plan. Right: the other one keeps Freeze out as well.
func (t *Table) Plan(step string) bool {
	t.planMu.Lock()
	defer t.planMu.Unlock()
	if t.frozen {
		return false
	}
	t.plan = append(t.plan, step)
	return true
}

// Move. Right: it holds planMu where it tests; rowsMu is for the rows.
func (t *Table) Move(k, step string) {
	t.planMu.Lock()
	if t.frozen {
		t.planMu.Unlock()
		return
	}
	t.plan = append(t.plan, step)
	t.planMu.Unlock()
	t.rowsMu.Lock()
	delete(t.rows, k)
	t.rowsMu.Unlock()
}
