package fine

import "sync"

// Loudspeakers tell whoever comes afterwards.
type Loudspeakers struct {
	mu     sync.Mutex
	tubes  map[int]chan int
	silent bool
}

func (l *Loudspeakers) TakeDown(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.silent {
		return
	}
	if tube, ok := l.tubes[id]; ok {
		close(tube)
		delete(l.tubes, id)
	}
}

func (l *Loudspeakers) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = true
	for _, tube := range l.tubes {
		close(tube)
	}
}

type pager struct{ done chan struct{} }

// Pagers are all taken out.
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
		close(pg.done)
	}
	p.byID = nil
}
