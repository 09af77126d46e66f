package inflightgate

import (
	"expvar"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

type Option func(*Gate)

func RetryAfter(d time.Duration) Option {
	return func(g *Gate) { g.retryAfter = strconv.Itoa(int(d.Seconds())) }
}

func Bypass(match func(*http.Request) bool) Option {
	return func(g *Gate) { g.bypass = match }
}

// Gate is middleware that sheds requests beyond a number in flight.
type Gate struct {
	max        int64
	retryAfter string
	bypass     func(*http.Request) bool

	running atomic.Int64
	peak    atomic.Int64
	shed    atomic.Uint64
}

func New(max int64, opts ...Option) *Gate {
	g := &Gate{max: max, retryAfter: "1", bypass: func(*http.Request) bool { return false }}
	for _, o := range opts {
		o(g)
	}
	return g
}

func (g *Gate) enter() bool {
	if g.running.Load() >= g.max {
		g.shed.Add(1)
		return false
	}
	n := g.running.Add(1)
	g.observe(n)
	return true
}

func (g *Gate) observe(n int64) {
	for {
		p := g.peak.Load()
		if n <= p || g.peak.CompareAndSwap(p, n) {
			return
		}
	}
}

func (g *Gate) leave() { g.running.Add(-1) }

func (g *Gate) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.bypass(r) {
			next.ServeHTTP(w, r)
			return
		}
		if !g.enter() {
			w.Header().Set("Retry-After", g.retryAfter)
			http.Error(w, "overloaded", http.StatusServiceUnavailable)
			return
		}
		defer g.leave()
		next.ServeHTTP(w, r)
	})
}

// Publish exports the counters under /debug/vars.
func (g *Gate) Publish(prefix string) {
	export := func(name string, f func() any) {
		expvar.Publish(prefix+"."+name, expvar.Func(f))
	}
	export("running", func() any { return g.running.Load() })
	export("peak", func() any { return g.peak.Load() })
	export("shed", func() any { return g.shed.Load() })
}
