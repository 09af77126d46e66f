package broken

import "sync"

// Circle is chosen from by many, and made anew by a goroutine.
type Circle struct {
	sync.RWMutex
	nodes []int
	names map[int]string
}

func (c *Circle) refresh(names []string) {
	var nodes []int
	all := map[int]string{}
	c.RLock()
	defer c.RUnlock()
	for i, s := range names {
		all[i] = s
		nodes = append(nodes, i)
	}
	c.nodes = nodes // want `c.nodes is written here with c.RWMutex held for reading only, which others can do at the same time`
	c.names = all
}

func (c *Circle) Pick(names []string) string {
	c.RLock()
	defer c.RUnlock()
	if len(c.nodes) > 0 {
		return c.names[c.nodes[0]]
	}
	go c.refresh(names)
	return ""
}

func (c *Circle) First() string {
	c.RLock()
	defer c.RUnlock()
	return c.names[0]
}
