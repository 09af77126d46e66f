package headermeta

import (
	"fmt"
	"io"
	"sync"
)

type Registry struct {
	node string

	mu   sync.RWMutex
	tags map[string]string
}

func New(node string) *Registry {
	return &Registry{node: node, tags: make(map[string]string)}
}

func (r *Registry) Set(k, v string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v == "" {
		delete(r.tags, k)
		return
	}
	r.tags[k] = v
}

func (r *Registry) Get(k string) (string, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	v, ok := r.tags[k]
	return v, ok
}

func (r *Registry) WriteTo(w io.Writer) (n int64, err error) {
	r.mu.RLock()
	tags := r.tags
	r.mu.RUnlock()

	for k, v := range tags {
		m, err := fmt.Fprintf(w, "%s{node=%q} %s\n", k, r.node, v)
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}
