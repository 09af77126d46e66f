package auditbatch

import (
	"context"
	"sync/atomic"
)

type Shipper interface {
	Ship(ctx context.Context, kind string, n int64) error
}

type kindCounter struct {
	name    string
	pending atomic.Int64
	errs    atomic.Int64
}

type Auditor struct {
	sh    Shipper
	limit int64
	kinds map[string]*kindCounter
}

func NewAuditor(sh Shipper, limit int64, kinds ...string) *Auditor {
	a := &Auditor{sh: sh, limit: limit, kinds: make(map[string]*kindCounter, len(kinds))}
	for _, k := range kinds {
		a.kinds[k] = &kindCounter{name: k}
	}
	return a
}

func (a *Auditor) Observe(ctx context.Context, kind string) {
	k, ok := a.kinds[kind]
	if !ok {
		return
	}
	k.pending.Add(1)
	n := k.pending.Load()
	if n < a.limit {
		return
	}
	if err := a.sh.Ship(ctx, k.name, n); err != nil {
		k.errs.Add(1)
		return
	}
	k.pending.Store(0)
}

func (a *Auditor) Errors(kind string) int64 {
	if k := a.kinds[kind]; k != nil {
		return k.errs.Load()
	}
	return 0
}
