//go:build !atomrace_off

package heal

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// variable is what heal knows about one variable of the program, shared by
// all the tables that name it.
type variable struct {
	of        *Variable // the first table entry seen
	number    uint32    // tells it from the others
	suspected bool      // accessed by a foreigner inside a section, or in a race window

	// What follows is written under the lock of the registry.
	table    Policy // strongest policy in any table
	named    bool   // SetPolicy has named one of its sections: the tables do not count any more
	sections []*sectionState

	// policy is what single accesses and Holds obey, unless the settings ask for
	// more: PolicyOff, PolicyYield or PolicyLock. mixed says that under PolicyLock
	// some section is healed by yielding.
	policy Policy
	mixed  bool

	fallbacks breaker
	backOffs  futility

	held *Location // stands for fast Holds (fasthold.go); nil: there was none yet
	fast uint32    // the fastGeneration in which Holds may be fast

	guard *variable // whose healing lock is this one's, see sets.go; nil: it has its own
}

// registry gives the program's variables one identity each. It is written once a table entry, so its lock is no burden.
var registry struct {
	mu        sync.Mutex
	variables map[[2]string]*variable
	guards    map[[2]string]*variable
	sections  []*sectionState   // in the order in which they were met
	named     map[string]Policy // what SetPolicy has said, by the id of the section
	healing   bool              // some variable has a policy above PolicyOff
	said      map[any]bool      // what has been reported once already
}

// info returns v's shared state, registering it at first sight.
//
//go:norace
func (v *Variable) info() *variable {
	if k := (*variable)(loadPointer((*unsafe.Pointer)(unsafe.Pointer(&v.known)))); k != nil {
		return k
	}
	return v.register()
}

func (v *Variable) register() *variable {
	c := settings()
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return v.enter(c)
}

// enter gives v its shared state. The lock of the registry must be held.
func (v *Variable) enter(c *config) *variable {
	if registry.variables == nil {
		registry.variables = make(map[[2]string]*variable)
	}
	key := [2]string{v.Package, v.Name}
	k := registry.variables[key]
	if k == nil {
		k = &variable{of: v, number: uint32(len(registry.variables)), policy: PolicyOff}
		registry.variables[key] = k
	}
	if v.Guard != "" && k.guard == nil {
		k.guard = guardNamed([2]string{v.Package, v.Guard}, v)
	}
	if v.Policy > k.table {
		k.table = v.Policy
		k.decide(c)
	}
	publish(&v.known, k)
	return k
}

// guardNamed is the guard of that package and name. The lock of the registry must be
// held.
func guardNamed(key [2]string, of *Variable) *variable {
	if registry.guards == nil {
		registry.guards = make(map[[2]string]*variable)
	}
	g := registry.guards[key]
	if g == nil {
		g = &variable{of: of, policy: PolicyOff}
		registry.guards[key] = g
	}
	return g
}

// publish makes k visible to goroutines that read the pointer without a lock.
//
//go:norace
func publish(at **variable, k *variable) {
	quiet()
	atomic.StorePointer((*unsafe.Pointer)(unsafe.Pointer(at)), unsafe.Pointer(k))
	loud()
}

// first reports whether this is the first time that what is said.
func first(what any) bool {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.said[what] {
		return false
	}
	if registry.said == nil {
		registry.said = make(map[any]bool)
	}
	registry.said[what] = true
	return true
}
