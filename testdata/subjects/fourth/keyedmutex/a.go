package keyedmutex

import (
	"context"
	"sync"
)

type Group struct {
	locks sync.Map
}

func (g *Group) get(key string) *sync.Mutex {
	if v, ok := g.locks.Load(key); ok {
		return v.(*sync.Mutex)
	}
	v, _ := g.locks.LoadOrStore(key, new(sync.Mutex))
	return v.(*sync.Mutex)
}

func (g *Group) Do(key string, fn func() error) error {
	mu := g.get(key)
	mu.Lock()
	defer mu.Unlock()
	return fn()
}

type Repo interface {
	Fetch(ctx context.Context, url string) error
	Checkout(ctx context.Context, url, rev string) error
}

type Syncer struct {
	group Group
	repo  Repo
}

func NewSyncer(r Repo) *Syncer { return &Syncer{repo: r} }

func (s *Syncer) Sync(ctx context.Context, url, rev string) error {
	return s.group.Do(url, func() error {
		if err := s.repo.Fetch(ctx, url); err != nil {
			return err
		}
		return s.repo.Checkout(ctx, url, rev)
	})
}
