package endpointwatch

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

type Lookup func(ctx context.Context, service string) ([]string, error)

type UpdateFunc func(endpoints []string)

type service struct {
	name string
	subs map[int]UpdateFunc
	stop context.CancelFunc
}

// Resolver polls the endpoints of the services that somebody asked for.
type Resolver struct {
	lookup Lookup
	period time.Duration

	mu       sync.RWMutex
	services map[string]*service
	lastSub  int
}

func NewResolver(l Lookup, period time.Duration) *Resolver {
	return &Resolver{lookup: l, period: period, services: make(map[string]*service)}
}

func (r *Resolver) begin(name string) *service {
	ctx, stop := context.WithCancel(context.Background())
	s := &service{name: name, subs: make(map[int]UpdateFunc), stop: stop}
	r.mu.Lock()
	r.services[name] = s
	r.mu.Unlock()
	go r.poll(ctx, name)
	return s
}

// Watch calls fn with the endpoints after every poll, until the returned
// function is called.
func (r *Resolver) Watch(name string, fn UpdateFunc) (cancel func()) {
	r.mu.RLock()
	s, ok := r.services[name]
	r.mu.RUnlock()
	if !ok {
		s = r.begin(name)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastSub++
	id := r.lastSub
	s.subs[id] = fn
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(s.subs, id)
	}
}

func (r *Resolver) poll(ctx context.Context, name string) {
	t := time.NewTicker(r.period)
	defer t.Stop()
	for {
		eps, err := r.lookup(ctx, name)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			slog.Warn("lookup failed", "service", name, "err", err)
		default:
			slices.Sort(eps)
			r.notify(name, slices.Compact(eps))
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

func (r *Resolver) notify(name string, eps []string) {
	var fns []UpdateFunc
	r.mu.RLock()
	if s, ok := r.services[name]; ok {
		for _, fn := range s.subs {
			fns = append(fns, fn)
		}
	}
	r.mu.RUnlock()
	for _, fn := range fns {
		fn(slices.Clone(eps))
	}
}

// Close ends all polling.
func (r *Resolver) Close() {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.services {
		s.stop()
	}
}
