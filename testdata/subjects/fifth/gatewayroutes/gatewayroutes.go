package gatewayroutes

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
)

var ErrBadPrefix = errors.New("gatewayroutes: prefix must start with a slash")

type route struct {
	prefix string
	proxy  http.Handler
}

type table struct {
	routes  map[string]route
	longest int
}

func (t *table) match(path string) (route, bool) {
	if len(path) > t.longest {
		path = path[:t.longest]
	}
	for path != "" {
		if r, ok := t.routes[path]; ok {
			return r, true
		}
		path = path[:len(path)-1]
	}
	return route{}, false
}

// Gateway forwards by path prefix. Lookups never block.
type Gateway struct {
	log   *slog.Logger
	live  atomic.Pointer[table]
	total atomic.Uint64
}

func New(log *slog.Logger) *Gateway {
	g := &Gateway{log: log}
	g.live.Store(&table{routes: map[string]route{}})
	return g
}

// Register adds or replaces the upstream of a prefix; plugins call it when they come up.
func (g *Gateway) Register(prefix, upstream string) error {
	if !strings.HasPrefix(prefix, "/") {
		return ErrBadPrefix
	}
	u, err := url.Parse(upstream)
	if err != nil {
		return fmt.Errorf("upstream of %s: %w", prefix, err)
	}
	cur := g.live.Load()
	next := &table{
		routes:  maps.Clone(cur.routes),
		longest: max(cur.longest, len(prefix)),
	}
	next.routes[prefix] = route{prefix: prefix, proxy: httputil.NewSingleHostReverseProxy(u)}
	g.live.Store(next)
	g.log.Info("route registered", "prefix", prefix, "upstream", u.Host)
	return nil
}

func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.total.Add(1)
	rt, ok := g.live.Load().match(r.URL.Path)
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix(strings.TrimSuffix(rt.prefix, "/"), rt.proxy).ServeHTTP(w, r)
}

// Prefixes lists what is routed at the moment.
func (g *Gateway) Prefixes() []string {
	var out []string
	for p := range g.live.Load().routes {
		out = append(out, p)
	}
	return out
}
