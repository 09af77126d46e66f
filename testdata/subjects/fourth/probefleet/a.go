package probefleet

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

type probe struct {
	addr  string
	tries int
	rtt   time.Duration
}

func (p *probe) run(ctx context.Context) error {
	var d net.Dialer
	for p.tries < 3 {
		p.tries++
		start := time.Now()
		c, err := d.DialContext(ctx, "tcp", p.addr)
		if err == nil {
			p.rtt = time.Since(start)
			return c.Close()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return errors.New("unreachable: " + p.addr)
}

type Fleet struct {
	addrs []string
}

func NewFleet(addrs ...string) *Fleet { return &Fleet{addrs: addrs} }

func (f *Fleet) Probe(ctx context.Context) (map[string]time.Duration, error) {
	rtts := make([]time.Duration, len(f.addrs))
	errs := make([]error, len(f.addrs))
	var wg sync.WaitGroup
	for i, a := range f.addrs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := &probe{addr: a}
			errs[i] = p.run(ctx)
			rtts[i] = p.rtt
		}()
	}
	wg.Wait()
	out := make(map[string]time.Duration, len(f.addrs))
	for i, a := range f.addrs {
		if errs[i] == nil {
			out[a] = rtts[i]
		}
	}
	return out, errors.Join(errs...)
}
