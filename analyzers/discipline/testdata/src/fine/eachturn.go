package fine

import "sync"

type dial struct{ value int }

type dialRow struct {
	mu    sync.RWMutex
	dials map[string]*dial
	fixed []*dial
}

// Board has its dials in rows.
type Board struct{ rows []*dialRow }

func (b *Board) Each(use func(*dial)) {
	for _, row := range b.rows {
		row.mu.RLock()
		for _, d := range row.dials {
			use(d)
		}
		row.mu.RUnlock()
	}
}

func (b *Board) Add(i int, name string) {
	row := b.rows[i]
	row.mu.Lock()
	defer row.mu.Unlock()
	row.dials[name] = &dial{}
}

// What the loop goes through never changes: the lock is for the elements.
func (b *Board) Turn(i int) {
	row := b.rows[i]
	for _, d := range row.fixed {
		row.mu.Lock()
		d.value++
		row.mu.Unlock()
	}
}
