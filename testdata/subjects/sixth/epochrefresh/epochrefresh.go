// Package epochrefresh resolves service names for RPC clients and refreshes
// them in the background.
package epochrefresh

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

var ErrNotFound = errors.New("epochrefresh: service not found")

type Lookup func(ctx context.Context, service string) ([]string, error)

type record struct {
	addrs   []string
	epoch   uint64
	pinned  bool
	fetched time.Time
}

type Resolver struct {
	lookup Lookup
	maxAge time.Duration
	log    *slog.Logger

	recMu   sync.Mutex
	records map[string]record
	epoch   uint64
}

func NewResolver(ctx context.Context, maxAge time.Duration, lookup Lookup, log *slog.Logger) *Resolver {
	r := &Resolver{lookup: lookup, maxAge: maxAge, log: log, records: make(map[string]record)}
	go r.loop(ctx)
	return r
}

// nextEpoch must be called with recMu held.
func (r *Resolver) nextEpoch() uint64 {
	r.epoch++
	return r.epoch
}

// Watch adds a service to those that are refreshed.
func (r *Resolver) Watch(service string) {
	r.recMu.Lock()
	defer r.recMu.Unlock()
	if _, ok := r.records[service]; !ok {
		r.records[service] = record{epoch: r.nextEpoch()}
	}
}

// Override pins the addresses of a service until Forget.
func (r *Resolver) Override(service string, addrs ...string) {
	r.recMu.Lock()
	defer r.recMu.Unlock()
	r.records[service] = record{
		addrs:   slices.Clone(addrs),
		epoch:   r.nextEpoch(),
		pinned:  true,
		fetched: time.Now(),
	}
}

func (r *Resolver) Forget(service string) {
	r.recMu.Lock()
	defer r.recMu.Unlock()
	delete(r.records, service)
}

func (r *Resolver) refresh(ctx context.Context, service string) error {
	r.recMu.Lock()
	rec, ok := r.records[service]
	r.recMu.Unlock()
	switch {
	case !ok:
		return ErrNotFound
	case rec.pinned, time.Since(rec.fetched) < r.maxAge:
		return nil
	}

	addrs, err := r.lookup(ctx, service)
	if err != nil {
		return err
	}
	slices.Sort(addrs)

	r.recMu.Lock()
	defer r.recMu.Unlock()
	if cur, ok := r.records[service]; !ok || cur.epoch != rec.epoch {
		r.log.Debug("stale answer dropped", "service", service)
		return nil
	}
	r.records[service] = record{addrs: addrs, epoch: r.nextEpoch(), fetched: time.Now()}
	return nil
}

func (r *Resolver) loop(ctx context.Context) {
	t := time.NewTicker(r.maxAge / 2)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		for _, s := range r.services() {
			if err := r.refresh(ctx, s); err != nil {
				r.log.Warn("refresh", "service", s, "err", err)
			}
		}
	}
}

func (r *Resolver) services() []string {
	r.recMu.Lock()
	defer r.recMu.Unlock()
	out := make([]string, 0, len(r.records))
	for s := range r.records {
		out = append(out, s)
	}
	return out
}

// Resolve returns the addresses of a service.
func (r *Resolver) Resolve(ctx context.Context, service string) ([]string, error) {
	r.Watch(service)
	if err := r.refresh(ctx, service); err != nil {
		return nil, err
	}
	r.recMu.Lock()
	defer r.recMu.Unlock()
	rec, ok := r.records[service]
	if !ok || len(rec.addrs) == 0 {
		return nil, ErrNotFound
	}
	return slices.Clone(rec.addrs), nil
}
