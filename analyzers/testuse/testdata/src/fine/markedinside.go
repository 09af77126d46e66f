package fine

import "sync"

// crateMarks are the crates that are being loaded.
type crateMarks struct {
	mu sync.Mutex
	in map[string]bool
}

func (c *crateMarks) has(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.in[id]
}

func (c *crateMarks) take(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in[id] {
		return false
	}
	c.in[id] = true
	return true
}

func (c *crateMarks) add(id string) {
	c.mu.Lock()
	c.in[id] = true
	c.mu.Unlock()
}

func (c *crateMarks) drop(id string) {
	c.mu.Lock()
	delete(c.in, id)
	c.mu.Unlock()
}

// Ramp loads crates.
type Ramp struct {
	busy crateMarks
	next func() []string
	load func(string)
}

func (r *Ramp) Work() { go r.loop() }

// loop marks before it starts the goroutine, and is the only one to do so.
func (r *Ramp) loop() {
	for {
		for _, id := range r.next() {
			if r.busy.has(id) {
				continue
			}
			r.busy.add(id)
			go func() {
				defer r.busy.drop(id)
				r.load(id)
			}()
		}
	}
}

// Asks has the goroutine look again.
type Asks struct {
	busy crateMarks
	load func(string)
}

func (a *Asks) Load(id string) {
	if a.busy.has(id) {
		return
	}
	go func() {
		if !a.busy.take(id) {
			return
		}
		defer a.busy.drop(id)
		a.load(id)
	}()
}

// LoadEach comes to each crate once, and waits for the end of all.
type LoadEach struct {
	mu   sync.Mutex
	busy map[string]bool
	load func(string)
}

func (l *LoadEach) work(ids []string) {
	var wg sync.WaitGroup
	for _, id := range ids {
		l.mu.Lock()
		busy := l.busy[id]
		l.mu.Unlock()
		if busy {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.mu.Lock()
			l.busy[id] = true
			l.mu.Unlock()
			l.load(id)
			l.mu.Lock()
			delete(l.busy, id)
			l.mu.Unlock()
		}()
	}
	wg.Wait()
}

func (l *LoadEach) Start(ids []string) { go l.work(ids) }
