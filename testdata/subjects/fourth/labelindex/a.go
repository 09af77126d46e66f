package labelindex

import (
	"sort"
	"sync"
)

type SeriesRef uint64

type Index struct {
	mu       sync.RWMutex
	postings map[string]map[string][]SeriesRef
}

func New() *Index {
	return &Index{postings: make(map[string]map[string][]SeriesRef)}
}

func (ix *Index) Add(name, value string, ref SeriesRef) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	vals, ok := ix.postings[name]
	if !ok {
		vals = make(map[string][]SeriesRef)
		ix.postings[name] = vals
	}
	vals[value] = append(vals[value], ref)
}

func (ix *Index) values(name string) map[string][]SeriesRef {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.postings[name]
}

// Match returns all series whose label satisfies pred.
func (ix *Index) Match(name string, pred func(string) bool) []SeriesRef {
	var out []SeriesRef
	vals := ix.values(name)
	for v, refs := range vals {
		if pred(v) {
			out = append(out, refs...)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

func (ix *Index) Names() []string {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	names := make([]string, 0, len(ix.postings))
	for n := range ix.postings {
		names = append(names, n)
	}
	return names
}
