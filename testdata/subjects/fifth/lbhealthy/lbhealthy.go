package lbhealthy

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

var ErrNoBackends = errors.New("lbhealthy: no healthy backend")

type Backend struct {
	Name   string
	Addr   string
	Weight int
}

type CheckFunc func(ctx context.Context, b Backend) bool

// Balancer picks among the backends that passed their last check.
type Balancer struct {
	all   []Backend
	check CheckFunc
	log   *slog.Logger
	turn  atomic.Uint32

	mu      sync.RWMutex
	healthy []Backend
}

func New(ctx context.Context, all []Backend, check CheckFunc, every time.Duration, log *slog.Logger) *Balancer {
	b := &Balancer{all: all, check: check, log: log}
	b.healthy = append(b.healthy, all...)
	go b.watch(ctx, every)
	return b
}

func (b *Balancer) watch(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			b.update(ctx)
		}
	}
}

func (b *Balancer) update(ctx context.Context) {
	ok := make([]bool, len(b.all))
	var wg sync.WaitGroup
	for i, be := range b.all {
		wg.Go(func() { ok[i] = b.check(ctx, be) })
	}
	wg.Wait()

	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.healthy)
	b.healthy = b.healthy[:0]
	for i, be := range b.all {
		if ok[i] {
			b.healthy = append(b.healthy, be)
		}
	}
	if len(b.healthy) != before {
		b.log.Info("backends changed", "healthy", len(b.healthy), "of", len(b.all))
	}
}

// Pick chooses a backend: by key when there is one, else in turn, heavier ones first.
func (b *Balancer) Pick(key string) (Backend, error) {
	b.mu.RLock()
	list := b.healthy
	b.mu.RUnlock()
	if len(list) == 0 {
		return Backend{}, ErrNoBackends
	}
	if key != "" {
		h := fnv.New32a()
		h.Write([]byte(key))
		return list[h.Sum32()%uint32(len(list))], nil
	}
	total := 0
	for _, be := range list {
		total += max(be.Weight, 1)
	}
	n := int(b.turn.Add(1)) % total
	for _, be := range list {
		if n -= max(be.Weight, 1); n < 0 {
			return be, nil
		}
	}
	return list[0], nil
}

// Healthy lists the names of the backends in rotation.
func (b *Balancer) Healthy() []string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	names := make([]string, len(b.healthy))
	for i, be := range b.healthy {
		names[i] = be.Name
	}
	return names
}
