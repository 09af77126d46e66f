package broken

import (
	"slices"
	"sort"
	"sync"
)

// Ladder ranks its climbers by what others change meanwhile.
type Ladder struct {
	mu       sync.Mutex
	climbers map[string]*climber
}

type climber struct {
	name  string
	score int
	rungs int
}

func (l *Ladder) Score(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.climbers[name]
	if !ok {
		c = &climber{name: name}
		l.climbers[name] = c
	}
	c.score += n
}

func (l *Ladder) Climb(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := l.climbers[name]; ok {
		c.rungs++
	}
}

func (l *Ladder) Ranked() []string {
	var list []*climber
	l.mu.Lock()
	for _, c := range l.climbers {
		list = append(list, c)
	}
	l.mu.Unlock()
	sort.Slice(list, func(i, j int) bool {
		return list[i].score < list[j].score // want `list\[i\]\.score is read here after the release of l\.mu, under which the objects were put into list: the list is a copy, and what it holds is not, as \(\*Ladder\)\.Score changes it`
	})
	var names []string
	for _, c := range list {
		names = append(names, c.name)
	}
	return names
}

func (l *Ladder) Highest() string {
	all := make([]*climber, 0, 8)
	l.mu.Lock()
	for _, c := range l.climbers {
		if c.rungs > 0 {
			all = append(all, c)
		}
	}
	l.mu.Unlock()
	most, name := 0, ""
	for _, c := range all {
		if c.rungs > most { // want `c\.rungs is read here after the release of l\.mu, under which the objects were put into all`
			most, name = c.rungs, c.name
		}
	}
	return name
}

func (l *Ladder) Lowest() string {
	all := make([]*climber, 0, 8)
	l.mu.Lock()
	for _, c := range l.climbers {
		all = append(all, c)
	}
	l.mu.Unlock()
	slices.SortFunc(all, func(a, b *climber) int { return len(a.name) - len(b.name) })
	first := all[0]
	if first.rungs == 0 { // want `first\.rungs is read here after the release of l\.mu, under which the objects were put into all`
		return first.name
	}
	return ""
}
