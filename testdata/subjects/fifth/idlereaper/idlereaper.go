package idlereaper

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

type Resource interface{ Close() error }

type Auditor interface {
	Expiring(ctx context.Context, ids []string) error
}

type session struct {
	res      Resource
	lastUsed time.Time
	hits     int
}

// Registry holds the sessions of a gateway and closes those that nobody uses.
type Registry struct {
	idle  time.Duration
	audit Auditor
	log   *slog.Logger

	sync.Mutex
	sessions map[string]session
}

func NewRegistry(ctx context.Context, idle time.Duration, a Auditor, log *slog.Logger) *Registry {
	r := &Registry{idle: idle, audit: a, log: log, sessions: make(map[string]session)}
	go r.run(ctx)
	return r
}

func (r *Registry) run(ctx context.Context) {
	t := time.NewTicker(r.idle / 4)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-t.C:
			if n := r.reap(ctx, now); n > 0 {
				r.log.Info("idle sessions closed", "count", n)
			}
		}
	}
}

func (r *Registry) Add(id string, res Resource) error {
	r.Lock()
	defer r.Unlock()
	if _, dup := r.sessions[id]; dup {
		return fmt.Errorf("idlereaper: session %q exists", id)
	}
	r.sessions[id] = session{res: res, lastUsed: time.Now()}
	return nil
}

// Touch returns the session's resource and marks it as used.
func (r *Registry) Touch(id string) (Resource, bool) {
	r.Lock()
	defer r.Unlock()
	s, ok := r.sessions[id]
	if !ok {
		return nil, false
	}
	s.lastUsed = time.Now()
	s.hits++
	r.sessions[id] = s
	return s.res, true
}

func (r *Registry) reap(ctx context.Context, now time.Time) int {
	var ids []string
	r.Lock()
	for id, s := range r.sessions {
		if now.Sub(s.lastUsed) > r.idle {
			ids = append(ids, id)
		}
	}
	r.Unlock()
	if len(ids) == 0 {
		return 0
	}
	if err := r.audit.Expiring(ctx, ids); err != nil {
		r.log.Warn("audit failed, keeping sessions", "err", err)
		return 0
	}

	r.Lock()
	defer r.Unlock()
	for _, id := range ids {
		s, ok := r.sessions[id]
		if !ok {
			continue
		}
		delete(r.sessions, id)
		if err := s.res.Close(); err != nil {
			r.log.Warn("close session", "id", id, "hits", s.hits, "err", err)
		}
	}
	return len(ids)
}

// Remove closes a session at logout.
func (r *Registry) Remove(id string) error {
	r.Lock()
	s, ok := r.sessions[id]
	delete(r.sessions, id)
	r.Unlock()
	if !ok {
		return nil
	}
	return s.res.Close()
}
