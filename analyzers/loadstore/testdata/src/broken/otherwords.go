package broken

import "sync"

// Errands counts in a function of its own what its goroutines do.
type Errands struct {
	list []string
	lost int
}

func (e *Errands) Run(do func(string) error) {
	var wg sync.WaitGroup
	for _, to := range e.list {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := do(to); err != nil {
				e.fails()
			}
		}()
	}
	wg.Wait()
}

func (e *Errands) fails() {
	e.lost++ // want `two goroutines can both read e.lost before either stores it`
}
