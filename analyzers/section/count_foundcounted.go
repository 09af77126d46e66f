package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// foundThenCounted finds objects that are looked up in a map under its lock and counted as in use
// when that has been released, while another function takes those out of the map whose count it
// finds to be zero:
//
//	c.mu.Lock(); h := c.open[name]; c.mu.Unlock()
//	h.refs.Add(1)       // evict, under c.mu: if h.refs.Load() == 0 { h.f.Close(); delete(c.open, name) }
//
// What is counted then may be out of the map already, and closed. The count may also be a
// sync.WaitGroup, which the other one waits for when it has deleted the object.
func (s *search) foundThenCounted() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Kind != access.MapElement || look.Mode != atomicity.Read || look.lit || look.depth > 1 || !look.held.Any() || s.reachOf(look) == shared.Private {
			continue
		}
		locals := s.holding(look)
		if len(locals) == 0 {
			continue
		}
		for _, in := range s.order {
			if in.depth > 1 || in.later || !slices.Contains(locals, in.place.Root) || s.steps(in) <= 0 || !s.leadsTo(look, in) || !s.apart(look, in.block, in.index) || s.tellsGone(look, in, locals) {
				continue
			}
			if gone := s.goneWhenZero(look, in); gone.occurrence != nil {
				s.countsGoneObject(look, in, gone)
				return
			}
		}
		for _, add := range s.groupCalls("Add") {
			if !slices.Contains(locals, s.pkg.PlaceOf(add.on).Root) {
				continue
			}
			in := &occurrence{Access: &access.Access{Expr: add.call, Var: access.Var{Obj: add.group}}, block: add.block, index: add.index, held: add.held}
			if !s.leadsTo(look, in) || !s.apart(look, add.block, add.index) || s.tellsGone(look, in, locals) || s.saidHere(look) {
				continue
			}
			if s.goneAndAwaited(look, add.group) {
				s.late(look, add.call, add.call, add.on)
				return
			}
		}
	}
}

func (s *search) countsGoneObject(look, in *occurrence, gone placed) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, look.Var, map[*accesses.Body]bool{gone.body: true}); !strong {
		return
	}
	c := s.direct("testuse", "use-after-unlock", look.source(), look.Pos(), in.Pos())
	c.Via, c.EndVia = look.via, in.via
	c.EndName = s.pkg.Name(in.source().Var)
	c.Roles = [2]string{"looked up", "counted in"}
	c.Message = fmt.Sprintf("by the time it is counted in %s, %s can have found the object unused and taken it out of %s, under the lock which is held here no longer than it takes to look it up",
		in.place, gone.body.Fn.Name, s.pkg.Name(access.Var{Obj: look.Var.Obj}))
	s.tell(c, look, in.source())
}

// steps says whether the write counts up a number that is a field, atomically or not, or down.
func (s *search) steps(o *occurrence) int {
	if !o.place.Valid() || !o.Var.Obj.IsField() {
		return 0
	}
	if o.Kind == access.Atomic {
		call, ok := o.source().Expr.(*ast.CallExpr)
		switch {
		case !ok || o.Mode != atomicity.Write || !adds(o.source()) || len(call.Args) > 2:
			return 0
		case o.Method == "Inc":
			return 1
		case o.Method == "Dec" || len(call.Args) == 0:
			return -1
		}
		if sign := constSign(s.pkg.Info.Types[call.Args[len(call.Args)-1]].Value); sign != 2 {
			return sign
		}
		return 0
	}
	if o.Mode != atomicity.Write || o.source().Update == nil {
		return 0
	}
	return direction(o)
}

// tellsGone says whether the body looks at the map once more after the look, or decides by a field
// of the object about the count, or after it, which may tell that the object is gone.
func (s *search) tellsGone(look, in *occurrence, locals []types.Object) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		if o == look || o == in || o.Mode != atomicity.Read || !s.leadsTo(look, o) {
			return false
		}
		if o.Var == look.Var && o.Pos() != look.Pos() {
			return true
		}
		return slices.Contains(locals, o.place.Root) && o.Var.Obj.IsField() && len(s.testsOf(o.Access, false)) > 0
	})
}

// goneWhenZero is where another function deletes from the map what it finds unused by the count,
// all under the lock of the map. Some function counts down.
func (s *search) goneWhenZero(look, in *occurrence) placed {
	if !slices.ContainsFunc(s.ownAccesses(in.Var), func(k placed) bool { return s.steps(k.occurrence) < 0 }) {
		return placed{}
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, gone := range s.ownAccesses(look.Var) {
		if gone.source().Method != "delete" || gone.body.Outermost() == current.body.Outermost() || gone.heldBy(look) != locks.Exclusive {
			continue
		}
		s.bodyState = s.states[gone.body]
		if slices.ContainsFunc(s.order, func(r *occurrence) bool {
			return r.Var == in.Var && r.heldBy(look) == locks.Exclusive && s.decided(s.testsOf(r.Access, false), gone.block)
		}) {
			return gone
		}
	}
	return placed{}
}

// goneAndAwaited says whether another function deletes from the map and waits for the group after that.
func (s *search) goneAndAwaited(look *occurrence, group *types.Var) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, gone := range s.ownAccesses(look.Var) {
		if gone.source().Method != "delete" || gone.body.Outermost() == current.body.Outermost() || gone.heldBy(look) != locks.Exclusive {
			continue
		}
		s.bodyState = s.states[gone.body]
		for _, wait := range s.groupCalls("Wait") {
			if wait.group == group && s.leadsTo(gone.occurrence, &occurrence{Access: &access.Access{}, block: wait.block, index: wait.index}) {
				return true
			}
		}
	}
	return false
}

// heldBy is how a lock of the class of one that is held at the look is held.
func (o *occurrence) heldBy(look *occurrence) locks.Mode {
	mode := locks.Possible
	for _, l := range locksOf(look.held) {
		mode = max(mode, o.held[o.lockOf(locks.ClassOf(l))])
	}
	return mode
}
