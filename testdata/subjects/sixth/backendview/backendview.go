// Package backendview knows the healthy backends of every service and
// publishes them.
package backendview

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"maps"
	"sync"
	"time"
)

type Health struct {
	Up    bool
	Since time.Time
	Fails int
}

type Prober interface {
	Probe(ctx context.Context, service, addr string) error
}

type Pool struct {
	prober Prober

	viewMu   sync.RWMutex
	services map[string]map[string]Health
}

func NewPool(ctx context.Context, p Prober, every time.Duration, status io.Writer) *Pool {
	pool := &Pool{prober: p, services: make(map[string]map[string]Health)}
	go pool.every(ctx, every, func() { pool.probeAll(ctx) })
	go pool.every(ctx, every, func() {
		if err := pool.Publish(status); err != nil {
			log.Printf("backendview: publish: %v", err)
		}
	})
	return pool
}

func (p *Pool) every(ctx context.Context, d time.Duration, fn func()) {
	t := time.NewTicker(d)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			fn()
		}
	}
}

func (p *Pool) Register(service, addr string) {
	p.viewMu.Lock()
	defer p.viewMu.Unlock()
	svc := p.services[service]
	if svc == nil {
		svc = make(map[string]Health)
		p.services[service] = svc
	}
	if _, ok := svc[addr]; !ok {
		svc[addr] = Health{Since: time.Now()}
	}
}

func (p *Pool) SetHealth(service, addr string, up bool) {
	p.viewMu.Lock()
	defer p.viewMu.Unlock()
	h, ok := p.services[service][addr]
	if !ok {
		return
	}
	if h.Up != up {
		h.Since = time.Now()
	}
	h.Up = up
	if up {
		h.Fails = 0
	} else {
		h.Fails++
	}
	p.services[service][addr] = h
}

// Healthy returns the backends of a service by address.
func (p *Pool) Healthy(service string) map[string]Health {
	p.viewMu.RLock()
	defer p.viewMu.RUnlock()
	svc := p.services[service]
	for _, h := range svc {
		if h.Up {
			return svc
		}
	}
	return nil
}

func (p *Pool) names() []string {
	p.viewMu.RLock()
	defer p.viewMu.RUnlock()
	out := make([]string, 0, len(p.services))
	for s := range p.services {
		out = append(out, s)
	}
	return out
}

func (p *Pool) probeAll(ctx context.Context) {
	for _, s := range p.names() {
		p.viewMu.RLock()
		addrs := maps.Clone(p.services[s])
		p.viewMu.RUnlock()
		for a := range addrs {
			p.SetHealth(s, a, p.prober.Probe(ctx, s, a) == nil)
		}
	}
}

// Publish writes the healthy addresses of all services as one JSON line.
func (p *Pool) Publish(w io.Writer) error {
	view := make(map[string][]string)
	for _, s := range p.names() {
		for addr, h := range p.Healthy(s) {
			if h.Up {
				view[s] = append(view[s], addr)
			}
		}
	}
	return json.NewEncoder(w).Encode(view)
}
