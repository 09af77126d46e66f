package fine

import "sync"

// Crockery is counted by its callers with the lock, or when nobody else has it.
type Crockery struct {
	mu    sync.Mutex
	last  string
	first string
	ended sync.WaitGroup
}

// NewCrockery notes one before anybody has it.
func NewCrockery() *Crockery {
	c := &Crockery{}
	c.set("none")
	return c
}

func (c *Crockery) set(name string) { c.last = name }

func (c *Crockery) Plates() {
	c.mu.Lock()
	c.set("plates")
	c.mu.Unlock()
}

func (c *Crockery) Cups() {
	c.mu.Lock()
	c.set("cups")
	c.mu.Unlock()
}

// Init comes before the others.
func (c *Crockery) Init() { c.set("") }

// Close waits for the others.
func (c *Crockery) Close() {
	c.ended.Wait()
	c.set("closed")
}

func (c *Crockery) Last() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// begin has a variable that nobody else looks at.
func (c *Crockery) begin(name string) { c.first = name }

func (c *Crockery) Spoons() {
	c.mu.Lock()
	c.begin("spoons")
	c.mu.Unlock()
}

func (c *Crockery) Forks() {
	c.mu.Lock()
	c.begin("forks")
	c.mu.Unlock()
}

func (c *Crockery) Begin() { c.begin("all") }
