// Package upstreampick sends HTTP requests to the least loaded of a group of
// upstreams.
package upstreampick

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

var ErrAllBusy = errors.New("upstreampick: all upstreams busy")

type upstream struct {
	base     *url.URL
	limit    int
	inflight int
	penalty  time.Time
}

func (u *upstream) usable(now time.Time) bool {
	return u.inflight < u.limit && now.After(u.penalty)
}

type Group struct {
	transport http.RoundTripper

	pickMu sync.Mutex
	ups    []*upstream
	turn   int
}

func NewGroup(rt http.RoundTripper, limit int, bases ...string) (*Group, error) {
	if rt == nil {
		rt = http.DefaultTransport
	}
	g := &Group{transport: rt}
	for _, b := range bases {
		u, err := url.Parse(b)
		if err != nil {
			return nil, fmt.Errorf("upstreampick: %w", err)
		}
		g.ups = append(g.ups, &upstream{base: u, limit: limit})
	}
	return g, nil
}

// least returns the best upstream; g.pickMu is held.
func (g *Group) least(now time.Time) *upstream {
	var best *upstream
	for i := range g.ups {
		u := g.ups[(g.turn+i)%len(g.ups)]
		if !u.usable(now) {
			continue
		}
		if best == nil || u.inflight < best.inflight {
			best = u
		}
	}
	g.turn++
	return best
}

func (g *Group) acquire() (*upstream, error) {
	now := time.Now()
	g.pickMu.Lock()
	u := g.least(now)
	g.pickMu.Unlock()
	if u == nil {
		return nil, ErrAllBusy
	}
	u.inflight++
	return u, nil
}

func (g *Group) release(u *upstream, failed bool) {
	g.pickMu.Lock()
	defer g.pickMu.Unlock()
	u.inflight--
	if failed {
		u.penalty = time.Now().Add(5 * time.Second)
	}
}

// RoundTrip implements http.RoundTripper.
func (g *Group) RoundTrip(req *http.Request) (*http.Response, error) {
	u, err := g.waitFor(req.Context())
	if err != nil {
		return nil, err
	}
	out := req.Clone(req.Context())
	out.URL.Scheme = u.base.Scheme
	out.URL.Host = u.base.Host
	out.URL.Path = u.base.JoinPath(req.URL.Path).Path
	resp, err := g.transport.RoundTrip(out)
	g.release(u, err != nil && req.Context().Err() == nil)
	if err != nil {
		return nil, fmt.Errorf("upstream %s: %w", u.base.Host, err)
	}
	return resp, nil
}

func (g *Group) waitFor(ctx context.Context) (*upstream, error) {
	delay := time.NewTimer(0)
	defer delay.Stop()
	for try := 0; ; try++ {
		u, err := g.acquire()
		if err == nil || try == 5 {
			return u, err
		}
		delay.Reset(10 * time.Millisecond << try)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-delay.C:
		}
	}
}
