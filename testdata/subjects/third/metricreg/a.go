package metricreg

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

type Counter struct {
	name string
	n    atomic.Int64
}

func (c *Counter) Inc(by int64) { c.n.Add(by) }

type Registry struct {
	prefix   string
	rw       sync.RWMutex
	counters map[string]*Counter
}

func NewRegistry(prefix string) *Registry {
	return &Registry{prefix: prefix, counters: make(map[string]*Counter)}
}

func (r *Registry) Counter(parts ...string) *Counter {
	name := r.prefix + strings.Join(parts, "_")

	r.rw.RLock()
	c, ok := r.counters[name]
	r.rw.RUnlock()
	if ok {
		return c
	}

	c = &Counter{name: name}
	r.rw.Lock()
	defer r.rw.Unlock()
	r.counters[name] = c
	return c
}

func (r *Registry) WriteTo(w io.Writer) (int64, error) {
	r.rw.RLock()
	names := make([]string, 0, len(r.counters))
	for n := range r.counters {
		names = append(names, n)
	}
	r.rw.RUnlock()
	sort.Strings(names)
	var total int64
	for _, n := range names {
		k, err := fmt.Fprintf(w, "%s %d\n", n, r.Counter(strings.TrimPrefix(n, r.prefix)).n.Load())
		total += int64(k)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}
