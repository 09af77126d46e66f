package rpclimit

import (
	"net/http"
	"strconv"
	"sync/atomic"
)

type Limiter struct {
	inflight atomic.Int64
	rejected atomic.Int64
	max      int64
}

type Option func(*Limiter)

func WithMax(n int64) Option { return func(l *Limiter) { l.max = n } }

func New(opts ...Option) *Limiter {
	l := &Limiter{max: 128}
	for _, o := range opts {
		o(l)
	}
	return l
}

func (l *Limiter) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l.inflight.Load() >= l.max {
			l.rejected.Add(1)
			w.Header().Set("Retry-After", strconv.Itoa(1))
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
			return
		}
		l.inflight.Add(1)
		defer l.inflight.Add(-1)
		next.ServeHTTP(w, r)
	})
}

func (l *Limiter) Inflight() int64 { return l.inflight.Load() }

func (l *Limiter) Rejected() int64 { return l.rejected.Load() }
