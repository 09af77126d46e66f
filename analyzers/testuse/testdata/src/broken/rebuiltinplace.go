package broken

import (
	"slices"
	"sync"
)

// Muster rebuilds its lists in their arrays.
type Muster struct {
	mu    sync.RWMutex
	all   []string
	ready []string
	lists map[string][]int
	fresh []string
}

func (r *Muster) Check(up func(string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ready = r.ready[:0]
	for _, s := range r.all {
		if up(s) {
			r.ready = append(r.ready, s)
		}
	}
	r.fresh = nil
	for _, s := range r.all {
		r.fresh = append(r.fresh, s)
	}
}

func (r *Muster) Add(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, s)
}

func (r *Muster) Each(do func(string)) {
	r.mu.RLock()
	list := r.ready // want `r.ready is walked through after r.mu was released, while \(\*Muster\).Check moves its elements in place`
	r.mu.RUnlock()
	for _, s := range list {
		do(s)
	}
}

func (r *Muster) EachFresh(do func(string)) {
	r.mu.RLock()
	list := r.fresh
	r.mu.RUnlock()
	for _, s := range list {
		do(s)
	}
}

func (r *Muster) Put(k string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.lists[k]
	i, _ := slices.BinarySearch(list, n)
	r.lists[k] = slices.Insert(list, i, n)
}

func (r *Muster) Merged(keys []string) (sum int) {
	var lists [][]int
	r.mu.RLock()
	for _, k := range keys {
		lists = append(lists, r.lists[k]) // want `r.lists\[k\] is walked through after r.mu was released, while \(\*Muster\).Put moves its elements in place`
	}
	r.mu.RUnlock()
	for _, list := range lists {
		for _, n := range list {
			sum += n
		}
	}
	return sum
}

func (r *Muster) ByKey(keys []string) (sum int) {
	got := map[string][]int{}
	r.mu.RLock()
	for _, k := range keys {
		got[k] = r.lists[k] // want `r.lists\[k\] is walked through after r.mu was released`
	}
	r.mu.RUnlock()
	for k := range got {
		for _, n := range got[k] {
			sum += n
		}
	}
	return sum
}

func (r *Muster) Copied(keys []string) (sum int) {
	var lists [][]int
	r.mu.RLock()
	for _, k := range keys {
		lists = append(lists, slices.Clone(r.lists[k]))
	}
	r.mu.RUnlock()
	for _, list := range lists {
		for _, n := range list {
			sum += n
		}
	}
	return sum
}
