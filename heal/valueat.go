//go:build !atomrace_off

package heal

import "unsafe"

// Hooks look at the value of a variable where somebody else is near already: what an
// uncontended section would pay for it is nothing. They look directly beside the access,
// which needs the same memory, and hold no guard meanwhile: should the program have
// unmapped it and get over its fault, the guard is free. A plain load of a word that is aligned does not
// tear, and the race detector does not see it. What is seen orders nothing, and is for
// people alone.

// accessed is the variable at l: of a set, the member.
//
//go:norace
func (l *Location) accessed() *Variable {
	if of := l.of(); of != nil {
		return of
	}
	return l.Var
}

// valueAt is the value of the variable at l, which is at p, where l accesses it.
//
//go:norace
//go:noinline
func (l *Location) valueAt(p unsafe.Pointer) value {
	kind := l.accessed().Kind
	size := kind.size()
	if size == 0 || size > unsafe.Sizeof(p) || uintptr(p) < firstAddress || uintptr(p)%size != 0 {
		return value{}
	}
	v := value{kind: kind}
	switch size {
	case 1:
		v.bits = uint64(*(*uint8)(p))
	case 2:
		v.bits = uint64(*(*uint16)(p))
	case 4:
		v.bits = uint64(*(*uint32)(p))
	case 8:
		v.bits = *(*uint64)(p)
	}
	return v
}

// isWord reports whether the word of a mark names the variable at l, which is at p, and
// nothing else.
//
//go:norace
func (l *Location) isWord(mark uint64, p unsafe.Pointer) bool {
	return mark>>wordAddress == uint64(uintptr(p)) && mark>>wordLength&maxLength == uint64(l.accessed().Kind.size())
}

// left notes, in the cells in which the access of l by g at the tick is a suspect, the
// value after it. The guard must be held.
//
//go:norace
func (b *bucket) left(g G, l *Location, tick uint64, after value) {
	for c := b.cells(); c != nil; c = c.next {
		for i := range c.suspects {
			if s := &c.suspects[i]; s.by == g && s.location == l && s.from == tick {
				s.change.after = after
			}
		}
	}
}
