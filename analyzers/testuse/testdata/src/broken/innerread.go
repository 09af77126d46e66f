package broken

import (
	"slices"
	"sync"
)

type crew struct {
	name  string
	hands map[string]int
	tasks []string
}

// Fleet hands out what its crews are made of.
type Fleet struct {
	mu    sync.RWMutex
	crews map[string]*crew
}

func (f *Fleet) Hire(name, who string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.crews[name]
	if c == nil {
		c = &crew{name: name, hands: map[string]int{}}
		f.crews[name] = c
	}
	c.hands[who] = n
	c.tasks = append(c.tasks, who)
}

func (f *Fleet) Fire(name, who string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.crews[name]; ok {
		delete(c.hands, who)
		c.tasks = slices.DeleteFunc(c.tasks, func(t string) bool { return t == who })
	}
}

func (f *Fleet) handsOf(name string) (map[string]int, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	c, ok := f.crews[name]
	if !ok {
		return nil, false
	}
	return c.hands, true
}

func (f *Fleet) tasksOf(name string) []string {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if c, ok := f.crews[name]; ok {
		return c.tasks
	}
	return nil
}

func (f *Fleet) copyOf(name string) map[string]int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	all := map[string]int{}
	for k, v := range f.crews[name].hands {
		all[k] = v
	}
	return all
}

func (f *Fleet) Sum(name string) (n int) {
	hands, ok := f.handsOf(name) // want `hands is the map c.hands itself, not a copy; it is used after f.mu was released, while \(\*Fleet\).Hire writes its entries`
	if !ok {
		return 0
	}
	for _, v := range hands {
		n += v
	}
	for _, v := range f.copyOf(name) {
		n += v
	}
	return n
}

func (f *Fleet) Has(name, who string) bool {
	f.mu.RLock()
	hands := f.crews[name].hands // want `hands is the map f.crews\[name\].hands itself, not a copy; it is used after f.mu was released`
	f.mu.RUnlock()
	_, ok := hands[who]
	return ok
}

func (f *Fleet) Here(name, who string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	hands := f.crews[name].hands
	_, ok := hands[who]
	return ok
}

func (f *Fleet) Count(name string, is func(string) bool) (n int) {
	for _, t := range f.tasksOf(name) { // want `c.tasks is walked through after f.mu was released, while \(\*Fleet\).Fire moves its elements in place`
		if is(t) {
			n++
		}
	}
	return n
}
