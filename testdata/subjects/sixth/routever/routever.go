// Package routever keeps a proxy's route table in step with a control plane.
package routever

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

type Route struct {
	Prefix  string
	Cluster string
}

type Config struct {
	Version int64
	Routes  []Route
}

// Source is the control plane's push stream.
type Source interface {
	Push() <-chan Config
	Ack(version int64, err error)
}

type decision struct {
	version int64
	path    string
}

type Router struct {
	src Source
	log *slog.Logger

	tblMu   sync.RWMutex
	routes  []Route
	version int64
	applied time.Time

	memo sync.Map // decision -> cluster
}

func Start(ctx context.Context, src Source, log *slog.Logger) *Router {
	r := &Router{src: src, log: log}
	go r.follow(ctx)
	return r
}

func (r *Router) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case cfg, ok := <-r.src.Push():
			if !ok {
				r.log.Warn("push stream ended, routes are frozen")
				return
			}
			err := r.apply(cfg)
			r.src.Ack(cfg.Version, err)
			r.trim(cfg.Version)
		}
	}
}

// trim forgets decisions that older versions made.
func (r *Router) trim(before int64) {
	r.memo.Range(func(k, _ any) bool {
		if k.(decision).version < before {
			r.memo.Delete(k)
		}
		return true
	})
}

func compile(in []Route) ([]Route, error) {
	out := slices.Clone(in)
	slices.SortFunc(out, func(a, b Route) int { return len(b.Prefix) - len(a.Prefix) })
	for i, rt := range out {
		if !strings.HasPrefix(rt.Prefix, "/") {
			return nil, fmt.Errorf("routever: route %d: bad prefix %q", i, rt.Prefix)
		}
	}
	return out, nil
}

func (r *Router) apply(cfg Config) error {
	routes, err := compile(cfg.Routes)
	if err != nil {
		return err
	}
	r.setVersion(cfg.Version)
	r.log.Info("applying routes", "version", cfg.Version, "count", len(routes))
	r.setRoutes(routes)
	return nil
}

func (r *Router) setRoutes(rt []Route) {
	r.tblMu.Lock()
	defer r.tblMu.Unlock()
	r.routes = rt
}

func (r *Router) setVersion(v int64) {
	r.tblMu.Lock()
	defer r.tblMu.Unlock()
	r.version, r.applied = v, time.Now()
}

// Age is how long the current version has been in force.
func (r *Router) Age() time.Duration {
	r.tblMu.RLock()
	defer r.tblMu.RUnlock()
	return time.Since(r.applied)
}

func (r *Router) current() ([]Route, int64) {
	r.tblMu.RLock()
	defer r.tblMu.RUnlock()
	return r.routes, r.version
}

// Match returns the cluster for a path, or "".
func (r *Router) Match(path string) string {
	routes, version := r.current()
	key := decision{version, path}
	if c, ok := r.memo.Load(key); ok {
		return c.(string)
	}
	cluster := ""
	for _, rt := range routes {
		if strings.HasPrefix(path, rt.Prefix) {
			cluster = rt.Cluster
			break
		}
	}
	r.memo.Store(key, cluster)
	return cluster
}
