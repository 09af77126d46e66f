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

// mapOfPart finds methods that let a part of their object look into a map of its own, without any
// lock, where all other methods that do so hold one lock of the object, and the map is changed under
// it:
//
//	func (t *tracker) Me() *Nick          { return t.me.copy() }   // walks through n.rooms
//	func (t *tracker) Get(n string) *Nick { t.mu.Lock(); defer t.mu.Unlock(); return t.nicks[n].copy() }
//	func (t *tracker) Join(room string)   { t.mu.Lock(); defer t.mu.Unlock(); t.me.join(room) }
//
// A look into a map that another goroutine changes ends the program.
func (s *search) mapOfPart() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || !s.shared.Entered(s.body) || s.readies() || s.builds() || s.formatsUnasked() || s.shared.Constructing(s.body) {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	owner := accesses.TypeName(recv.Type())
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(s.heldAtCall(call)) > 0 {
				continue
			}
			to, on := s.locks.Callee(call), s.receiverOf(call)
			if to == nil || on.Root != recv || on.Path == "" || accesses.TypeName(to.Signature().Recv().Type()) == owner || s.shared.Locks(to.Signature().Recv().Type()) {
				continue
			}
			if s.looksBelow(call, to, owner) {
				return
			}
		}
	}
}

// looksBelow tells of the first look of the method called into a map of its object, if it is one for
// which the caller should hold the lock.
func (s *search) looksBelow(call *ast.CallExpr, to *types.Func, owner *types.TypeName) bool {
	for _, o := range s.states[s.pkg.ByFunc[to]].order {
		if o.via != nil || o.Mode != atomicity.Read || o.Kind != access.MapElement && o.Kind != access.MapWhole || !o.Var.Obj.IsField() || o.place.Root != types.Object(to.Signature().Recv()) || len(locksOf(o.held)) > 0 {
			continue
		}
		class, keeper := s.callersHold(to, owner)
		if class == "" {
			continue
		}
		w, in := s.changedBelow(o.Var, class)
		if w == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, call.Pos(), keeper.call.Pos())
		c.Via, c.Within = call, o.where()
		c.Roles = [2]string{"looked into without the lock", "looked into with it"}
		c.Message = fmt.Sprintf("%s looks into %s here without a lock, with which all others call it, as %s does, and %s changes the map",
			types.ExprString(call.Fun), s.pkg.Name(o.Var), keeper.body.Fn.Name, in.Fn.Name)
		s.tell(c, o, w.Access)
		return true
	}
	return false
}

// callersHold is the class of the lock of the type that all other methods hold which call the method,
// two or more of them, and one of these; or "".
func (s *search) callersHold(to *types.Func, owner *types.TypeName) (class string, keeper *lockedCall) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	calls := 0
	for _, b := range s.callersOf(to) {
		if b == current.body || s.shared.Constructing(b) || receiverType(b) == accesses.TypeName(to.Signature().Recv().Type()) {
			continue // those of the part itself are called by others in turn
		}
		s.bodyState = s.states[b]
		ok := true
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, isCall := ev.Node.(*ast.CallExpr)
			if !isCall || ev.Kind != accesses.OnCall || s.locks.Callee(call) != to {
				return
			}
			own := false
			for _, l := range locksOf(held) {
				if v, isVar := l.Root.(*types.Var); isVar && accesses.TypeName(v.Type()) == owner && (class == "" || locks.ClassOf(l) == class) {
					class, own = locks.ClassOf(l), true
				}
			}
			if !own {
				ok = false
			} else if keeper == nil {
				keeper = &lockedCall{b, call, held}
			}
			calls++
		})
		if !ok {
			return "", nil
		}
	}
	if calls < 2 {
		return "", nil
	}
	return class, keeper
}

// receiverType is the type whose method the body is of, or nil.
func receiverType(b *accesses.Body) *types.TypeName {
	fn := b.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil {
		return nil
	}
	return accesses.TypeName(fn.Signature().Recv().Type())
}

// changedBelow is a change of the map by a method, or by what it calls, that holds a lock of the class
// for writing, unless others change it without.
func (s *search) changedBelow(v access.Var, class string) (w *occurrence, in *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || b.Func == nil || !b.Func.Exported() {
			continue
		}
		for _, k := range s.states[b].order {
			if k.Var != v || k.Mode != atomicity.Write || k.Kind != access.MapElement && k.Kind != access.MapWhole {
				continue
			}
			if l := k.lockOf(class); !l.Valid() || k.held[l] != locks.Exclusive {
				private := false
				s.inState(b, func() { private = s.reachOf(k) == shared.Private })
				if !private {
					return nil, nil
				}
				continue
			}
			w, in = k, b
		}
	}
	return w, in
}
