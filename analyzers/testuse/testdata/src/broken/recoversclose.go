package broken

import "sync"

// A RecoversPool does not recover.
type RecoversPool struct {
	mu    sync.Mutex
	conns chan string
	size  int
}

func (p *RecoversPool) Close() error {
	defer func() { p.size = 0 }()
	close(p.conns) // want `p.conns is closed without a look whether it is closed already: a second call panics`
	return nil
}

func (p *RecoversPool) Size() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.size
}
