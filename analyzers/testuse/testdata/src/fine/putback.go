package fine

import "sync"

// groups are lists of its own, which it puts back where it has found them.
type groups struct {
	mu  sync.Mutex
	all []string
}

func (g *groups) Remove(i int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all = append(g.all[:i], g.all[i+1:]...)
}

func (g *groups) Each(keys []string, f func(string)) {
	byName := map[string][]string{}
	for _, k := range keys {
		list := byName[k]
		for _, x := range list {
			f(x)
		}
		byName[k] = list
	}
	g.mu.Lock()
	g.all = append(g.all, keys...)
	g.mu.Unlock()
}
