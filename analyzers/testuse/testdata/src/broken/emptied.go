package broken

import "sync"

type crewman struct{ name string }

// What has been put into the first map is lost with it.
type Crews struct {
	mu    sync.RWMutex
	crews map[string]map[string]*crewman
	ports map[string][]string
}

func (c *Crews) Found(ship string) {
	c.mu.Lock()
	_, ok := c.crews[ship] // want `two goroutines can both pass the test of c.crews\[ship\] and both set it: c.mu is released in between`
	c.mu.Unlock()
	if !ok {
		c.mu.Lock()
		c.crews[ship] = make(map[string]*crewman)
		c.mu.Unlock()
	}
}

func (c *Crews) Join(ship string, m *crewman) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if crew := c.crews[ship]; crew != nil {
		crew[m.name] = m
	}
}

func (c *Crews) Aboard(ship, name string) *crewman {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.crews[ship][name]
}

// The same with a list.
func (c *Crews) Register(ship string) {
	c.mu.RLock()
	_, ok := c.ports[ship] // want `two goroutines can both pass the test of c.ports\[ship\] and both set it: c.mu is held for reading first`
	c.mu.RUnlock()
	if ok {
		return
	}
	c.mu.Lock()
	c.ports[ship] = []string{}
	c.mu.Unlock()
}

func (c *Crews) Call(ship, port string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ports[ship] = append(c.ports[ship], port)
}

func (c *Crews) Ports(ship string) []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return append([]string(nil), c.ports[ship]...)
}

// A map that is filled in place.
type Wards struct {
	mu    sync.Mutex
	wards map[string]wardBeds
}

type wardBeds map[string]bool

func (w *Wards) Open(ward string) {
	w.mu.Lock()
	known := w.wards[ward] != nil // want `two goroutines can both pass the test of w.wards\[ward\] and both set it: w.mu is released in between`
	w.mu.Unlock()
	if known {
		return
	}
	beds := map[string]bool{}
	w.mu.Lock()
	w.wards[ward] = beds
	w.mu.Unlock()
}

func (w *Wards) Admit(ward, patient string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wards[ward] != nil {
		w.wards[ward][patient] = true
	}
}
