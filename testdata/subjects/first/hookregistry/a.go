package hookregistry

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

type Hook interface {
	Run(ctx context.Context, event string) error
}

type HookFunc func(context.Context, string) error

func (f HookFunc) Run(ctx context.Context, ev string) error { return f(ctx, ev) }

type hookMap map[string][]Hook

type Registry struct {
	wmu   sync.Mutex
	hooks atomic.Value
}

func NewRegistry() *Registry {
	r := new(Registry)
	r.hooks.Store(hookMap{})
	return r
}

func (r *Registry) On(event string, h Hook) {
	r.wmu.Lock()
	defer r.wmu.Unlock()
	old := r.hooks.Load().(hookMap)
	next := make(hookMap, len(old)+1)
	for ev, hs := range old {
		next[ev] = hs
	}
	next[event] = append(append([]Hook(nil), old[event]...), h)
	r.hooks.Store(next)
}

func (r *Registry) Fire(ctx context.Context, event string) (err error) {
	for _, h := range r.hooks.Load().(hookMap)[event] {
		err = errors.Join(err, h.Run(ctx, event))
	}
	return err
}

func (r *Registry) Events() int { return len(r.hooks.Load().(hookMap)) }
