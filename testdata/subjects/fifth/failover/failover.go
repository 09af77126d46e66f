package failover

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

var ErrNoPrimary = errors.New("failover: no primary elected")

// Target is where a write goes; the replica rejects it when Epoch is not its own.
type Target struct {
	Addr  string
	Epoch uint64
}

type Prober func(ctx context.Context, addr string) error

type Router struct {
	log   *slog.Logger
	probe Prober

	mu       sync.RWMutex
	primary  string
	epoch    uint64
	replicas []string
}

func NewRouter(replicas []string, probe Prober, log *slog.Logger) *Router {
	return &Router{log: log, probe: probe, replicas: append([]string(nil), replicas...)}
}

// Route tells the target of the next write.
func (r *Router) Route() (Target, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.primary == "" {
		return Target{}, ErrNoPrimary
	}
	return Target{Addr: r.primary, Epoch: r.epoch}, nil
}

func (r *Router) setPrimary(addr string) (prev string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	prev, r.primary = r.primary, addr
	return prev
}

func (r *Router) setEpoch(e uint64) {
	r.mu.Lock()
	r.epoch = e
	r.mu.Unlock()
}

// Promote applies a decision of the coordinator.
func (r *Router) Promote(addr string, epoch uint64) {
	prev := r.setPrimary(addr)
	if prev != addr {
		r.log.Info("primary changed", "from", prev, "to", addr, "epoch", epoch)
	}
	r.setEpoch(epoch)
}

// Check probes all replicas and reports those that do not answer.
func (r *Router) Check(ctx context.Context) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	errs := make([]error, len(r.replicas))
	var wg sync.WaitGroup
	for i, addr := range r.replicas {
		wg.Go(func() { errs[i] = r.probe(ctx, addr) })
	}
	wg.Wait()
	down := make(map[string]error)
	for i, err := range errs {
		if err != nil {
			down[r.replicas[i]] = fmt.Errorf("probe: %w", err)
		}
	}
	return down
}
