package sched

import "unsafe"

// A section may begin or end with an access that a method makes, where the function
// that has the section calls it: CallNM calls fn with N arguments and M results, and p
// is the address of the field that the method accesses, nil if its receiver is.
//
// The section begins and ends with the access itself, inside the call: what others do
// before it or after it within the method is outside, or inside, as it would be if the
// access stood in the place of the call. With several it begins at the last one, and
// ends at the first. A call that makes none begins nothing, and what it ends is over
// without a verdict.

// A calling is such a call that has not returned.
type calling struct {
	location *Location
	object   unsafe.Pointer
	write    bool // which of the accesses count
	frame    int  // the activation that calls
	made     bool // has there been one?

	keyed     bool // the access is to an entry of a map, see entrycall.go
	container Container
	key       any
}

// called is the end of a call, for defer.
type called struct {
	g     *Goroutine // nil outside of control
	depth int
}

func begin(call calling, at unsafe.Pointer) (c called) {
	if at == nil {
		return c
	}
	g := enter()
	if g == nil {
		return c
	}
	call.frame = g.frames
	g.calls = append(g.calls, call)
	c = called{g, len(g.calls)}
	leave(g)
	return c
}

func beginAt(loc *Location, p unsafe.Pointer, write bool) called {
	return begin(calling{location: loc, object: p, write: write}, p)
}

func (c called) end() {
	if c.g == nil {
		return
	}
	g := enter()
	if g == nil {
		return
	}
	if g == c.g {
		g.engine.returns(g, c.depth)
	}
	leave(g)
}

// returns is the end of the call at that depth.
func (e *engine) returns(g *Goroutine, depth int) {
	call := &g.calls[depth-1]
	if !call.made {
		for _, end := range call.location.Ends {
			for i := len(g.open) - 1; i >= 0; i-- {
				if o := g.open[i]; o.section == end.Section && o.frame == call.frame {
					e.close(o)
				}
			}
		}
	}
	clear(g.calls[depth-1:])
	g.calls = g.calls[:depth-1]
}

// visitIn is visit for an access within a call.
func (e *engine) visitIn(g *Goroutine, call *calling, op *Operation) {
	if !call.makes(op) {
		return
	}
	at := *op
	at.Location, at.Inside = call.location, op.Location
	if !call.made {
		for i := range at.Location.Ends {
			e.end(g, &at.Location.Ends[i], &at)
		}
	}
	call.made = true
	for _, s := range at.Location.Entry {
		e.enter(g, s, &at, call.frame)
	}
}

// Field is the address of the field at the offset in the object at p, nil if p is.
func Field(p unsafe.Pointer, offset uintptr) unsafe.Pointer {
	if p == nil {
		return nil
	}
	return unsafe.Add(p, offset)
}

func Call00(loc *Location, p unsafe.Pointer, write bool, fn func()) {
	defer beginAt(loc, p, write).end()
	fn()
}

func Call01[R any](loc *Location, p unsafe.Pointer, write bool, fn func() R) R {
	defer beginAt(loc, p, write).end()
	return fn()
}

func Call02[R, S any](loc *Location, p unsafe.Pointer, write bool, fn func() (R, S)) (R, S) {
	defer beginAt(loc, p, write).end()
	return fn()
}

func Call10[A any](loc *Location, p unsafe.Pointer, write bool, fn func(A), a A) {
	defer beginAt(loc, p, write).end()
	fn(a)
}

func Call11[A, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A) R, a A) R {
	defer beginAt(loc, p, write).end()
	return fn(a)
}

func Call12[A, R, S any](loc *Location, p unsafe.Pointer, write bool, fn func(A) (R, S), a A) (R, S) {
	defer beginAt(loc, p, write).end()
	return fn(a)
}

func Call20[A, B any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B), a A, b B) {
	defer beginAt(loc, p, write).end()
	fn(a, b)
}

func Call21[A, B, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B) R, a A, b B) R {
	defer beginAt(loc, p, write).end()
	return fn(a, b)
}

func Call22[A, B, R, S any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B) (R, S), a A, b B) (R, S) {
	defer beginAt(loc, p, write).end()
	return fn(a, b)
}

func Call30[A, B, C any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B, C), a A, b B, c C) {
	defer beginAt(loc, p, write).end()
	fn(a, b, c)
}

func Call31[A, B, C, R any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B, C) R, a A, b B, c C) R {
	defer beginAt(loc, p, write).end()
	return fn(a, b, c)
}

func Call32[A, B, C, R, S any](loc *Location, p unsafe.Pointer, write bool, fn func(A, B, C) (R, S), a A, b B, c C) (R, S) {
	defer beginAt(loc, p, write).end()
	return fn(a, b, c)
}
