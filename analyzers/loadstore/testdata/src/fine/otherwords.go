package fine

import "sync"

// Errands has an object for each goroutine, which counts for itself.
type Errands struct{ list []string }

type errand struct{ steps int }

func (e *errand) step() { e.steps++ }

func (e *Errands) Run(do func(string) error) {
	var wg sync.WaitGroup
	for _, to := range e.list {
		mine := &errand{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := do(to); err != nil {
				mine.step()
			}
		}()
	}
	wg.Wait()
}
