package clientcache

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

var ErrTooMany = errors.New("clientcache: too many upstreams")

// Upstream is an HTTP client bound to one base URL.
type Upstream struct {
	base    *url.URL
	hc      *http.Client
	created time.Time
}

func (u *Upstream) Get(path string) (*http.Response, error) {
	return u.hc.Get(u.base.JoinPath(path).String())
}

type Option func(*Clients)

func MaxUpstreams(n int) Option { return func(c *Clients) { c.limit = n } }

func Transport(f func() *http.Transport) Option { return func(c *Clients) { c.transport = f } }

// Clients shares one client, and thereby one connection pool, per upstream.
type Clients struct {
	limit     int
	transport func() *http.Transport

	lock sync.RWMutex
	byID map[string]*Upstream
}

func New(opts ...Option) *Clients {
	c := &Clients{
		limit:     256,
		transport: func() *http.Transport { return &http.Transport{MaxIdleConnsPerHost: 16} },
		byID:      make(map[string]*Upstream),
	}
	for _, o := range opts {
		o(c)
	}
	return c
}

// Get returns the client of an upstream and builds it on first use.
func (c *Clients) Get(raw string) (*Upstream, error) {
	c.lock.RLock()
	u, ok := c.byID[raw]
	c.lock.RUnlock()
	if ok {
		return u, nil
	}

	base, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("upstream: %w", err)
	}

	c.lock.Lock()
	defer c.lock.Unlock()
	if u, ok = c.byID[raw]; ok {
		return u, nil
	}
	if len(c.byID) >= c.limit {
		return nil, ErrTooMany
	}
	u = &Upstream{
		base:    base,
		hc:      &http.Client{Transport: c.transport(), Timeout: 15 * time.Second},
		created: time.Now(),
	}
	c.byID[raw] = u
	return u, nil
}

// Forget drops an upstream; requests in flight finish on its old connections.
func (c *Clients) Forget(raw string) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	u, ok := c.byID[raw]
	if ok {
		delete(c.byID, raw)
		u.hc.CloseIdleConnections()
	}
	return ok
}

// Older lists the upstreams whose clients exist longer than d.
func (c *Clients) Older(d time.Duration) []string {
	c.lock.RLock()
	defer c.lock.RUnlock()
	var out []string
	for raw, u := range c.byID {
		if time.Since(u.created) > d {
			out = append(out, raw)
		}
	}
	return out
}
