package jwksource

import (
	"context"
	"fmt"
	"sync"
	"time"
)

type Keys map[string][]byte

type Remote interface {
	Keys(ctx context.Context, issuer string) (Keys, time.Duration, error)
}

type call struct {
	done chan struct{}
	keys Keys
	err  error
}

type cached struct {
	keys  Keys
	until time.Time
}

type KeySet struct {
	remote Remote

	mu       sync.Mutex
	cache    map[string]cached
	inflight map[string]*call
}

func New(r Remote) *KeySet {
	return &KeySet{remote: r, cache: map[string]cached{}, inflight: map[string]*call{}}
}

func (k *KeySet) fetch(ctx context.Context, issuer string) (Keys, error) {
	k.mu.Lock()
	if c, ok := k.cache[issuer]; ok && time.Now().Before(c.until) {
		k.mu.Unlock()
		return c.keys, nil
	}
	if c, ok := k.inflight[issuer]; ok {
		k.mu.Unlock()
		select {
		case <-c.done:
			return c.keys, c.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	c := &call{done: make(chan struct{})}
	k.inflight[issuer] = c
	k.mu.Unlock()

	var ttl time.Duration
	c.keys, ttl, c.err = k.remote.Keys(context.WithoutCancel(ctx), issuer)

	k.mu.Lock()
	if c.err == nil {
		k.cache[issuer] = cached{c.keys, time.Now().Add(ttl)}
	}
	delete(k.inflight, issuer)
	k.mu.Unlock()
	close(c.done)
	return c.keys, c.err
}

func (k *KeySet) Key(ctx context.Context, issuer, kid string) ([]byte, error) {
	keys, err := k.fetch(ctx, issuer)
	if err != nil {
		return nil, err
	}
	if b, ok := keys[kid]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("issuer %s: no key %q", issuer, kid)
}
