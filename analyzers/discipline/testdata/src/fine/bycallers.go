package fine

import "sync"

// Crockery is counted by its callers with the lock, or when nobody else has it.
type Crockery struct {
	mu    sync.Mutex
	last  string
	first string
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

// Glassware is put away when all others are done.
type Glassware struct {
	mu    sync.Mutex
	last  string
	ended sync.WaitGroup
}

func (g *Glassware) dry(name string) { g.last = name }

func (g *Glassware) Flutes() {
	g.mu.Lock()
	g.dry("flutes")
	g.mu.Unlock()
}

func (g *Glassware) Goblets() {
	g.mu.Lock()
	g.dry("goblets")
	g.mu.Unlock()
}

func (g *Glassware) PutAway() {
	g.ended.Wait()
	g.dry("")
}

func (g *Glassware) Last() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last
}
