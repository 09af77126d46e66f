package section

import (
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// extent is the candidate's section as it has to be for healing: it begins with the
// first of several reads that the function makes in a row, and ends with the last
// store of what was read. A walk stops at the first write, and each read begins one;
// what is reported stays where they found it.
func (f *finding) extent(pattern atomicity.Pattern, ends []*hit) (entry *occurrence, last []*hit) {
	for _, h := range ends {
		h = f.restored(h)
		if !slices.ContainsFunc(last, func(l *hit) bool { return l.Access == h.Access }) {
			last = append(last, h)
		}
	}
	if pattern != atomicity.LoadAndStore {
		return f.entry, last
	}
	return f.firstRead(ends), last
}

// firstRead is the earliest read of the entry's instance that nothing but other
// accesses and assignments part from it, as of next in
//
//	chosen := pool[next]
//	next = (next + 1) % len(pool)
//
// One that opens a section with the same ends itself is left alone.
func (f *finding) firstRead(ends []*hit) *occurrence {
	e := f.entry
	if e.via != nil {
		return e
	}
	first := e
	events := f.body.Events[e.block]
	for i := e.index - 1; i >= 0; i-- {
		ev := events[i]
		if ev.Kind == accesses.OnAssign && !f.rebinds(ev.Node, e) {
			continue
		}
		if ev.Kind != accesses.OnAccess {
			break
		}
		o := f.occ[ev.Access]
		if o == nil || !o.sameInstance(e) {
			continue
		}
		if o.Mode != atomicity.Read || o.Kind != e.Kind || o.via != nil || f.flowsInto(o.Access, ends) {
			break
		}
		first = o
	}
	return first
}

// flowsInto says whether one of the ends stores a value computed from the read a.
func (f *finding) flowsInto(a *access.Access, ends []*hit) bool {
	return slices.ContainsFunc(ends, func(h *hit) bool {
		_, flows := f.flow(a, h.occurrence)
		return flows
	})
}

// flow says whether what the write o stores was computed from the read a, and whether
// plainly.
func (f *finding) flow(a *access.Access, o *occurrence) (plain, flows bool) {
	if o.Update == a {
		return true, true
	}
	values := o.stores
	if o.via == nil {
		values = stored(o.Access)
	}
	for _, e := range values {
		if plain, flows = f.values.of(e)[a]; flows {
			return plain, true
		}
	}
	return false, false
}

// restored is the last write after h, in the same run of statements, that stores what
// the entry has read, as the second one in
//
//	old := state.Load()
//	state.Store(busy)
//	work()
//	state.Store(old)
//
// It is h if there is none.
func (f *finding) restored(h *hit) *hit {
	if h.via != nil || h.Mode != atomicity.Write || f.entry.via != nil {
		return h
	}
	last := h
	for _, ev := range f.body.Events[h.block][h.index+1:] {
		switch ev.Kind {
		case accesses.OnAssign:
			if f.rebinds(ev.Node, f.entry) {
				return last
			}
		case accesses.OnAccess:
			o := f.occ[ev.Access]
			if o == nil || o.via != nil || o.Mode != atomicity.Write || !o.sameInstance(f.entry) {
				continue
			}
			if _, flows := f.flow(f.entry.Access, o); flows {
				last = &hit{occurrence: o, kept: h.kept, passed: h.passed, renewed: h.renewed, relooked: h.relooked}
			}
		}
	}
	return last
}

// ofAnother says whether the variable is a local of a function other than the one that makes the
// access, as where that is a part of it: there the local has another name, which atomicity.yaml
// would have to speak of.
func (f *finding) ofAnother(a *access.Access) bool {
	v := a.Var.Obj
	if v.IsField() || accesses.IsGlobal(v) || v.Pkg() != f.pkg.Types || a.Func == nil {
		return false
	}
	return v.Pos() < a.Func.Node.Pos() || a.Func.Node.End() <= v.Pos()
}
