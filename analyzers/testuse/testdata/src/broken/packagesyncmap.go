package broken

import "sync"

// uplink is shared by all who talk to one host.
type uplink struct {
	mu    sync.Mutex
	spent map[string]int
}

var uplinks sync.Map

// A function that makes what it does not find is no part of making an object.
func loadUplink(host string) *uplink {
	x, ok := uplinks.Load(host) // want `two goroutines can both pass the test of uplinks\[host\] and both set it: Load and Store are two operations`
	u, _ := x.(*uplink)
	if !ok {
		u = &uplink{spent: map[string]int{}}
		uplinks.Store(host, u)
	}
	return u
}

type Hauler struct{ u *uplink }

func NewHauler(host string) *Hauler { return &Hauler{loadUplink(host)} }

func (c *Hauler) Spend(what string) {
	c.u.mu.Lock()
	defer c.u.mu.Unlock()
	c.u.spent[what]++
}

// uplinkMap is what sync.Map is, with types.
type uplinkMap[K comparable, V any] struct{ m sync.Map }

func (s *uplinkMap[K, V]) find(k K) (v V, ok bool) {
	x, ok := s.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

func (s *uplinkMap[K, V]) keep(k K, v V) { s.m.Store(k, v) }

var typedUplinks uplinkMap[string, *uplink]

func loadTyped(host string) *uplink {
	u, ok := typedUplinks.find(host) // want `two goroutines can both pass the test of typedUplinks.m\[host\] \(in typedUplinks.find\) and both set it: Load and Store are two operations`
	if !ok {
		u = &uplink{spent: map[string]int{}}
		typedUplinks.keep(host, u)
	}
	return u
}

func NewTypedHauler(host string) *Hauler { return &Hauler{loadTyped(host)} }
