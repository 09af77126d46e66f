package proxyroutes

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

type route struct {
	prefix  string
	handler http.Handler
}

type table struct {
	routes []route
}

type Router struct {
	current  atomic.Pointer[table]
	NotFound http.Handler
}

func NewRouter() *Router {
	r := &Router{NotFound: http.NotFoundHandler()}
	r.current.Store(&table{})
	return r
}

func (r *Router) Handle(prefix string, h http.Handler) error {
	if !strings.HasPrefix(prefix, "/") {
		return fmt.Errorf("proxyroutes: bad prefix %q", prefix)
	}
	old := r.current.Load()
	next := &table{routes: make([]route, 0, len(old.routes)+1)}
	for _, rt := range old.routes {
		if rt.prefix != prefix {
			next.routes = append(next.routes, rt)
		}
	}
	next.routes = append(next.routes, route{prefix, h})
	r.current.Store(next)
	return nil
}

func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	best := route{handler: r.NotFound}
	for _, rt := range r.current.Load().routes {
		if len(rt.prefix) > len(best.prefix) && strings.HasPrefix(req.URL.Path, rt.prefix) {
			best = rt
		}
	}
	best.handler.ServeHTTP(w, req)
}
