package fine

import "sync"

// Cubbyholes keeps all out while it makes the map anew.
type Cubbyholes struct {
	mu      sync.RWMutex
	letters sync.Map
}

// Get looks.
func (c *Cubbyholes) Get(name string) (any, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.letters.Load(name)
}

// Clear takes all out.
func (c *Cubbyholes) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.letters = sync.Map{}
}

// Shelfmarks empties the map by its own method.
type Shelfmarks struct {
	marks sync.Map
}

// Get looks.
func (s *Shelfmarks) Get(name string) (any, bool) { return s.marks.Load(name) }

// Clear takes all out.
func (s *Shelfmarks) Clear() { s.marks.Clear() }

// Init makes it ready.
func (s *Shelfmarks) Init() { s.marks = sync.Map{} }

// trays makes what it has when the package begins.
type trays struct {
	pool sync.Pool
}

// New makes them ready.
func (t *trays) New() { t.pool = sync.Pool{New: func() any { return new([64]byte) }} }

// Get takes one.
func (t *trays) Get() *[64]byte { return t.pool.Get().(*[64]byte) }

// Trays are for all.
var Trays trays

var traysOnce sync.Once

func makeTrays() { Trays.New() }

func init() { traysOnce.Do(makeTrays) }
