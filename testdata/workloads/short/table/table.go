// Package table has nothing but short functions.
package table

// A Table is a list of numbers.
type Table struct {
	entries  []entry
	compared int
}

type entry struct{ key, seen int }

// New makes a table of n numbers.
func New(n int) *Table { return &Table{entries: make([]entry, n)} }

// Set changes a number.
func (t *Table) Set(i, key int) { t.entries[i] = entry{key, t.entries[i].seen + 1} }

// Key is a number.
func (t *Table) Key(i int) int { return t.entries[i].key }

// Len, Less and Swap are for package sort.
func (t *Table) Len() int { return len(t.entries) }

func (t *Table) Less(i, j int) bool {
	t.compared++
	return t.entries[i].key < t.entries[j].key
}

func (t *Table) Swap(i, j int) { t.entries[i], t.entries[j] = t.entries[j], t.entries[i] }
