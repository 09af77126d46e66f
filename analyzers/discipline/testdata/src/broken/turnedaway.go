package broken

import (
	"sync"
	"time"
)

type page struct {
	key  string
	data []byte
	till time.Time
}

func (p *page) wipe() {
	p.key = ""
	p.data = p.data[:0]
}

// Pages reuses the memory of pages that are over.
type Pages struct {
	pool sync.Pool
	mu   sync.Mutex
	all  map[string]*page
}

func (p *Pages) Put(key string, data []byte) {
	x := p.pool.Get().(*page)
	x.key = key
	x.data = append(x.data, data...)
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.all[key]; ok {
		p.drop(old)
	}
	p.all[key] = x
}

func (p *Pages) drop(x *page) {
	delete(p.all, x.key)
	x.wipe()
	p.pool.Put(x)
}

func (p *Pages) Copy(dst []byte, key string) []byte {
	p.mu.Lock()
	x, ok := p.all[key]
	if ok && time.Now().After(x.till) {
		p.drop(x)
		ok = false
	}
	p.mu.Unlock()
	if !ok {
		return dst
	}
	return append(dst, x.data...) // want `x.data is read here after p.mu was released, under which it was found in p.all: \(\*page\).wipe changes it with the lock held`
}

// Take has what it has dropped for itself.
func (p *Pages) Take(key string) []byte {
	p.mu.Lock()
	x, ok := p.all[key]
	if ok {
		delete(p.all, key)
	}
	p.mu.Unlock()
	if !ok {
		return nil
	}
	return append([]byte(nil), x.data...)
}
