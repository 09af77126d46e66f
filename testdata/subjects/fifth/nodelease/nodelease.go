// Package nodelease keeps leases on named nodes alive while their owner runs.
package nodelease

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

var ErrNotHeld = errors.New("nodelease: lease not held")

// Lease is one grant made by the backend.
type Lease struct {
	ID       string
	Token    int64
	Expires  time.Time
	Renewals int
}

type Backend interface {
	Grant(ctx context.Context, id, owner string) (Lease, error)
	Extend(ctx context.Context, id string, token int64) (time.Time, error)
	Drop(ctx context.Context, id string, token int64) error
}

type Option func(*Keeper)

func WithInterval(d time.Duration) Option { return func(k *Keeper) { k.interval = d } }

func OnLost(fn func(id string)) Option { return func(k *Keeper) { k.onLost = fn } }

// Keeper renews every lease it holds until the context given to New ends.
type Keeper struct {
	owner    string
	backend  Backend
	interval time.Duration
	onLost   func(id string)

	lk   sync.Mutex
	held map[string]Lease
}

func New(ctx context.Context, owner string, b Backend, opts ...Option) *Keeper {
	k := &Keeper{owner: owner, backend: b, interval: 5 * time.Second, held: make(map[string]Lease)}
	for _, o := range opts {
		o(k)
	}
	go k.run(ctx)
	return k
}

func (k *Keeper) Acquire(ctx context.Context, id string) error {
	l, err := k.backend.Grant(ctx, id, k.owner)
	if err != nil {
		return fmt.Errorf("grant %s: %w", id, err)
	}
	k.lk.Lock()
	defer k.lk.Unlock()
	k.held[id] = l
	return nil
}

// Release gives the lease back; Owns reports false from then on.
func (k *Keeper) Release(ctx context.Context, id string) error {
	k.lk.Lock()
	l, ok := k.held[id]
	delete(k.held, id)
	k.lk.Unlock()
	if !ok {
		return ErrNotHeld
	}
	return k.backend.Drop(ctx, l.ID, l.Token)
}

func (k *Keeper) Owns(id string) bool {
	k.lk.Lock()
	defer k.lk.Unlock()
	l, ok := k.held[id]
	return ok && time.Now().Before(l.Expires)
}

func (k *Keeper) run(ctx context.Context) {
	t := time.NewTicker(k.interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		for _, id := range k.ids() {
			if err := k.renew(ctx, id); err != nil {
				slog.Warn("lease renewal failed", "id", id, "err", err)
			}
		}
	}
}

func (k *Keeper) ids() []string {
	k.lk.Lock()
	defer k.lk.Unlock()
	out := make([]string, 0, len(k.held))
	for id := range k.held {
		out = append(out, id)
	}
	return out
}

func (k *Keeper) renew(ctx context.Context, id string) error {
	k.lk.Lock()
	l, ok := k.held[id]
	k.lk.Unlock()
	if !ok {
		return nil
	}

	rctx, cancel := context.WithTimeout(ctx, k.interval/2)
	defer cancel()
	exp, err := k.backend.Extend(rctx, l.ID, l.Token)
	if err != nil {
		k.forget(id, l.Token)
		return err
	}
	l.Expires = exp
	l.Renewals++

	k.lk.Lock()
	k.held[id] = l
	k.lk.Unlock()
	return nil
}

func (k *Keeper) forget(id string, token int64) {
	k.lk.Lock()
	cur, ok := k.held[id]
	gone := ok && cur.Token == token
	if gone {
		delete(k.held, id)
	}
	k.lk.Unlock()
	if gone && k.onLost != nil {
		k.onLost(id)
	}
}
