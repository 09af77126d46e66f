package atomicity

import "strings"

// AccessSet is a set of access modes, the A of papers/001 section 3.2: the
// foreign accesses that may come between without breaking a section. A single
// mode (the mode of a Location) is the set of that mode alone.
type AccessSet uint8

const (
	// Read is a load of the variable.
	Read AccessSet = 1 << iota
	// Write is a store to the variable.
	Write
	// ReadWrite holds both modes: an end point that no foreign access breaks.
	ReadWrite = Read | Write
)

// accessNames gives the modes in the order in which sets are written.
var accessNames = [...]struct {
	mode AccessSet
	name string
}{{Read, "read"}, {Write, "write"}}

// Has reports whether every mode of other is in the set.
func (a AccessSet) Has(other AccessSet) bool { return a&other == other }

// Complement returns the modes that are not in the set.
func (a AccessSet) Complement() AccessSet { return ReadWrite &^ a }

// Names returns the modes of the set as atomicity.yaml writes them, read first.
func (a AccessSet) Names() []string {
	names := make([]string, 0, len(accessNames))
	for _, m := range accessNames {
		if a.Has(m.mode) {
			names = append(names, m.name)
		}
	}
	return names
}

// String returns the set as the papers write it: {}, {read}, {write} or
// {read, write}.
func (a AccessSet) String() string { return "{" + strings.Join(a.Names(), ", ") + "}" }
