package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// refreshed finds what a function reads without the lock under which a method, which it has called
// just before, stores another one whenever that is due:
//
//	if err := t.refresh(ctx); err != nil { // t.mu.Lock(); …; t.token = next
//		return err
//	}
//	use(t.token)
//
// The next goroutine's refresh stores one while this one reads. What such a method stores once, as
// it finds nothing there, is no such thing.
func (s *search) refreshed() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.readies() || s.builds() || s.formatsUnasked() {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || !o.Var.Obj.IsField() || s.heldThere(o) || s.reachOf(o) < shared.Meant || s.waitedBefore(o) || s.madeAnew(o) {
			continue
		}
		class := s.writtenUnder(o)
		if class == "" || s.setOnce(o.Var) || s.ownWhileSet(o) {
			continue
		}
		r := s.renewal(o, class)
		if r == nil || s.testedAhead(o, r.call) || s.saidHere(o) {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong {
			continue
		}
		by := types.ExprString(r.call.Fun)
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), r.write.Pos())
		c.Roles = [2]string{"read without the lock", "stored with it"}
		c.Message = fmt.Sprintf("%s is read here after %s has released %s, under which the %s of another goroutine can store a new one meanwhile",
			types.ExprString(o.Expr), by, r.write.lockOf(class), by)
		s.tell(c, o, r.write.Access)
		return
	}
}

// A renewal is a call of a method that stores something new in a field of its object.
type renewal struct {
	call  *ast.CallExpr
	write *occurrence // by the method
}

// renewal is the last method called on the way to o that stores another value in the same instance, with
// a lock of the class that it takes itself, whether or not there is something already; or nil.
func (s *search) renewal(o *occurrence, class string) *renewal {
	var last *renewal
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || last != nil && call.Pos() < last.call.Pos() {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || s.pkg.PlaceOf(sel.X).Root != o.place.Root || s.pkg.PlaceOf(sel.X).Path != path(o.place.Path) {
				continue
			}
			if !s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, o) {
				continue
			}
			if b := s.pkg.ByFunc[s.locks.Callee(call)]; b != nil && b != s.body {
				if w := s.storesAnew(b, o.Var, class); w != nil {
					last = &renewal{call, w}
				}
			}
		}
	}
	return last
}

// path is that of the object which the field of the path is a part of.
func path(field string) string { return field[:max(strings.LastIndex(field, "."), 0)] }

// storesAnew is a write of the receiver's variable by the body of a method, with a lock of the class that
// the method takes itself, of a value that need not be the same each time; or nil. There is none if
// it stores only where it finds nothing.
func (s *search) storesAnew(b *accesses.Body, v access.Var, class string) *occurrence {
	recv := b.Func.Signature().Recv()
	if recv == nil {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	entry := s.locks.Entry(b)
	for _, w := range s.order {
		if w.Var != v || w.via != nil || w.Mode != atomicity.Write || w.place.Root != types.Object(recv) {
			continue
		}
		l := w.lockOf(class)
		if _, before := entry[l]; before || w.held[l] != locks.Exclusive || s.fills(w) || s.firstMakes(w) {
			continue
		}
		return w
	}
	return nil
}

// fills says whether the body makes the write only where it has found nothing there, or stores
// nothing: a constant.
func (s *search) fills(w *occurrence) bool {
	for _, v := range stored(w.Access) {
		if tv := s.pkg.Info.Types[v]; tv.Value != nil || tv.IsNil() {
			return true
		}
	}
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.via == nil && r.sameInstance(w) && s.finds(r, w, false)
	})
}

// firstMakes says whether the body makes the write only where a flag of the same object is not set, which it
// sets itself and nobody takes back: the first one that comes makes all there is to make.
func (s *search) firstMakes(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.via == nil && r.Var != w.Var && r.place.Root == w.place.Root && s.decided(s.testsOf(r.Access, true), w.block) && s.setForGood(r)
	})
}

// setForGood says whether the body alone sets the flag that is read there, to a constant.
func (s *search) setForGood(r *occurrence) bool {
	sets := false
	for _, k := range s.ownAccesses(r.Var) {
		if k.Mode != atomicity.Write {
			continue
		}
		values := stored(k.Access)
		if k.body != s.body || len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil {
			return false
		}
		sets = true
	}
	return sets
}

// testedAhead says whether the body looks whether there is something before it makes the call.
func (s *search) testedAhead(o *occurrence, call *ast.CallExpr) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.sameInstance(o) && r.Pos() < call.Pos() && len(s.testsOf(r.Access, true)) > 0
	})
}
