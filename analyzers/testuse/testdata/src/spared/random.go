package spared

import (
	"math/rand/v2"
	"strconv"
	"sync"
)

// Pending are requests that wait, under keys of their own.
type Pending struct {
	mu   sync.RWMutex
	wait map[string]chan int
	last int
}

func (p *Pending) Ask() chan int {
	var key string
	for {
		key = strconv.FormatUint(rand.Uint64(), 36)
		p.mu.RLock()
		_, ok := p.wait[key]
		p.mu.RUnlock()
		if !ok {
			break
		}
	}
	answer := make(chan int)
	p.mu.Lock()
	p.wait[key] = answer
	p.mu.Unlock()
	return answer
}

// Number looks for a free number, which others find, too.
func (p *Pending) Number(n int) chan int {
	var key string
	for {
		key = strconv.Itoa(n)
		p.mu.RLock()
		_, ok := p.wait[key] // want `two goroutines can both pass the test of p.wait\[key\] and both set it`
		p.mu.RUnlock()
		if !ok {
			break
		}
		n++
	}
	answer := make(chan int)
	p.mu.Lock()
	p.wait[key] = answer
	p.mu.Unlock()
	return answer
}

func (p *Pending) Answer(key string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answer, ok := p.wait[key]; ok {
		answer <- n
		delete(p.wait, key)
	}
}
