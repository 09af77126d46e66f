package broken

import "sync"

// member has come with several connections.
type member struct {
	links map[int]bool
}

// Club knows its members.
type Club struct {
	mu      sync.RWMutex
	members map[string]*member
}

func (c *Club) memberOf(name string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[name]
	if m == nil {
		m = &member{links: map[int]bool{}}
		c.members[name] = m
	}
	return m
}

func (c *Club) leave(name string, link int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m, ok := c.members[name]; ok {
		delete(m.links, link)
	}
}

// Porter lets members in.
type Porter struct{ club *Club }

// startVisit is no beginning of the porter: each visitor has one.
func (p *Porter) startVisit(name string, link int) {
	m := p.club.memberOf(name)
	m.links[link] = true // want `m.links\[link\] is written here after p.club.mu was released`
	defer p.club.leave(name, link)
}

// Watch lets those in who come.
func (p *Porter) Watch(visitors chan string) {
	link := 0
	for name := range visitors {
		link++
		go p.startVisit(name, link)
	}
}
