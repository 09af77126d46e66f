package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockedCall is one call of a function that leaves the lock to its caller.
type lockedCall struct {
	body *accesses.Body
	call *ast.CallExpr
	held locks.Set
}

// lockedCalls lists, for each function of the package whose name ends in
// Locked, and each method that is not exported, the calls of it outside tests and
// constructors.
func (s *search) lockedCalls() map[*types.Func][]lockedCall {
	if s.contracts != nil {
		return s.contracts
	}
	s.contracts = map[*types.Func][]lockedCall{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		if s.shared.Constructing(b) || s.shared.Sequential(b) {
			continue
		}
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				return
			}
			if fn := s.locks.Callee(call); fn != nil && s.pkg.ByFunc[fn] != nil && (saysLocked(fn) || fn.Signature().Recv() != nil && !fn.Exported()) {
				s.contracts[fn] = append(s.contracts[fn], lockedCall{b, call, held})
			}
		})
	}
	return s.contracts
}

// saysLocked says whether the function's name says that its caller holds a lock.
func saysLocked(fn *types.Func) bool { return strings.HasSuffix(fn.Name(), "Locked") }

// ofLockedType says whether the body is a method of a type whose name says so, such as the bodyLocked
// of net/http.
func (s *search) ofLockedType() bool {
	fn := s.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	return tn != nil && strings.HasSuffix(tn.Name(), "Locked")
}

// broken finds calls, with nothing held, of functions whose name says that the
// caller holds a lock, and whose other callers do.
func (s *search) broken() {
	if s.shared.Sequential(s.body) || s.shared.SetsGoing(s.body) || s.ofLockedType() {
		return
	}
	for fn, calls := range s.lockedCalls() {
		if !saysLocked(fn) {
			continue
		}
		var here, keeper *lockedCall
		for i, c := range calls {
			switch {
			case c.body == s.body && len(c.held) == 0 && here == nil:
				here = &calls[i]
			case !c.held.Any():
				here = &lockedCall{} // the name is not the rule
			case keeper == nil && len(locksOf(c.held)) > 0:
				keeper = &calls[i]
			}
		}
		if here == nil || here.call == nil || keeper == nil || s.fresh(here.call) {
			continue
		}
		o := s.touched(fn)
		if o == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, here.call.Pos(), keeper.call.Pos())
		c.Via = here.call
		c.Within = o.where()
		c.Roles = [2]string{"accessed without the lock", "accessed with it"}
		c.Message = fmt.Sprintf("%s is called here without a lock, which by its name the caller holds, and all other callers do: %s in %s",
			types.ExprString(here.call.Fun), locksOf(keeper.held)[0], keeper.body.Fn.Name)
		s.tell(c, o, o.Access)
	}
}

// locksOf are those of the locks that have a name.
func locksOf(held locks.Set) []accesses.Place {
	var list []accesses.Place
	for _, l := range held.Places() {
		if l.Root != nil && held[l] > locks.Possible {
			list = append(list, l)
		}
	}
	return list
}

// fresh says whether the object that the method is called on belongs to the
// function alone.
func (s *search) fresh(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := s.pkg.PlaceOf(sel.X).Root.(*types.Var)
	return ok && s.shared.Object(s.body, v) == shared.Private
}

// touched is the first write, or else access, of the function to a field that
// others write.
func (s *search) touched(fn *types.Func) *occurrence {
	var found *occurrence
	for _, o := range s.states[s.pkg.ByFunc[fn]].order {
		if o.via != nil || !o.place.Valid() || !o.Var.Obj.IsField() || o.Kind == access.Atomic || !s.shared.Use(o.Var).Written() {
			continue
		}
		if o.Mode == atomicity.Write {
			return o
		}
		if found == nil {
			found = o
		}
	}
	return found
}
