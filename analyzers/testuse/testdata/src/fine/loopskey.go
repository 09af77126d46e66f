package fine

import (
	"sync"
)

// checkShelves has a goroutine for each shelf, which looks at its own entry alone.
func checkShelves(shelves map[string][]string, check func([]string) error) map[string]bool {
	var (
		mu  sync.Mutex
		wg  sync.WaitGroup
		bad = map[string]bool{}
	)
	for name, books := range shelves {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			known := bad[name]
			mu.Unlock()
			if known {
				return
			}
			if err := check(books); err != nil {
				mu.Lock()
				bad[name] = true
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return bad
}
