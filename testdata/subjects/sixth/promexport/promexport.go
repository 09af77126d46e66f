// Package promexport is a small metrics registry with the text exposition format.
package promexport

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

type kind int

const (
	counter kind = iota
	gauge
)

func (k kind) String() string {
	if k == gauge {
		return "gauge"
	}
	return "counter"
}

type family struct {
	help   string
	kind   kind
	series map[string]float64
}

type Registry struct {
	prefix string

	mu       sync.Mutex
	families map[string]*family
	scrapes  int
}

func NewRegistry(prefix string) *Registry {
	return &Registry{prefix: prefix, families: make(map[string]*family)}
}

// Labels are rendered in the order of their names.
type Labels map[string]string

func (l Labels) String() string {
	if len(l) == 0 {
		return ""
	}
	parts := make([]string, 0, len(l))
	for _, k := range slices.Sorted(maps.Keys(l)) {
		parts = append(parts, fmt.Sprintf("%s=%q", k, l[k]))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (r *Registry) familyLocked(name, help string, k kind) *family {
	f, ok := r.families[name]
	if !ok {
		f = &family{help: help, kind: k, series: make(map[string]float64)}
		r.families[name] = f
	}
	return f
}

// Count adds v to a counter.
func (r *Registry) Count(name, help string, l Labels, v float64) {
	key := l.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.familyLocked(name, help, counter).series[key] += v
}

// Gauge sets a gauge.
func (r *Registry) Gauge(name, help string, l Labels, v float64) {
	key := l.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.familyLocked(name, help, gauge).series[key] = v
}

// WriteTo writes all families, sorted.
func (r *Registry) WriteTo(w io.Writer) (int64, error) {
	r.mu.Lock()
	r.scrapes++
	fams := make(map[string]family, len(r.families))
	for name, f := range r.families {
		cp := *f
		cp.series = maps.Clone(f.series)
		fams[name] = cp
	}
	r.mu.Unlock()

	var total int64
	var buf bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(fams)) {
		f := fams[name]
		full := r.prefix + "_" + name
		fmt.Fprintf(&buf, "# HELP %s %s\n# TYPE %s %v\n", full, f.help, full, f.kind)
		for _, key := range slices.Sorted(maps.Keys(f.series)) {
			fmt.Fprintf(&buf, "%s%s %g\n", full, key, f.series[key])
		}
		n, err := buf.WriteTo(w)
		total += n
		if err != nil {
			return total, fmt.Errorf("promexport: write %s: %w", name, err)
		}
	}
	return total, nil
}

// ServeHTTP implements http.Handler.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet {
		http.Error(w, "GET only", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	if n, err := r.WriteTo(w); err != nil {
		log.Printf("promexport: scrape from %s after %d bytes: %v", req.RemoteAddr, n, err)
	}
}
