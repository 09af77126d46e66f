package proxyroutes

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
)

type table map[string]*httputil.ReverseProxy

type Router struct {
	routes atomic.Pointer[table]
}

func NewRouter() *Router {
	r := new(Router)
	r.routes.Store(&table{})
	return r
}

func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	p, ok := (*r.routes.Load())[req.Host]
	if !ok {
		http.NotFound(w, req)
		return
	}
	p.ServeHTTP(w, req)
}

// Handle maps host to target; the admin API calls it while traffic flows.
func (r *Router) Handle(host, target string) error {
	u, err := url.Parse(target)
	if err != nil {
		return fmt.Errorf("route %s: %w", host, err)
	}
	next := maps.Clone(*r.routes.Load())
	next[host] = httputil.NewSingleHostReverseProxy(u)
	r.routes.Store(&next)
	return nil
}

func (r *Router) Admin() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := r.Handle(req.FormValue("host"), req.FormValue("target")); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
}
