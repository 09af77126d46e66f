package fine

import (
	"context"
	"sync"
)

// What is fetched is stored only if nothing newer is there, or nobody else stores anything.

type Quote struct {
	Name    string
	Version int
}

type QuoteSource interface {
	Fetch(ctx context.Context, name string) (*Quote, error)
}

type Quotes struct {
	src QuoteSource

	mu     sync.Mutex
	latest map[string]*Quote
	cached map[string]*Quote
}

func NewQuotes(src QuoteSource) *Quotes {
	return &Quotes{src: src, latest: map[string]*Quote{}, cached: map[string]*Quote{}}
}

func (q *Quotes) Latest(ctx context.Context, name string) (*Quote, error) {
	q.mu.Lock()
	x := q.latest[name]
	q.mu.Unlock()
	if x != nil {
		return x, nil
	}
	x, err := q.src.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if cur := q.latest[name]; cur != nil && cur.Version >= x.Version {
		return cur, nil
	}
	q.latest[name] = x
	return x, nil
}

func (q *Quotes) Announce(x *Quote) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if cur := q.latest[x.Name]; cur == nil || cur.Version < x.Version {
		q.latest[x.Name] = x
	}
}

// Cached fills what nobody else stores.
func (q *Quotes) Cached(ctx context.Context, name string) (*Quote, error) {
	q.mu.Lock()
	x := q.cached[name]
	q.mu.Unlock()
	if x != nil {
		return x, nil
	}
	x, err := q.src.Fetch(ctx, name)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	q.cached[name] = x
	q.mu.Unlock()
	return x, nil
}
