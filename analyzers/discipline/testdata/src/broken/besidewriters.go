package broken

import "sync"

// SungTo sings to all who listen.
type SungTo struct {
	mu      sync.Mutex
	singing sync.Mutex
	ears    []func(string)
	names   []string
}

var Sunday SungTo

func (c *SungTo) Listen(name string, ear func(string)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.names {
		if n == name {
			return
		}
	}
	c.names = append(c.names, name)
	c.ears = append(c.ears, ear)
}

func (c *SungTo) Leave(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var names []string
	var ears []func(string)
	for i, n := range c.names {
		if n != name {
			names, ears = append(names, n), append(ears, c.ears[i])
		}
	}
	c.names, c.ears = names, ears
}

func (c *SungTo) Sing(song string) {
	c.mu.Lock()
	var ears []func(string)
	copy(c.ears, ears)
	c.mu.Unlock()

	c.singing.Lock()
	for _, ear := range c.ears { // want `c.ears is (accessed|read) here`
		ear(song)
	}
	c.singing.Unlock()
}
