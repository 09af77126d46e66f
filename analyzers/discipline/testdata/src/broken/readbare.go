package broken

import (
	"sync"
	"time"
)

type hostNames struct{ m map[string]string }

// Hosts is looked into while it is read anew.
type Hosts struct {
	sync.RWMutex
	byName *hostNames
	parse  func() *hostNames
}

func (h *Hosts) refresh() {
	names := h.parse()
	h.Lock()
	h.byName = names
	h.Unlock()
}

func (h *Hosts) lookIn(names map[string]string, name string) string {
	h.RLock()
	defer h.RUnlock()
	return names[name]
}

// Lookup takes the map before the lock.
func (h *Hosts) Lookup(name string) string {
	return h.lookIn(h.byName.m, name) // want `h.byName is read here without h.RWMutex, which all functions hold that write it, as \(\*Hosts\).refresh does`
}

func (h *Hosts) Len() int {
	h.RLock()
	defer h.RUnlock()
	return len(h.byName.m)
}

// keepFresh is no method: who calls it has the object still.
func keepFresh(h *Hosts) {
	go func() {
		for range time.Tick(time.Minute) {
			h.refresh()
		}
	}()
}

func setUp(parse func() *hostNames) *Hosts {
	h := &Hosts{parse: parse}
	keepFresh(h)
	return h
}

var Local = setUp(func() *hostNames { return nil })

// Single lets one run at a time.
type Single struct {
	mu     sync.Mutex
	active bool
	done   *sync.WaitGroup
}

func (s *Single) Do(fn func()) {
	s.mu.Lock()
	if s.active {
		s.mu.Unlock()
		s.done.Wait() // want `s.done is read here after s.mu was released, under which the next goroutine can store another one`
		return
	}
	s.active = true
	s.done = new(sync.WaitGroup)
	s.done.Add(1)
	s.mu.Unlock()

	fn()
	s.done.Done()

	s.mu.Lock()
	s.active = false
	s.mu.Unlock()
}

// Horizons are set by the peer.
type Horizons struct {
	mu    sync.Mutex
	until *time.Time
}

func (h *Horizons) Set(until time.Time) {
	h.mu.Lock()
	h.until = &until
	println(h.until.String())
	h.mu.Unlock()
}

// Filter takes the lock for the second look alone, which relies on the first.
func (h *Horizons) Filter() bool {
	if h.until == nil { // want `h.until is accessed here without the lock that all other functions hold for it: h.mu in \(\*Horizons\).Set`
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().After(*h.until)
}

type samples struct {
	sync.Mutex
	list []int
}

func (s *samples) add(n int) {
	s.Lock()
	defer s.Unlock()
	s.list = append(s.list, n)
}

// Gauges have samples with a lock of their own.
type Gauges struct {
	mu      sync.Mutex
	last    int
	samples samples
}

func (g *Gauges) Observe(n int) {
	g.mu.Lock()
	g.last = n
	g.mu.Unlock()
	g.samples.add(n)
}

// Write has the mutex of the gauges alone when it looks.
func (g *Gauges) Write() (last int, list []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cap(g.samples.list) > 0 { // want `g.samples.list is tested here without s.Mutex, which all functions hold that write it, as \(\*samples\).add does`
		g.samples.Lock()
		list = append(list, g.samples.list...)
		g.samples.Unlock()
	}
	return g.last, list
}

type lineage struct{ names []string }

// Trees are read before the lock.
type Trees struct {
	mu   sync.Mutex
	line *lineage
	last int
}

func (t *Trees) load() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.line == nil {
		t.line = &lineage{}
	}
}

func (t *Trees) Cut(n int) {
	t.load()
	keep := t.line.names[:n] // want `t.line is read here before t.mu is taken, which all functions hold that write it, as \(\*Trees\).load does`
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = len(keep)
	t.line.names = keep
}

// dropLocked is called with the lock held.
func (t *Trees) dropLocked() { t.line = nil }

func (t *Trees) Drop() {
	t.mu.Lock()
	t.dropLocked()
	t.mu.Unlock()
}

func (t *Trees) Name(i int) string { return t.line.names[i] } // want `t.line is read here without`
