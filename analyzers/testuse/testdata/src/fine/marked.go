package fine

import (
	"log"
	"sync"
)

// Foundlings are logged once or twice.
type Foundlings struct{ seen sync.Map }

func (f *Foundlings) Found(name string) {
	if _, ok := f.seen.Load(name); ok {
		return
	}
	log.Println("found", name)
	f.seen.Store(name, struct{}{})
}

// Highest keeps the greatest number of each name.
type Highest struct{ numbers sync.Map }

func (h *Highest) Raise(name string, n uint64) {
	for {
		old, loaded := h.numbers.LoadOrStore(name, n)
		if !loaded || n <= old.(uint64) || h.numbers.CompareAndSwap(name, old, n) {
			return
		}
	}
}
