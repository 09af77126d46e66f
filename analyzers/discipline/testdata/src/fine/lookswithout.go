package fine

import "sync"

// Fixture is looked into by the goroutine alone that changes it, and by others with the lock.
type Fixture struct {
	lock  sync.RWMutex
	lamps map[string]int
	news  chan string
	out   func(int)
}

func NewFixture(out func(int)) *Fixture {
	f := &Fixture{lamps: map[string]int{}, news: make(chan string), out: out}
	go f.run()
	return f
}

func (f *Fixture) run() {
	for name := range f.news {
		n, ok := f.lamps[name]
		if ok {
			f.out(n)
		}
		f.lock.Lock()
		f.lamps[name] = n + 1
		f.lock.Unlock()
	}
}

func (f *Fixture) Lamp(name string) int {
	f.lock.RLock()
	defer f.lock.RUnlock()
	return f.lamps[name]
}

// Catalog is changed by a function that has the lock from its caller, and looked into so too.
type Catalog struct {
	lock  sync.RWMutex
	pages map[string]int
}

func (c *Catalog) Turn(name string) int {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.pages[name]++
	return c.page(name)
}

func (c *Catalog) Page(name string) int {
	c.lock.RLock()
	defer c.lock.RUnlock()
	return c.page(name)
}

func (c *Catalog) page(name string) int { return c.pages[name] }
