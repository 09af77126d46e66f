package routetable

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

type table map[string]http.Handler

type Router struct {
	routes   atomic.Value // table
	NotFound http.Handler
}

func NewRouter() *Router {
	r := &Router{NotFound: http.NotFoundHandler()}
	r.routes.Store(table{})
	return r
}

func (r *Router) Handle(prefix string, h http.Handler) error {
	if !strings.HasPrefix(prefix, "/") {
		return fmt.Errorf("routetable: bad prefix %q", prefix)
	}
	old := r.routes.Load().(table)
	next := make(table, len(old)+1)
	for k, v := range old {
		next[k] = v
	}
	next[prefix] = h
	r.routes.Store(next)
	return nil
}

func (r *Router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	t := r.routes.Load().(table)
	var (
		best    string
		handler = r.NotFound
	)
	for p, h := range t {
		if strings.HasPrefix(req.URL.Path, p) && len(p) > len(best) {
			best, handler = p, h
		}
	}
	handler.ServeHTTP(w, req)
}

func (r *Router) Len() int { return len(r.routes.Load().(table)) }
