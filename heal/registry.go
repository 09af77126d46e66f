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
	policy    Policy    // strongest policy seen in any table or section
	suspected bool      // accessed by a foreigner inside a section, or in a race window
}

// registry gives the program's variables one identity each. It is written once a table entry, so its lock is no burden.
var registry struct {
	mu        sync.Mutex
	variables map[[2]string]*variable
	said      map[any]bool // time-outs reported already, by section or variable
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
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.variables == nil {
		registry.variables = make(map[[2]string]*variable)
	}
	key := [2]string{v.Package, v.Name}
	k := registry.variables[key]
	if k == nil {
		k = &variable{of: v}
		registry.variables[key] = k
	}
	k.raise(v.Policy)
	publish(&v.known, k)
	return k
}

// raise remembers that some section of k wants at least policy p.
//
//go:norace
func (k *variable) raise(p Policy) {
	if p > k.policy {
		k.policy = p
		if p > PolicyOff {
			settings().renew()
		}
	}
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
