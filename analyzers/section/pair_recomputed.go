package section

import (
	"fmt"
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

// A recompute is a method that reads a variable under a lock of its receiver, releases
// the lock, and stores in another variable what it has computed from it, under the lock
// taken anew and without another look at the first.
type recompute struct {
	read, write *occurrence
}

// recomputed finds functions that change a variable under its lock, release the lock,
// and then call the method that computes another variable from it, which takes the lock
// twice: c.mu.Lock(); c.nodes = nodes; c.mu.Unlock(); c.rebuildRing(). Of two goroutines
// that do so, the one whose method has looked earlier can store later, and so it is where
// the function does by itself what the method does; derived is the same of atomic flags.
func (s *search) recomputed() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) || s.shared.Single(s.body) || s.shared.SetsGoing(s.body) {
		return
	}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() {
			return
		}
		on := s.receiverOf(call)
		if !on.Valid() {
			return
		}
		fn := s.locks.Callee(call)
		for _, r := range s.recomputes(fn) {
			if w := s.changeBefore(r.read.Var, on, block, index); w != nil && w.Var.Obj != nil {
				c := s.outrun(w, call.Pos(), r, types.ExprString(call.Fun)+" has looked at it earlier")
				c.EndVia, c.EndWithin = call, r.write.Pos()
				s.tell(c, w, r.write.Access)
				return
			}
		}
	})
	if s.body.Func == nil || s.body.Func.Signature().Recv() == nil {
		return
	}
	for _, r := range s.recomputes(s.body.Func) {
		on := accesses.Place{Root: r.read.place.Root}
		if w := s.changeBefore(r.read.Var, on, r.read.block, r.read.index); w != nil && w.Var.Obj != nil && !s.oneHold(w, r.read) && !s.leadsTo(r.read, w) {
			s.tell(s.outrun(w, r.write.Pos(), r, "it is looked at earlier"), w, r.write.Access)
			return
		}
	}
}

// changeBefore is a write of the variable by the body itself, under a lock of the object,
// from which control comes to the place of a call, or nil.
func (s *search) changeBefore(v access.Var, on accesses.Place, block, index int) *occurrence {
	call := &occurrence{Access: &access.Access{}, block: block, index: index}
	for _, w := range s.order {
		if w.Var == v && w.Mode == atomicity.Write && w.via == nil && w.place.Object() == on.Whole() && ownHold(w) == locks.Exclusive &&
			s.reachOf(w) != shared.Private && s.leadsTo(w, call) {
			return w
		}
	}
	return nil
}

func (s *search) outrun(w *occurrence, end token.Pos, r recompute, looks string) *Candidate {
	c := s.direct("multivar", "multi-variable", w.Access, w.Pos(), end)
	c.EndName = s.pkg.Name(r.write.Var)
	c.Roles = [2]string{"changed", "computed anew"}
	c.Alike = fmt.Sprint(c.Category, c.Name, c.EndName)
	c.Message = fmt.Sprintf("of two goroutines that change %s here, the one for which %s can store %s later, which then stays out of date: the lock is released in between",
		types.ExprString(w.Cell), looks, c.EndName)
	return c
}

// recomputes lists what the method recomputes.
func (s *search) recomputes(fn *types.Func) []recompute {
	list, known := s.recompute[fn]
	if known {
		return list
	}
	s.recompute[fn] = nil
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.CFG.Blocks) > maxBlocks || s.shared.Constructing(b) {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	recv := types.Object(fn.Signature().Recv())
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.via != nil || e.place.Root != recv || e.key != "" || ownHold(e) == locks.Possible {
			continue
		}
		s.later(e, func(o *occurrence) {
			if o.Mode == atomicity.Write && o.via == nil && o.key == "" && s.computedOf(o, e) && !s.handledIn(e, o, atomicity.ReadWrite) && !s.sameStill(o) && !s.storedOtherwise(o.Var) {
				list = append(list, recompute{e, o})
			}
		})
	}
	s.recompute[fn] = list
	return list
}

// computedOf says whether what w stores depends on what e has read, and not on w's own
// variable: then it would be brought up to date.
func (s *search) computedOf(w, e *occurrence) bool {
	depends := false
	for _, v := range stored(w.Access) {
		for a := range s.values.of(v) {
			depends = depends || a == e.Access
			if a.Var == w.Var {
				return false
			}
		}
	}
	return depends
}

// sameStill says whether a test that decides upon the write compares two reads of one
// field, such as a version.
func (s *search) sameStill(w *occurrence) bool {
	for block, conds := range s.body.Conds {
		for _, c := range conds {
			read := map[access.Var]*access.Access{}
			for a := range s.values.of(c) {
				if known := read[a.Var]; known != nil && known != a && a.Var.Obj.IsField() && s.decided([]int{block}, w.block) {
					return true
				}
				read[a.Var] = a
			}
		}
	}
	return false
}

// storedOtherwise says whether some other function stores more than nil or a constant in
// the variable: then it is more than what is computed here.
func (s *search) storedOtherwise(v access.Var) bool {
	for b := range s.shared.Use(v).Writers() {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for _, o := range s.stateOf(b).order {
			if o.Var != v || o.Mode != atomicity.Write || o.via != nil {
				continue
			}
			for _, e := range stored(o.Access) {
				if tv := s.pkg.Info.Types[e]; !tv.IsNil() && tv.Value == nil {
					return true
				}
			}
		}
	}
	return false
}

// askedUnderLock says whether what the end stores comes from a call that can fail, made
// with the lock of the end held: who has waited for the lock asks again for what another
// one has just fetched, and puts it in its place. What is computed ahead of the lock is
// another matter: there the one who comes second could not know.
func (f *finding) askedUnderLock(end *hit) bool {
	values := stored(end.source())
	if end.via != nil || len(values) != 1 {
		return false
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	var call *ast.CallExpr
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		if f.values.reads[ast.Unparen(d.value)] != nil {
			continue // what the entry has read stood there before
		}
		if call != nil {
			return false
		}
		if call, ok = ast.Unparen(d.value).(*ast.CallExpr); !ok {
			return false
		}
	}
	if call == nil {
		return false
	}
	results, ok := f.pkg.Info.TypeOf(call).(*types.Tuple)
	if !ok || !isError(results.At(results.Len()-1).Type()) {
		return false
	}
	for block, events := range f.body.Events {
		for i, ev := range events {
			if ev.Kind == accesses.OnCall && ev.Node == ast.Node(call) {
				held := f.heldAt(block, i)
				return slices.ContainsFunc(held.Places(), func(l accesses.Place) bool {
					return held[l] == locks.Exclusive && end.held[l] == locks.Exclusive
				})
			}
		}
	}
	return false
}
