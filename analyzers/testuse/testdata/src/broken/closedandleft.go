package broken

import "sync"

// Loudspeakers are told until they are taken down.
type Loudspeakers struct {
	mu     sync.Mutex
	tubes  map[int]chan int
	silent bool
}

// TakeDown closes one and takes it out.
func (l *Loudspeakers) TakeDown(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if tube, ok := l.tubes[id]; ok {
		close(tube)
		delete(l.tubes, id)
	}
}

// Close leaves them all where they are.
func (l *Loudspeakers) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = true
	for _, tube := range l.tubes {
		close(tube) // want `tube is closed here and left in l.tubes, where \(\*Loudspeakers\).TakeDown finds it and closes it a second time`
	}
}

type pager struct{ done chan struct{} }

// Pagers have their channels in structs.
type Pagers struct {
	mu   sync.Mutex
	byID map[int]*pager
}

func (p *Pagers) Cancel(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pg, ok := p.byID[id]
	if !ok {
		return
	}
	close(pg.done)
	delete(p.byID, id)
}

func (p *Pagers) CancelAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pg := range p.byID {
		close(pg.done) // want `pg.done is closed here and left in`
	}
}

type siren struct {
	horn chan int
	loud bool
}

// Sirens are walked through by their names.
type Sirens struct {
	mu     sync.RWMutex
	byName map[string]*siren
	stop   chan struct{}
}

func (s *Sirens) Run(in <-chan int) {
	go func() {
		for v := range in {
			s.mu.RLock()
			for name := range s.byName {
				s.byName[name].horn <- v
			}
			s.mu.RUnlock()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for name := range s.byName {
			close(s.byName[name].horn) // want `s.byName\[name\].horn is closed here and left in s.byName, where \(\*Sirens\).Mount finds it and closes it a second time`
		}
	}()
}

// Mount puts another one in its place.
func (s *Sirens) Mount(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.byName[name]; ok {
		close(s.byName[name].horn)
	}
	s.byName[name] = &siren{horn: make(chan int)}
}
