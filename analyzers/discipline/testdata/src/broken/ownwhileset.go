package broken

import "sync"

// Pump can be stopped, and started anew, before the last goroutine is done.
type Pump struct {
	mu    sync.Mutex
	water []string
	ready chan struct{}
}

func (p *Pump) Start(fetch func() []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready != nil {
		return
	}
	p.ready = make(chan struct{})
	go p.draw(fetch)
}

func (p *Pump) draw(fetch func() []string) {
	for range 3 {
		got := fetch()
		p.mu.Lock()
		p.water = append(p.water, got...)
		p.mu.Unlock()
		p.ready <- struct{}{} // want `p.ready is accessed here without the lock that all other functions hold for it: p.mu in \(\*Pump\).Start`
	}
	p.mu.Lock()
	p.ready = nil
	p.mu.Unlock()
}

func (p *Pump) Stop() {
	p.mu.Lock()
	p.ready = nil
	p.mu.Unlock()
}

func (p *Pump) Ready() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ready
}

// Well starts a goroutine each time.
type Well struct {
	mu    sync.Mutex
	water []string
	ready chan struct{}
}

func (w *Well) Fill(fetch func() []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ready = make(chan struct{})
	go w.fill(fetch)
}

func (w *Well) fill(fetch func() []string) {
	for range 3 {
		got := fetch()
		w.mu.Lock()
		w.water = append(w.water, got...)
		w.mu.Unlock()
		w.ready <- struct{}{} // want `w.ready is accessed here without the lock that all other functions hold for it: w.mu in \(\*Well\).Fill`
	}
	w.mu.Lock()
	w.ready = nil
	w.mu.Unlock()
}

func (w *Well) Ready() chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ready
}

// Spring says that it is done before it is.
type Spring struct {
	mu    sync.Mutex
	water []string
	ready chan struct{}
}

func (s *Spring) Fill(fetch func() []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready != nil {
		return
	}
	s.ready = make(chan struct{})
	go s.fill(fetch)
}

func (s *Spring) fill(fetch func() []string) {
	for range 3 {
		got := fetch()
		s.mu.Lock()
		s.water = append(s.water, got...)
		if len(got) == 0 {
			s.ready = nil
		}
		s.mu.Unlock()
		s.ready <- struct{}{} // want `s.ready is accessed here without the lock that all other functions hold for it: s.mu in \(\*Spring\).Fill`
	}
}

func (s *Spring) Ready() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}
