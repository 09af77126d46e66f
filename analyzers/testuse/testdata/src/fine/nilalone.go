package fine

import "context"

import "sync"

// Bellows is stopped once.
type Bellows struct {
	mu    sync.Mutex
	n     int
	quit  chan struct{}
	ended sync.Once
}

// Start begins to work.
func (p *Bellows) Start() {
	p.quit = make(chan struct{})
	go func() {
		<-p.quit
		p.mu.Lock()
		p.n++
		p.mu.Unlock()
	}()
}

// Stop sets it to nil under the lock.
func (p *Bellows) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.quit != nil {
		close(p.quit)
		p.quit = nil
	}
}

// Bilge closes in a Once.
type Bilge struct {
	mu    sync.Mutex
	n     int
	quit  chan struct{}
	ended sync.Once
}

// Start begins to work.
func (p *Bilge) Start() {
	p.quit = make(chan struct{})
	go func() {
		<-p.quit
		p.mu.Lock()
		p.n++
		p.mu.Unlock()
	}()
}

// Stop closes once.
func (p *Bilge) Stop() {
	p.ended.Do(func() {
		if p.quit != nil {
			close(p.quit)
		}
	})
}

type hidden struct {
	mu   sync.Mutex
	quit chan struct{}
}

func newHidden() *hidden {
	h := &hidden{quit: make(chan struct{})}
	go func() { <-h.quit }()
	return h
}

// Stop is of a type that nobody else has.
func (h *hidden) Stop() {
	if h.quit != nil {
		close(h.quit)
	}
}

// Grotto returns at once where it was closed before.
type Grotto struct {
	drops chan int
	over  context.Context
	end   context.CancelFunc
}

func NewGrotto() *Grotto {
	g := &Grotto{drops: make(chan int)}
	g.over, g.end = context.WithCancel(context.Background())
	return g
}

// Next waits for a drop.
func (g *Grotto) Next() int { return <-g.drops }

// Close ends it.
func (g *Grotto) Close() {
	if g.drops != nil {
		select {
		case <-g.over.Done():
			return
		default:
		}
		close(g.drops)
		g.end()
	}
}
