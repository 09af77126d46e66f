package schemareg

import (
	"context"
	"fmt"
	"sync"
)

type Schema struct {
	Subject string
	Version int
	Body    string
}

type Backend interface {
	Fetch(ctx context.Context, subject string) (*Schema, error)
}

type Registry struct {
	be Backend

	mu     sync.Mutex
	latest map[string]*Schema
}

func New(be Backend) *Registry {
	return &Registry{be: be, latest: make(map[string]*Schema)}
}

func (r *Registry) Latest(ctx context.Context, subject string) (*Schema, error) {
	r.mu.Lock()
	s := r.latest[subject]
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}

	s, err := r.be.Fetch(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", subject, err)
	}

	r.mu.Lock()
	r.latest[subject] = s
	r.mu.Unlock()
	return s, nil
}

// Bump is called by the change feed, once per new version.
func (r *Registry) Bump(s *Schema) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if cur := r.latest[s.Subject]; cur == nil || cur.Version < s.Version {
		r.latest[s.Subject] = s
	}
}

func (r *Registry) Subjects() (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name := range r.latest {
		out = append(out, name)
	}
	return out
}
