package dbpools

import (
	"errors"
	"fmt"
	"io"
	"sync"
)

// Pools keeps one open handle per shard.
type Pools[K comparable, V io.Closer] struct {
	open  func(K) (V, error)
	guard sync.RWMutex
	byKey map[K]V
}

func NewPools[K comparable, V io.Closer](open func(K) (V, error)) *Pools[K, V] {
	return &Pools[K, V]{open: open, byKey: make(map[K]V)}
}

func (p *Pools[K, V]) read(fn func()) {
	p.guard.RLock()
	defer p.guard.RUnlock()
	fn()
}

func (p *Pools[K, V]) write(fn func()) {
	p.guard.Lock()
	defer p.guard.Unlock()
	fn()
}

func (p *Pools[K, V]) Get(key K) (v V, err error) {
	var found bool
	p.read(func() { v, found = p.byKey[key] })
	if !found {
		if v, err = p.open(key); err != nil {
			return v, fmt.Errorf("open %v: %w", key, err)
		}
		p.write(func() { p.byKey[key] = v })
	}
	return v, nil
}

func (p *Pools[K, V]) CloseAll() error {
	var errs []error
	p.write(func() {
		for k, v := range p.byKey {
			errs = append(errs, v.Close())
			delete(p.byKey, k)
		}
	})
	return errors.Join(errs...)
}
