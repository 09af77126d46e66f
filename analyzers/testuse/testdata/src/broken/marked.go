package broken

import (
	"sync"
	"sync/atomic"
)

// Highest keeps the greatest number of each name.
type Highest struct{ numbers sync.Map }

func (h *Highest) Raise(name string, n uint64) {
	if old, loaded := h.numbers.LoadOrStore(name, n); loaded && n > old.(uint64) { // want `two goroutines can both pass the test of h.numbers\[name\] and both set it: LoadOrStore and Store are two operations`
		h.numbers.Store(name, n)
	}
}

// Foundlings are told of once each.
type Foundlings struct {
	seen  sync.Map
	count atomic.Int64
	out   chan string
}

func (f *Foundlings) Found(name string) {
	if _, ok := f.seen.Load(name); ok { // want `two goroutines can both pass the test of f.seen\[name\] and both set it: Load and Store are two operations`
		return
	}
	f.count.Add(1)
	f.out <- name
	f.seen.Store(name, struct{}{})
}

// Fastest waits for the first answer.
func Fastest(names []string, ask func(string) (string, error)) string {
	var mu sync.Mutex
	best := ""
	done := make(chan struct{})
	for _, name := range names {
		go func() {
			answer, err := ask(name)
			if err != nil {
				return
			}
			mu.Lock()
			won := best == "" // want `two goroutines can both pass the test of best and close done twice: mu is released in between`
			mu.Unlock()
			if won {
				mu.Lock()
				best = answer
				mu.Unlock()
				close(done)
			}
		}()
	}
	<-done
	mu.Lock()
	defer mu.Unlock()
	return best
}
