// Package seriesreg is a metrics registry keyed by name and labels.
package seriesreg

import (
	"fmt"
	"io"
	"math"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

type Labels map[string]string

func (l Labels) key(name string) string {
	if len(l) == 0 {
		return name
	}
	pairs := make([]string, 0, len(l))
	for k, v := range l {
		pairs = append(pairs, fmt.Sprintf("%s=%q", k, v))
	}
	sort.Strings(pairs)
	return name + "{" + strings.Join(pairs, ",") + "}"
}

// Series is one counter or gauge.
type Series struct {
	id   string
	bits atomic.Uint64
}

func (s *Series) Add(d float64) {
	for {
		old := s.bits.Load()
		sum := math.Float64bits(math.Float64frombits(old) + d)
		if s.bits.CompareAndSwap(old, sum) {
			return
		}
	}
}

func (s *Series) Inc() { s.Add(1) }

func (s *Series) Value() float64 { return math.Float64frombits(s.bits.Load()) }

// Registry hands out series; a series is made on its first use.
type Registry struct {
	prefix string
	series sync.Map // string -> *Series
	limit  int64
	count  atomic.Int64
}

func New(prefix string, limit int) *Registry {
	return &Registry{prefix: prefix, limit: int64(limit)}
}

var overflow = &Series{id: "overflow"}

// Series returns the series of that name and those labels. Callers may keep it.
func (r *Registry) Series(name string, labels Labels) *Series {
	id := labels.key(r.prefix + name)
	if v, ok := r.series.Load(id); ok {
		return v.(*Series)
	}
	if r.count.Add(1) > r.limit {
		r.count.Add(-1)
		return overflow
	}
	s := &Series{id: id}
	r.series.Store(id, s)
	return s
}

// Counter is a shorthand for handlers: reg.Counter("requests", "code", "200").Inc().
func (r *Registry) Counter(name string, kv ...string) *Series {
	labels := make(Labels, len(kv)/2)
	for i := 0; i+1 < len(kv); i += 2 {
		labels[kv[i]] = kv[i+1]
	}
	return r.Series(name, labels)
}

// Write prints all series in order of their id.
func (r *Registry) Write(w io.Writer) error {
	var all []*Series
	r.series.Range(func(_, v any) bool {
		all = append(all, v.(*Series))
		return true
	})
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	for _, s := range all {
		if _, err := fmt.Fprintf(w, "%s %g\n", s.id, s.Value()); err != nil {
			return err
		}
	}
	return nil
}
