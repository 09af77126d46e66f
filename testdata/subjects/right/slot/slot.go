// Package slot runs one search at a time.
package slot

import (
	"sync"
	"sync/atomic"
)

// Index is searched in the background.
type Index struct {
	mu    sync.Mutex
	rows  []string
	slot  chan struct{}
	depth atomic.Int64
	last  int
}

// New makes one.
func New(rows []string) *Index { return &Index{rows: rows, slot: make(chan struct{}, 1)} }

// Find begins a search. Right: the slot is filled here and emptied by the search, so that there
// is one at a time, and depth and last are its own.
func (x *Index) Find(s string) <-chan string {
	x.slot <- struct{}{}
	found := make(chan string, 1)
	go func() { found <- x.search(s) }()
	return found
}

func (x *Index) search(s string) string {
	defer func() { <-x.slot }()
	for {
		d := x.depth.Load()
		x.depth.Store(d + 1)
		x.last++
		r := x.row(x.last)
		if r == "" || r == s {
			x.depth.Store(0)
			return r
		}
	}
}

func (x *Index) row(i int) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.rows[i%len(x.rows)]
}

// Add puts one in.
func (x *Index) Add(s string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rows = append(x.rows, s)
}

// Depth is for others to look at.
func (x *Index) Depth() int64 { return x.depth.Load() }
