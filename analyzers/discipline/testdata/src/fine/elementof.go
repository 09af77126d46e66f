package fine

import "sync"

type colt struct {
	tired bool
	fed   int
}

// A Paddock's lock guards its colts once they are there.
type Paddock struct {
	mu    sync.RWMutex
	colts map[string]*colt
	wg    sync.WaitGroup
	stop  chan struct{}
}

func (p *Paddock) Next() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, c := range p.colts {
		if !c.tired {
			c.fed++
			return name
		}
	}
	return ""
}

func (p *Paddock) Rest(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.colts[name]; ok {
		c.tired = false
	}
}

func (p *Paddock) Tire(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c, ok := p.colts[name]; ok {
		c.tired = true
	}
}

// Start comes before all others.
func (p *Paddock) Start() {
	for _, c := range p.colts {
		c.tired = false
	}
	p.wg.Add(1)
	go func() {
		defer p.wg.Done()
		for {
			select {
			case <-p.stop:
				return
			default:
				p.Next()
			}
		}
	}()
}

func (p *Paddock) Close() {
	close(p.stop)
	p.wg.Wait()
	for _, c := range p.colts {
		c.tired = true
	}
}

func (p *Paddock) Copies() []*colt {
	var list []*colt
	p.mu.RLock()
	for _, c := range p.colts {
		list = append(list, &colt{c.tired, c.fed})
	}
	p.mu.RUnlock()
	for _, c := range list {
		c.fed = 0
	}
	return list
}
