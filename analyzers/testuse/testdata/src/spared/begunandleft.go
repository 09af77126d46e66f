package spared

import "sync"

// A GroupOfOne is looked after by one goroutine, which another kind of it may have begun that
// leaves then: not one in each turn.
type GroupOfOne struct {
	mu       sync.Mutex
	managing bool
	newer    bool
	lowered  bool
	fetching map[string]int
}

func (g *GroupOfOne) Find(newer bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.managing {
		g.managing = true
		if newer {
			go g.manageNewer()
			return
		}
		go g.manage()
	}
}

func (g *GroupOfOne) join() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.newer
}

func (g *GroupOfOne) manageNewer() {
	for {
		if !g.join() {
			g.mu.Lock()
			g.newer = false
			g.mu.Unlock()
			go g.manage()
			return
		}
		g.adjust("newer")
	}
}

func (g *GroupOfOne) manage() {
	for g.join() {
		g.adjust("older")
	}
}

func (g *GroupOfOne) adjust(topic string) {
	if g.lowered {
		g.lowered = false
		g.fetching = nil
	}
	if g.fetching == nil {
		g.fetching = map[string]int{}
	}
	g.fetching[topic] = len(topic)
}

// A GroupOfMany begins another one in each turn.
type GroupOfMany struct {
	mu       sync.Mutex
	managing bool
	newer    bool
	fetching map[string]int
}

func (g *GroupOfMany) Find() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.managing {
		g.managing = true
		go g.manageNewer()
	}
}

func (g *GroupOfMany) join() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.newer
}

func (g *GroupOfMany) manageNewer() {
	for {
		if !g.join() {
			g.mu.Lock()
			g.newer = false
			g.mu.Unlock()
			go g.manage()
			if g.join() {
				continue
			}
			return
		}
	}
}

func (g *GroupOfMany) manage() {
	for g.join() {
		g.adjust("older")
	}
}

func (g *GroupOfMany) adjust(topic string) {
	if g.fetching == nil { // want `g\.fetching`
		g.fetching = map[string]int{}
	}
	g.fetching[topic]++
}
