package fine

import "sync"

// Archive guards each change of its map but the last one, when those that it has started are over.
type Archive struct {
	mu    sync.Mutex
	pages map[int]string
	index map[int]int
}

func (a *Archive) Fill(texts []string) {
	var wg sync.WaitGroup
	for i, t := range texts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.mu.Lock()
			a.pages[i] = t
			a.mu.Unlock()
		}()
	}
	a.mu.Lock()
	a.pages[-1] = "title"
	a.mu.Unlock()
	wg.Wait()
	delete(a.pages, -2)
}

// Note is written by one goroutine, which takes the lock for what others look at.
func (a *Archive) Note(ids <-chan int) {
	for id := range ids {
		a.mu.Lock()
		a.index[id]++
		a.mu.Unlock()
	}
}

func (a *Archive) Notes(id int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.index[id]
}
