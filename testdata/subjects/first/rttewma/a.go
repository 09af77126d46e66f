package rttewma

import (
	"math"
	"net"
	"sync/atomic"
	"time"
)

const alpha = 0.125

type Backend struct {
	Addr string
	srtt atomic.Uint64
	down atomic.Bool
}

type Balancer struct {
	backends []*Backend
}

func NewBalancer(addrs ...string) *Balancer {
	b := &Balancer{}
	for _, a := range addrs {
		b.backends = append(b.backends, &Backend{Addr: a})
	}
	return b
}

func (b *Backend) Observe(rtt time.Duration) {
	prev := math.Float64frombits(b.srtt.Load())
	cur := rtt.Seconds()
	if prev != 0 {
		cur = (1-alpha)*prev + alpha*cur
	}
	b.srtt.Store(math.Float64bits(cur))
}

func (b *Backend) SRTT() float64 {
	return math.Float64frombits(b.srtt.Load())
}

func (b *Balancer) Pick() *Backend {
	var best *Backend
	score := math.Inf(1)
	for _, be := range b.backends {
		if be.down.Load() {
			continue
		}
		if s := be.SRTT(); s < score {
			best, score = be, s
		}
	}
	return best
}

func (b *Balancer) Dial(timeout time.Duration) (net.Conn, error) {
	be := b.Pick()
	if be == nil {
		return nil, net.ErrClosed
	}
	start := time.Now()
	c, err := net.DialTimeout("tcp", be.Addr, timeout)
	if err != nil {
		be.down.Store(true)
		return nil, err
	}
	be.Observe(time.Since(start))
	return c, nil
}
