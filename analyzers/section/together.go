package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// hold is one critical section of one body: what it does to the fields of one
// object under one lock of that object.
type hold struct {
	lock   accesses.Place
	since  token.Pos // the last acquisition before, NoPos for the body's start
	within token.Pos // that of the callee which takes the lock itself, for each time that it does
}

// fieldSet are the accesses of one hold by variable.
type fieldSet map[access.Var][]*occurrence

// couple is an ordered pair of variables of one struct.
type couple struct{ a, b access.Var }

// coupling says how the package handles a couple within single holds.
type coupling struct {
	written map[*accesses.Body]bool // both are written
	relied  map[*accesses.Body]bool // a is tested, and b read without a test of its own
	indexed map[*accesses.Body]bool // one of them tells where to find something in the other
}

// holdsOf groups the accesses of a body by the holds they are made in.
func (s *search) holdsOf(b *accesses.Body) map[hold]fieldSet {
	st := s.states[b]
	if st.holds != nil {
		return st.holds
	}
	var taken []struct {
		at   token.Pos
		lock accesses.Place
	}
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind != locks.Release {
					taken = append(taken, struct {
						at   token.Pos
						lock accesses.Place
					}{ev.Pos(), op.Lock})
				}
			}
		}
	}
	sets := map[hold]fieldSet{}
	st.holds = map[hold]fieldSet{} // recursion adds nothing
	for _, o := range st.order {
		if !o.place.Valid() || !o.Var.Obj.IsField() {
			continue
		}
		for l, m := range o.held {
			if m == locks.Possible || l.Root == nil || l.Root != o.place.Root {
				continue
			}
			h := hold{lock: l}
			for _, t := range taken {
				if t.lock == l && t.at <= o.Pos() && t.at > h.since {
					h.since = t.at
				}
			}
			if _, outside := o.outer[l]; o.via != nil && !outside {
				h.since, h.within = o.via.Pos(), s.sinceWithin(o) // the callee takes the lock itself
			}
			if sets[h] == nil {
				sets[h] = fieldSet{}
			}
			sets[h][o.Var] = append(sets[h][o.Var], o)
		}
	}
	st.holds = sets
	return sets
}

// sinceWithin is the acquisition of the hold in which the callee makes the access.
func (s *search) sinceWithin(o *occurrence) token.Pos {
	b := s.pkg.ByFunc[s.locks.Callee(o.via)]
	if b == nil || s.states[b] == nil || o.depth > maxDepth {
		return token.NoPos
	}
	at := token.NoPos
	for h, set := range s.holdsOf(b) {
		for _, p := range set[o.Var] {
			if p.source() == o.source() {
				at = max(at, h.since, h.within)
			}
		}
	}
	return at
}

// couplings computes which variables of the package belong together.
func (s *search) couplings() map[couple]*coupling {
	if s.coupled != nil {
		return s.coupled
	}
	s.coupled = map[couple]*coupling{}
	s.leading = map[access.Var]bool{}
	s.writers = map[access.Var]map[*accesses.Body]bool{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		for _, set := range s.holdsOf(b) {
			if len(set) > maxTogether {
				continue // it handles everything: that tells nothing
			}
			for v, list := range set {
				if s.writesOne(list) {
					if s.writers[v] == nil {
						s.writers[v] = map[*accesses.Body]bool{}
					}
					s.writers[v][b] = true
				}
			}
			s.couple(b, set)
		}
	}
	return s.coupled
}

// maxTogether bounds the variables of a hold that are taken for belonging
// together.
const maxTogether = 12

func (s *search) writesOne(list []*occurrence) bool {
	return slices.ContainsFunc(list, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && s.reachOf(o) != shared.Private
	})
}

func (s *search) couple(b *accesses.Body, set fieldSet) {
	for va, la := range set {
		for vb, lb := range set {
			if va.Obj == vb.Obj || la[0].place.Root != lb[0].place.Root {
				continue
			}
			written := s.writesOne(la) && s.writesOne(lb)
			relied := s.tested(la) && !s.tested(lb) && s.usedAfter(la, lb)
			indexed := s.indexes(la, lb) || s.indexes(lb, la)
			if !written && !relied && !indexed {
				continue
			}
			c := s.coupled[couple{va, vb}]
			if c == nil {
				c = &coupling{map[*accesses.Body]bool{}, map[*accesses.Body]bool{}, map[*accesses.Body]bool{}}
				s.coupled[couple{va, vb}] = c
				s.leading[va] = true
			}
			if written {
				c.written[b] = true
			}
			if relied {
				c.relied[b] = true
			}
			if indexed {
				c.indexed[b] = true
			}
		}
	}
}

// indexes says whether a read in la is part of the index by which an element of what lb
// reads, a slice, is taken: l.entries[i-l.base].
func (s *search) indexes(la, lb []*occurrence) bool {
	v := lb[0].Var
	if _, ok := v.Obj.Type().Underlying().(*types.Slice); !ok || !isNumber(la[0].Var) {
		return false
	}
	if v.Contents {
		return false
	}
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		x, ok := ast.Unparen(o.Expr).(*ast.IndexExpr)
		if !ok || o.via != nil || o.Kind != access.Element || o.Var.Obj != v.Obj {
			return false
		}
		from := s.values.of(x.Index)
		return slices.ContainsFunc(la, func(i *occurrence) bool { return i.Mode == atomicity.Read && i.via == nil && from[i.Access] })
	})
}

// tested says whether one of the reads decides a branch.
func (s *search) tested(list []*occurrence) bool {
	return slices.ContainsFunc(list, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && len(s.testsOf(o.Access, true)) > 0
	})
}

// usedAfter says whether one of the reads in lb is decided by a test of la and
// would not do with nil.
func (s *search) usedAfter(la, lb []*occurrence) bool {
	for _, o := range lb {
		if o.Mode != atomicity.Read || !s.dereferenced(o) {
			continue
		}
		for _, t := range la {
			if t.Mode == atomicity.Read && s.decided(s.testsOf(t.Access, true), o.block) {
				return true
			}
		}
	}
	return false
}

// dereferenced says whether the read is the operand of a selector or index that
// panics on nil.
func (s *search) dereferenced(o *occurrence) bool {
	if o.via != nil {
		return false
	}
	switch o.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
	default:
		return false
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || ast.Unparen(n.X) == o.Expr
		case *ast.StarExpr:
			found = found || ast.Unparen(n.X) == o.Expr
		case *ast.CallExpr:
			found = found || ast.Unparen(n.Fun) == o.Expr
		}
		return !found
	})
	return found
}
