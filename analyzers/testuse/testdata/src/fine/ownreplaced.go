package fine

import "sync"

type plate struct {
	ready chan struct{}
	text  string
	err   error
}

// Plates makes each plate once, and takes away its own alone.
type Plates struct {
	mu  sync.Mutex
	all map[string]*plate
}

func (s *Plates) Plate(name string, render func(string) (string, error)) (string, error) {
	s.mu.Lock()
	if at := s.all[name]; at != nil {
		s.mu.Unlock()
		<-at.ready
		return at.text, at.err
	}
	at := &plate{ready: make(chan struct{})}
	s.all[name] = at
	s.mu.Unlock()
	at.text, at.err = render(name)
	close(at.ready)
	if at.err != nil {
		s.mu.Lock()
		if s.all[name] == at {
			delete(s.all, name)
		}
		s.mu.Unlock()
	}
	return at.text, at.err
}

func (s *Plates) Put(name, text string) {
	ready := make(chan struct{})
	close(ready)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[name] = &plate{ready: ready, text: text}
}

// Biddings has each once: who puts another one there asks first.
type Biddings struct {
	mu  sync.Mutex
	all map[string]*plate
}

func (o *Biddings) Offer(name string, render func(string) (string, error)) (string, error) {
	o.mu.Lock()
	if at := o.all[name]; at != nil {
		o.mu.Unlock()
		<-at.ready
		return at.text, at.err
	}
	at := &plate{ready: make(chan struct{})}
	o.all[name] = at
	o.mu.Unlock()
	at.text, at.err = render(name)
	close(at.ready)
	if at.err != nil {
		o.mu.Lock()
		delete(o.all, name)
		o.mu.Unlock()
	}
	return at.text, at.err
}

func (o *Biddings) Put(name, text string) bool {
	ready := make(chan struct{})
	close(ready)
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, there := o.all[name]; there {
		return false
	}
	o.all[name] = &plate{ready: ready, text: text}
	return true
}
