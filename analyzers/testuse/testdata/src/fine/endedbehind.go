package fine

import "sync"

// oven has its methods for the one goroutine that made it: no exported interface names them.
type oven struct {
	mu     sync.Mutex
	dishes []string
	cold   bool
	off    chan struct{}
}

func (o *oven) Order(dish string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dishes = append(o.dishes, dish)
}

func (o *oven) Stop() {
	if o.cold {
		return
	}
	close(o.off)
	o.cold = true
}
