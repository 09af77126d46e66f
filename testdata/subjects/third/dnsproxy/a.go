package dnsproxy

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"
	"time"
)

type Resolver interface {
	Resolve(ctx context.Context, name string) (answer []string, cached bool, err error)
}

type Proxy struct {
	up      Resolver
	queries atomic.Int64
	hits    atomic.Int64
	errs    atomic.Int64
}

func New(ctx context.Context, up Resolver, report time.Duration) *Proxy {
	p := &Proxy{up: up}
	go func() {
		t := time.NewTicker(report)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				log.Print(p.Stats())
			}
		}
	}()
	return p
}

func (p *Proxy) Query(ctx context.Context, name string) ([]string, error) {
	p.queries.Add(1)
	ans, cached, err := p.up.Resolve(ctx, name)
	if err != nil {
		p.errs.Add(1)
		return nil, fmt.Errorf("query %s: %w", name, err)
	}
	if cached {
		p.hits.Add(1)
	}
	return ans, nil
}

func (p *Proxy) Stats() string {
	q := p.queries.Load()
	h := p.hits.Load()
	e := p.errs.Load()
	if q == 0 {
		return "dns: no queries"
	}
	return fmt.Sprintf("dns: %d queries, %.1f%% cached, %d errors", q, 100*float64(h)/float64(q), e)
}
