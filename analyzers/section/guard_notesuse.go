package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// notesUse finds functions that note, in what they have found in a map of a shared object, that it was
// asked for, with the lock of the map held for reading only:
//
//	c.mu.RLock(); defer c.mu.RUnlock(); e := c.m[key]; e.last = time.Now(); return e.value
//
// Two that ask for the same one write at the same time. What is found may be an element of a list,
// which holds the object: e.Value.(*entry).
func (s *search) notesUse() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.SetsGoing(s.body) || s.shared.Constructing(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.lit || !w.Var.Obj.IsField() || !s.onlyReading(w) || s.saidHere(w) {
			continue
		}
		sel, ok := ast.Unparen(w.Cell).(*ast.SelectorExpr)
		if !ok {
			continue
		}
		look := s.lookedUp(sel.X, 0)
		if look == nil || s.reachOf(look) < shared.Meant || !s.oneHold(look, w) {
			continue
		}
		lock := look.readingLock()
		if !lock.Valid() || !w.held.Holds(lock) || !s.heldForWriting(locks.ClassOf(lock)) || s.othersReadUnder(w, locks.ClassOf(lock)) == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		c := s.direct("discipline", "write-under-rlock", w.Access, w.Pos(), look.Pos())
		c.EndName = s.pkg.Name(look.Var)
		c.Roles = [2]string{"written", "looked up"}
		c.Message = fmt.Sprintf("%s is written here with %s held for reading only: two goroutines that look up the same %s can do so at the same time",
			types.ExprString(w.Expr), lock, s.pkg.Name(look.Var))
		s.tell(c, w, look.Access)
		return // one tells about the others
	}
}

// lookedUp is the look into a map of an object by which the expression, a variable that is assigned
// once, has what it refers to; or nil.
func (s *search) lookedUp(e ast.Expr, depth int) *occurrence {
	if depth > 5 {
		return nil // as for a = b; b = a
	}
	e = ast.Unparen(e)
	if assertion, ok := e.(*ast.TypeAssertExpr); ok {
		sel, isSel := ast.Unparen(assertion.X).(*ast.SelectorExpr)
		if !isSel || !isListElement(s.pkg.Info.TypeOf(sel.X)) {
			return nil
		}
		return s.lookedUp(sel.X, depth+1)
	}
	if id, ok := e.(*ast.Ident); ok {
		assigns := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(assigns) != 1 || assigns[0].value == nil {
			return nil
		}
		return s.lookedUp(assigns[0].value, depth+1)
	}
	index, ok := e.(*ast.IndexExpr)
	if !ok {
		return nil
	}
	for _, a := range s.values.reads[index] {
		if o := s.occ[a]; o != nil && o.Kind == access.MapElement && o.via == nil && o.place.Valid() && o.Var.Obj.IsField() {
			return o
		}
	}
	return nil
}

// readingLock is the lock of the very object that is held for reading.
func (o *occurrence) readingLock() accesses.Place {
	for _, l := range o.held.Places() {
		if o.held[l] == locks.Shared && l.Root == o.place.Root {
			return l
		}
	}
	return accesses.Place{}
}

// notedBelow is where another function looks, with the lock held for writing, at a field of what is in a
// map that the called method of it writes, if all others who access the field hold a lock of the class:
// e.touch() in the place of e.last = time.Now().
func (s *search) notedBelow(m mutatingCall) placed {
	b := s.pkg.ByFunc[s.locks.Callee(m.call)]
	if b == nil || m.of.Kind != access.MapElement || b.Func.Signature().Recv() == nil {
		return placed{}
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	class := locks.ClassOf(m.lock)
	for _, w := range s.stateOf(b).order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.place.Root != types.Object(b.Func.Signature().Recv()) {
			continue
		}
		var found placed
		for _, k := range s.ownAccesses(w.Var) {
			l := k.lockOf(class)
			switch s.bodyState = s.states[k.body]; {
			case k.body.Outermost() == b.Outermost() || k.lit:
			case !l.Valid():
				return placed{}
			case k.held[l] == locks.Exclusive && s.reachOf(k.occurrence) != shared.Private:
				found = k
			}
		}
		if found.occurrence != nil {
			return found
		}
	}
	return placed{}
}
