package sched

// A section may be over a set of variables: it begins with an access to one of them,
// ends with an access to any, and is broken by what others do to any of them. Its
// variables are fields of one struct, or package-level variables of one package.

// A Member is a variable of a set besides the one that the section begins with.
type Member struct {
	Variable string // as Location.Variable
	// Offset is where a field begins in its struct and Size how long it is, in bytes.
	// Without a size it is a package-level variable, whose accesses are known by
	// their locations.
	Offset, Size uintptr
}

// hasVariable says whether the section is about the variable.
func (s *Section) hasVariable(name string) bool {
	if name == s.Variable {
		return true
	}
	for i := range s.Members {
		if s.Members[i].Variable == name {
			return true
		}
	}
	return false
}

// meets says whether the operation is on a variable of the section, in a map on its
// entry.
func (o *openSection) meets(op *Operation) bool {
	return o.memory.meets(op) || o.meetsMember(op)
}

// isAbout is meets, for any entry of a map.
func (o *openSection) isAbout(op *Operation) bool {
	return o.memory.overlaps(op) || o.meetsMember(op)
}

func (o *openSection) meetsMember(op *Operation) bool {
	for i := range o.section.Members {
		m := &o.section.Members[i]
		if m.Size == 0 {
			if op.Location != nil && op.Location.Variable == m.Variable {
				return true
			}
			continue
		}
		if at, a := o.place(m), uintptr(op.Object); at < a+op.Size && a < at+m.Size {
			return true
		}
	}
	return false
}

// place is the address of a field.
func (o *openSection) place(m *Member) uintptr {
	return uintptr(o.memory.Object) - o.section.Offset + m.Offset
}

// words calls visit with the addresses that are known of the variables.
func (o *openSection) words(visit func(at uintptr)) {
	visit(uintptr(o.memory.Object))
	for i := range o.section.Members {
		if m := &o.section.Members[i]; m.Size > 0 {
			visit(o.place(m))
		}
	}
}
