package fine

import (
	"context"
	"sync/atomic"
	"time"
)

// Rates keeps what its source has said last; Renew asks it again at any time.
type Rates struct {
	ask  func(ctx context.Context) (*rates, error)
	kept atomic.Pointer[rates]
	busy atomic.Bool
}

type rates struct{ at time.Time }

func (r *Rates) Renew(ctx context.Context) (*rates, error) {
	got, err := r.ask(ctx)
	if err != nil {
		return nil, err
	}
	r.kept.Store(got)
	return got, nil
}

func (r *Rates) Latest(ctx context.Context) (*rates, error) {
	got := r.kept.Load()
	if got == nil {
		return r.Renew(ctx)
	}
	if time.Since(got.at) > time.Minute {
		r.behind()
	}
	return got, nil
}

func (r *Rates) behind() {
	if r.busy.Swap(true) {
		return
	}
	go func() {
		defer r.busy.Store(false)
		r.Renew(context.Background())
	}()
}
