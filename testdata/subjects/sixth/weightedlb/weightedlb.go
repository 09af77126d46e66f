// Package weightedlb picks upstream peers by a weight that follows their
// observed latency and failure history.
package weightedlb

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

var ErrNoPeer = errors.New("weightedlb: no peer available")

type peer struct {
	addr     string
	weight   int
	failures int
	ewma     time.Duration
	seen     time.Time
}

// Scorer turns a peer's history into a weight between 1 and 100.
type Scorer func(ewma time.Duration, failures int) int

type Option func(*Balancer)

func WithScorer(fn Scorer) Option { return func(b *Balancer) { b.score = fn } }

func WithLogger(l *slog.Logger) Option { return func(b *Balancer) { b.log = l } }

type Balancer struct {
	score Scorer
	log   *slog.Logger

	guard sync.RWMutex
	peers map[string]peer
}

func New(opts ...Option) *Balancer {
	b := &Balancer{
		score: defaultScore,
		log:   slog.Default(),
		peers: make(map[string]peer),
	}
	for _, o := range opts {
		o(b)
	}
	return b
}

func defaultScore(ewma time.Duration, failures int) int {
	w := 100 - int(ewma/time.Millisecond)/10 - 15*failures
	return max(1, min(100, w))
}

func (b *Balancer) Add(addr string) {
	b.guard.Lock()
	defer b.guard.Unlock()
	if _, dup := b.peers[addr]; dup {
		return
	}
	b.peers[addr] = peer{addr: addr, weight: 50, seen: time.Now()}
}

func (b *Balancer) Remove(addr string) {
	b.guard.Lock()
	delete(b.peers, addr)
	b.guard.Unlock()
}

// Pick returns the address of a peer, drawn in proportion to its weight.
func (b *Balancer) Pick() (string, error) {
	b.guard.RLock()
	defer b.guard.RUnlock()
	total := 0
	for _, p := range b.peers {
		total += p.weight
	}
	if total == 0 {
		return "", ErrNoPeer
	}
	n := rand.IntN(total)
	for addr, p := range b.peers {
		if n -= p.weight; n < 0 {
			return addr, nil
		}
	}
	return "", ErrNoPeer
}

// Report feeds the outcome of one request back into the peer's weight.
func (b *Balancer) Report(addr string, took time.Duration, err error) {
	b.guard.RLock()
	p, ok := b.peers[addr]
	b.guard.RUnlock()
	if !ok {
		return
	}

	switch {
	case err != nil:
		p.failures++
	case p.failures > 0:
		p.failures--
	}
	if p.ewma == 0 {
		p.ewma = took
	} else {
		p.ewma = (p.ewma*7 + took) / 8
	}
	old := p.weight
	p.weight = b.score(p.ewma, p.failures)
	p.seen = time.Now()
	if d := old - p.weight; d > 20 || d < -20 {
		b.log.Info("peer weight moved", "peer", addr, "from", old, "to", p.weight, "err", err)
	}

	b.guard.Lock()
	b.peers[addr] = p
	b.guard.Unlock()
}
