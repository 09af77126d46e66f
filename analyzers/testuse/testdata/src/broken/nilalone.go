package broken

import "sync"

// Bellows may be started or not.
type Bellows struct {
	mu   sync.Mutex
	n    int
	quit chan struct{}
}

// Start begins to work.
func (p *Bellows) Start() {
	p.quit = make(chan struct{})
	go func() {
		for {
			select {
			case <-p.quit:
				return
			default:
				p.mu.Lock()
				p.n++
				p.mu.Unlock()
			}
		}
	}()
}

// Stop ends the goroutine.
func (p *Bellows) Stop() {
	if p.quit != nil { // want `p.quit is closed whenever it is not nil, and it is not set to nil: a second call closes it twice, and panics`
		close(p.quit)
	}
}

// Bilge does so by a method of its own.
type Bilge struct {
	mu   sync.Mutex
	n    int
	quit chan struct{}
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

func (p *Bilge) end() {
	if p.quit == nil { // want `p.quit is closed whenever it is not nil, and it is not set to nil: a second call closes it twice, and panics`
		return
	}
	close(p.quit)
}

// Close ends it.
func (p *Bilge) Close() error {
	p.end()
	return nil
}
