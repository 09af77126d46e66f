package broken

import "sync"

// A Hydrant has a flag for its end, and no lock.
type Hydrant struct {
	closed  bool
	closing chan struct{}
	wg      sync.WaitGroup
}

func NewHydrant() *Hydrant { return &Hydrant{closing: make(chan struct{})} }

func (h *Hydrant) Flow(in <-chan int) <-chan int {
	out := make(chan int)
	h.wg.Add(1)
	go func() {
		defer h.wg.Done()
		defer close(out)
		for {
			select {
			case x := <-in:
				out <- x
			case <-h.closing:
				return
			}
		}
	}()
	return out
}

func (h *Hydrant) Close() error {
	if h.closed { // want `two goroutines can both pass the test of h.closed and close h.closing twice`
		return nil
	}
	h.closed = true
	close(h.closing)
	h.wg.Wait()
	return nil
}
