package fine

import (
	"sort"
	"sync"
)

// Ledger keeps a plain list beside its map: its user sees to it that one at a time adds.
type Ledger struct {
	byName sync.Map
	byID   sync.Map
	sorted []string
}

func (l *Ledger) find(name string) ([]int, bool) {
	v, ok := l.byName.Load(name)
	if !ok {
		return nil, false
	}
	return v.([]int), true
}

func (l *Ledger) Add(name string, id int) {
	if ids, ok := l.find(name); ok {
		l.byName.Store(name, append(ids, id))
	} else {
		l.byName.Store(name, []int{id})
	}
	l.sorted = append(l.sorted, name)
	sort.Strings(l.sorted)
}

func (l *Ledger) All() []string { return l.sorted }
