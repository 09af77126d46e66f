package broken

import "sync"

// Purses has a purse for each name, which is made when it is asked for.
type Purses struct {
	mu    sync.RWMutex
	named map[string]*purse
}

type purse struct {
	mu  sync.Mutex
	sum int
}

func (p *Purses) find(name string) *purse {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.named[name]
}

func (p *Purses) sew(name string) *purse {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.named[name] = &purse{}
	return p.named[name]
}

func (p *Purses) For(name string) *purse {
	if found := p.find(name); found != nil { // want `two goroutines can both pass the test of p.named \(in p.find\) and both set it`
		return found
	}
	return p.sew(name)
}

func (p *Purses) Pay(name string, n int) {
	to := p.For(name)
	to.mu.Lock()
	to.sum += n
	to.mu.Unlock()
}
