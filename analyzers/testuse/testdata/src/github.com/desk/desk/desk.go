// Package desk tells others of guests.
package desk

// Listener is told of guests.
type Listener interface {
	Arrives(name string)
	Leaves(name string)
}

// Open tells of guests as they come.
func Open(Listener) {}
