package peerlatency

import (
	"math"
	"sync/atomic"
	"time"
)

const decay = 0.2

type ewma struct {
	bits atomic.Uint64
}

func (e *ewma) observe(sample float64) {
	prev := math.Float64frombits(e.bits.Load())
	next := sample
	if prev != 0 {
		next = prev + decay*(sample-prev)
	}
	e.bits.Store(math.Float64bits(next))
}

func (e *ewma) value() float64 { return math.Float64frombits(e.bits.Load()) }

type Peer struct {
	ID  string
	rtt ewma
}

func NewPeer(id string) *Peer { return &Peer{ID: id} }

type Transport interface {
	Ping(id string) error
}

func (p *Peer) Probe(t Transport) error {
	start := time.Now()
	if err := t.Ping(p.ID); err != nil {
		return err
	}
	p.rtt.observe(float64(time.Since(start)) / float64(time.Millisecond))
	return nil
}

func ProbeAll(peers []*Peer, t Transport, rounds int) {
	for _, p := range peers {
		for i := 0; i < rounds; i++ {
			go p.Probe(t)
		}
	}
}

func (p *Peer) RTT() time.Duration {
	return time.Duration(p.rtt.value() * float64(time.Millisecond))
}
