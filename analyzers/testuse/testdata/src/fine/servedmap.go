package fine

import "sync"

// harvest walks its results after the workers have ended.
type harvest struct {
	mu      sync.Mutex
	results map[string]int
	ended   chan struct{}
	expired chan struct{}
}

func Reap(names []string) *harvest {
	h := &harvest{results: map[string]int{}, ended: make(chan struct{}), expired: make(chan struct{})}
	go h.work(names)
	return h
}

func (h *harvest) work(names []string) {
	for _, n := range names {
		h.mu.Lock()
		h.results[n]++
		h.mu.Unlock()
	}
	close(h.ended)
}

// Sum waits for those who fill the map, and for nobody else.
func (h *harvest) Sum() int {
	sum := 0
	select {
	case <-h.ended:
		h.mu.Lock()
		results := h.results
		h.mu.Unlock()
		for _, n := range results {
			sum += n
		}
	case <-h.expired:
	}
	return sum
}
