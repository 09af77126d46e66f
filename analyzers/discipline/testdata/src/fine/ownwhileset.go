package fine

import "sync"

// Pump fetches in the background, by one goroutine at a time.
type Pump struct {
	mu    sync.Mutex
	water []string
	ready chan struct{}
}

// Draw starts the next one only when the last is done, which says so itself.
func (p *Pump) Draw(fetch func() []string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if p.ready == nil && len(p.water) < 2 {
			p.ready = make(chan struct{})
			go func() {
				for range 3 {
					got := fetch()
					if len(got) == 0 {
						continue
					}
					p.mu.Lock()
					p.water = append(p.water, got...)
					p.mu.Unlock()
					p.ready <- struct{}{}
				}
				p.mu.Lock()
				close(p.ready)
				p.ready = nil
				p.mu.Unlock()
			}()
		}
		if len(p.water) > 0 {
			w := p.water[0]
			p.water = p.water[1:]
			return w
		}
		ready := p.ready
		p.mu.Unlock()
		<-ready
		p.mu.Lock()
	}
}

// Well is the same, with a method.
type Well struct {
	mu    sync.Mutex
	water []string
	ready chan struct{}
}

func (w *Well) Fill(fetch func() []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ready != nil {
		return
	}
	w.ready = make(chan struct{})
	go w.fill(fetch)
}

func (w *Well) fill(fetch func() []string) {
	for range 3 {
		got := fetch()
		w.mu.Lock()
		w.water = append(w.water, got...)
		w.mu.Unlock()
		w.ready <- struct{}{}
	}
	w.mu.Lock()
	close(w.ready)
	w.ready = nil
	w.mu.Unlock()
}

func (w *Well) Ready() chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ready
}
