package featureflags

import (
	"maps"
	"sync"
	"sync/atomic"
)

type Flags struct {
	wmu sync.Mutex
	cur atomic.Value // map[string]bool
}

func New(initial map[string]bool) *Flags {
	f := &Flags{}
	f.cur.Store(maps.Clone(initial))
	return f
}

func (f *Flags) load() map[string]bool {
	m, _ := f.cur.Load().(map[string]bool)
	return m
}

func (f *Flags) Enabled(name string) bool { return f.load()[name] }

func (f *Flags) Set(name string, on bool) (changed bool) {
	f.wmu.Lock()
	defer f.wmu.Unlock()
	old := f.load()
	if v, ok := old[name]; ok && v == on {
		return false
	}
	next := make(map[string]bool, len(old)+1)
	for k, v := range old {
		next[k] = v
	}
	next[name] = on
	f.cur.Store(next)
	return true
}

func (f *Flags) Replace(all map[string]bool) {
	next := maps.Clone(all)
	if next == nil {
		next = map[string]bool{}
	}
	f.wmu.Lock()
	f.cur.Store(next)
	f.wmu.Unlock()
}
