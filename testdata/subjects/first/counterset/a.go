package counterset

import (
	"fmt"
	"io"
	"sort"
	"sync"
	"sync/atomic"
)

type Counter struct{ n atomic.Uint64 }

func (c *Counter) Inc()          { c.n.Add(1) }
func (c *Counter) Value() uint64 { return c.n.Load() }

type CounterVec struct {
	name string
	mu   sync.RWMutex
	kids map[string]*Counter
}

func NewCounterVec(name string) *CounterVec {
	return &CounterVec{name: name, kids: make(map[string]*Counter)}
}

func (v *CounterVec) WithLabel(l string) *Counter {
	v.mu.RLock()
	c, ok := v.kids[l]
	v.mu.RUnlock()
	if ok {
		return c
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	c = &Counter{}
	v.kids[l] = c
	return c
}

func (v *CounterVec) Expose(w io.Writer) error {
	v.mu.RLock()
	defer v.mu.RUnlock()
	keys := make([]string, 0, len(v.kids))
	for k := range v.kids {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		if _, err := fmt.Fprintf(w, "%s{label=%q} %d\n", v.name, k, v.kids[k].Value()); err != nil {
			return err
		}
	}
	return nil
}
