package fine

import (
	"sync"
	"sync/atomic"
)

// Answers has a goroutine for each name, which gives as many answers as there were questions.
type Answers struct {
	mu    sync.Mutex
	due   map[string]*tally
	out   chan string
	ended chan struct{}
}

type tally struct{ n int64 }

func (t *tally) add(by int64) { atomic.AddInt64(&t.n, by) }

func (t *tally) get() int64 { return atomic.LoadInt64(&t.n) }

func (a *Answers) Serve(names <-chan string) {
	for name := range names {
		a.mu.Lock()
		due, ok := a.due[name]
		if !ok {
			due = &tally{}
			a.due[name] = due
			go func() {
				for range a.ended {
					a.answer(name, due)
				}
			}()
		}
		due.add(1)
		a.mu.Unlock()
	}
}

func (a *Answers) answer(name string, due *tally) {
	for due.get() > 0 {
		select {
		case a.out <- name:
			due.add(-1)
		case <-a.ended:
			return
		}
	}
}
