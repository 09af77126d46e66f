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

// A later is the beginning of a goroutine or timer, at a place where locks are held that
// it does not have.
type later struct {
	at   ast.Node
	held locks.Set
	body *accesses.Body // the literal that runs, or nil
	fn   *types.Func    // or else the method, on the object at on
	on   accesses.Place
}

// startedUnder finds methods that test and change a field of their object without a lock
// of their own, since the callers have it, and that a goroutine or timer calls without any:
//
//	g.mu.Lock()
//	g.block()
//	go func() { time.Sleep(t); g.unblock() }() // elsewhere called under g.mu
//
// That it was started under the lock says nothing, for the lock is released by the time.
func (s *search) startedUnder() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, l := range s.begunLater() {
		if l.fn != nil {
			s.calledBare(l, l.at, l.fn, l.on)
			continue
		}
		s.locks.Walk(l.body, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if ok && ev.Kind == accesses.OnCall && len(held) == 0 {
				s.calledBare(l, call, s.locks.Callee(call), s.receiverOf(call))
			}
		})
	}
}

// begunLater lists what the body begins with a lock held, and does not wait for.
func (s *search) begunLater() []later {
	var list []later
	waits := token.NoPos // the last place where it waits
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		var call *ast.CallExpr
		switch ev.Kind {
		case accesses.OnReceive:
			waits = max(waits, ev.Pos())
			return
		case accesses.OnGo:
			call = ev.Node.(*ast.GoStmt).Call
			if l := s.run(call.Fun, call, held); l.body != nil || l.fn != nil {
				list = append(list, l)
			}
			return
		case accesses.OnCall:
			call = ev.Node.(*ast.CallExpr)
		default:
			return
		}
		fn := s.locks.Callee(call)
		if fn != nil && fn.Name() == "Wait" {
			waits = max(waits, ev.Pos())
		}
		timer := fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "AfterFunc"
		for i, a := range call.Args {
			if l := s.run(a, call, held); (timer || s.locks.Spawns(fn, i)) && (l.body != nil || l.fn != nil) {
				list = append(list, l)
			}
		}
	})
	return slices.DeleteFunc(list, func(l later) bool { return l.at.Pos() < waits }) // it is over by then
}

// run is what the function value e runs: a literal, a method that is bound to an object, or a function.
func (s *search) run(e ast.Expr, at ast.Node, held locks.Set) later {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		return later{at: at, held: held, body: s.pkg.ByNode[e]}
	case *ast.SelectorExpr:
		if fn, ok := s.pkg.Info.Uses[e.Sel].(*types.Func); ok {
			return later{at: at, held: held, fn: fn.Origin(), on: s.pkg.PlaceOf(e.X)}
		}
	case *ast.Ident:
		if fn, ok := s.pkg.Info.Uses[e].(*types.Func); ok {
			return later{at: at, held: held, fn: fn.Origin()}
		}
	}
	return later{}
}

// calledBare reports the call of the method on the object, without a lock, if the method
// tests and changes a field that is changed elsewhere under the lock held at the beginning.
func (s *search) calledBare(l later, call ast.Node, fn *types.Func, on accesses.Place) {
	b := s.pkg.ByFunc[fn]
	if b == nil || !on.Valid() || fn.Exported() || s.locks.Entry(b).Any() {
		return
	}
	lock := s.lockBeside(l.held, on)
	if !lock.Valid() {
		return
	}
	class := locks.ClassOf(lock)
	keeper := s.calledUnder(fn, class, l.body)
	if keeper == nil {
		return
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	r, w := s.testedAndChanged(fn, class)
	s.bodyState = current
	if w == nil {
		return
	}
	c := s.direct("discipline", "unguarded-access", r.Access, r.Pos(), call.Pos())
	c.Roles = [2]string{"tested with the lock", "tested and changed without it"}
	if call, ok := call.(*ast.CallExpr); ok && s.locks.Callee(call) == fn {
		c.EndVia, c.EndWithin = call, w.Pos()
	}
	c.Alike = fmt.Sprint(c.Category, fn.Name(), class)
	c.Message = fmt.Sprintf("%s is tested and changed here with %s held when %s calls %s, and without it by what %s begins, which runs on when the lock is released",
		types.ExprString(r.Expr), keeper.lock, keeper.body.Fn.Name, fn.Name(), s.body.Fn.Name)
	s.tell(c, r, w.Access)
}

// lockBeside is a lock of the object itself that is held exclusively, or nothing.
func (s *search) lockBeside(held locks.Set, on accesses.Place) accesses.Place {
	for _, l := range locksOf(held) {
		if held[l] == locks.Exclusive && l.Object() == on.Whole() {
			return l
		}
	}
	return accesses.Place{}
}

// A keeper is a function that calls another one with the lock held.
type keeper struct {
	body *accesses.Body
	lock accesses.Place
}

// calledUnder is a call of the method with a lock of the class held, other than in the
// body.
func (s *search) calledUnder(fn *types.Func, class string, but *accesses.Body) *keeper {
	for _, b := range s.callersOf(fn) {
		var found *keeper
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || b == but || found != nil {
				return
			}
			for _, l := range locksOf(held) {
				if held[l] == locks.Exclusive && locks.ClassOf(l) == class {
					found = &keeper{b, l}
				}
			}
		})
		if found != nil {
			return found
		}
	}
	return nil
}

// testedAndChanged is the first write of a field of the receiver, and the test of the same
// field that decides upon it, which all other functions change under a lock of the class,
// and one does.
func (s *search) testedAndChanged(fn *types.Func, class string) (r, w *occurrence) {
	recv := types.Object(fn.Signature().Recv())
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || w.place.Root != recv || w.held.Any() || !w.Var.Obj.IsField() {
			continue
		}
		for _, r := range s.order {
			if r.Mode == atomicity.Read && r.sameInstance(w) && s.decided(s.testsOf(r.Access, true), w.block) && s.changedUnder(w.Var, class, s.body) {
				return r, w
			}
		}
	}
	return nil, nil
}

// changedUnder says whether functions other than that of the body, if there is one, write the
// variable, once it is shared, all of them with a lock of the class held.
func (s *search) changedUnder(v access.Var, class string, but *accesses.Body) bool {
	found := false
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if but != nil && b.Outermost() == but.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Var != v || w.Mode != atomicity.Write || w.via != nil || s.reachOf(w) == shared.Private {
				continue
			}
			if w.heldAs(class) != locks.Exclusive {
				return false
			}
			found = true
		}
	}
	return found
}
