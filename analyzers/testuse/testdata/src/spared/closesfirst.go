package spared

import "sync/atomic"

// A DrainedPool is waited for by one goroutine, as a second one panics where it closes the channel.
type DrainedPool struct {
	closing chan struct{}
	gone    chan struct{}
	workers atomic.Int64
}

func NewDrainedPool() *DrainedPool {
	p := &DrainedPool{closing: make(chan struct{}), gone: make(chan struct{})}
	for range 4 {
		p.workers.Add(1)
		go p.work()
	}
	return p
}

func (p *DrainedPool) work() {
	<-p.closing
	p.gone <- struct{}{}
}

func (p *DrainedPool) Drain() {
	close(p.closing)
	for {
		if p.workers.Load() == 0 {
			return
		}
		<-p.gone
		p.workers.Add(-1)
	}
}

// A DrippingPool closes the channel last.
type DrippingPool struct {
	closing chan struct{}
	workers atomic.Int64
}

func NewDrippingPool() *DrippingPool {
	p := &DrippingPool{closing: make(chan struct{})}
	p.workers.Add(4)
	go func() { <-p.closing }()
	return p
}

func (p *DrippingPool) Drain() {
	if p.workers.Load() > 0 { // want `p\.workers`
		p.workers.Add(-1)
		return
	}
}
