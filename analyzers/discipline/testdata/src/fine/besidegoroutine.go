package fine

import "sync"

// Routed is added to before it serves.
type Routed struct {
	routes map[string]func()
}

func (c *Routed) Serve(next func() string) {
	for {
		go c.serve(next())
	}
}

func (c *Routed) Handle(r string, f func()) { c.routes[r] = f }

func (c *Routed) serve(path string) {
	if f := c.routes[path]; f != nil {
		f()
	}
}

// LoopOwned is changed by its goroutine alone.
type LoopOwned struct {
	rooms map[string]bool
	join  chan string
	leave chan string
}

func (c *LoopOwned) Start()         { go c.loop() }
func (c *LoopOwned) Join(r string)  { c.join <- r }
func (c *LoopOwned) Leave(r string) { c.leave <- r }

func (c *LoopOwned) loop() {
	for {
		select {
		case r := <-c.join:
			c.rooms[r] = true
		case r := <-c.leave:
			delete(c.rooms, r)
		}
	}
}

// ParallelSum waits for its goroutines.
type ParallelSum struct {
	parts map[string]int
}

func (p *ParallelSum) Add(k string, n int) { p.parts[k] = n }
func (p *ParallelSum) Drop(k string)       { delete(p.parts, k) }

func (p *ParallelSum) Sum(keys []string) (n int) {
	var wg sync.WaitGroup
	found := make([]int, len(keys))
	for i, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			found[i] = p.parts[k]
		}()
	}
	wg.Wait()
	for _, f := range found {
		n += f
	}
	return n
}
