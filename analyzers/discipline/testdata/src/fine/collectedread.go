package fine

import (
	"sort"
	"sync"
)

// Podium ranks its runners with the lock held, by copies of them, or once they are its own.
type Podium struct {
	mu      sync.Mutex
	runners map[string]*runner
}

type runner struct {
	name string
	time int
}

func (p *Podium) Time(name string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.runners[name]
	if !ok {
		r = &runner{name: name}
		p.runners[name] = r
	}
	r.time += n
}

func (p *Podium) Late(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.runners[name]; ok {
		r.time++
	}
}

func (p *Podium) Ranked() []*runner {
	var list []*runner
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.runners {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].time < list[j].time })
	return list
}

func (p *Podium) Copied() []*runner {
	var list []*runner
	p.mu.Lock()
	for _, r := range p.runners {
		c := *r
		list = append(list, &c)
	}
	p.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].time < list[j].time })
	return list
}

func (p *Podium) Drain() []*runner {
	var list []*runner
	p.mu.Lock()
	for name, r := range p.runners {
		list = append(list, r)
		delete(p.runners, name)
	}
	p.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].time < list[j].time })
	return list
}

func (p *Podium) Named() []*runner {
	var list []*runner
	p.mu.Lock()
	for _, r := range p.runners {
		list = append(list, r)
	}
	p.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list
}
