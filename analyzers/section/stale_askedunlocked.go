package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// askedUnlocked finds methods that ask another method of the object whether they may go on, and
// only then take the lock under which they change the object, where another one asks the same
// under the lock, and changes there what the answer is made of:
//
//	if !s.wants(k) { return false }
//	s.mu.Lock(); defer s.mu.Unlock()
//	s.notes.Set(k, v)                  // Add: s.mu.Lock(); if !s.wants(k) { … }; s.best.Set(k, v)
//
// The answer need not hold any more when the lock is taken.
func (s *search) askedUnlocked() {
	recv := s.recvOf(s.body)
	if recv == nil || s.shared.Constructing(s.body) {
		return
	}
	for _, q := range s.questions(recv) {
		if q.held.Any() || len(q.held) > 0 {
			continue
		}
		lock, acts := s.actsLater(recv, q)
		if acts == nil {
			continue
		}
		field, in := s.asksUnder(q.fn, lock)
		if in == nil || s.asksInline(recv, field, q.call) {
			continue
		}
		a := &access.Access{Var: access.Var{Obj: field}, Mode: atomicity.Read, Func: s.body.Fn, Expr: q.call, Cell: q.call}
		c := s.direct("testuse", "test-before-lock", a, q.call.Pos(), acts.Pos())
		c.Protected = lock.String()
		c.Message = fmt.Sprintf("%s is asked before %s is taken, and not again: another goroutine can change %s in between, as %s asks and changes it under the lock", q.fn.Name(), lock, field.Name(), in.Name)
		s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: recv, Path: "." + field.Name()}}, a)
		return
	}
}

// A question is the call of a method of the receiver by which the body decides whether to return.
type question struct {
	call *ast.CallExpr
	fn   *types.Func
	held locks.Set
}

func (s *search) recvOf(b *accesses.Body) types.Object {
	if b.Func == nil || b.Func.Signature().Recv() == nil {
		return nil
	}
	return b.Func.Signature().Recv()
}

// questions are those of the body: if !s.wants(k) { return false }.
func (s *search) questions(recv types.Object) []question {
	calls := map[*ast.CallExpr]bool{}
	for _, stmt := range s.body.Block.List {
		branch, ok := stmt.(*ast.IfStmt)
		if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) == 0 {
			continue
		}
		if _, leaves := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt); !leaves {
			continue
		}
		cond := ast.Unparen(branch.Cond)
		if not, ok := cond.(*ast.UnaryExpr); ok {
			cond = ast.Unparen(not.X)
		}
		if call, ok := cond.(*ast.CallExpr); ok && isBoolean(s.pkg.Info.TypeOf(call)) {
			calls[call] = true
		}
	}
	if len(calls) == 0 {
		return nil
	}
	var list []question
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !calls[call] {
			return
		}
		fn := s.locks.Callee(call)
		if fn != nil && s.pkg.ByFunc[fn] != nil && s.receiverOf(call) == (accesses.Place{Root: recv}) {
			list = append(list, question{call, fn, held})
		}
	})
	return list
}

// actsLater is a lock of the receiver under which the body changes it after the question, by a
// method of one of its fields, with no other call of what was asked.
func (s *search) actsLater(recv types.Object, q question) (lock accesses.Place, acts *ast.CallExpr) {
	again := false
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || call == q.call {
			return
		}
		again = again || s.locks.Callee(call) == q.fn
		if s.changesField(call, recv) == nil || acts != nil || call.Pos() < q.call.Pos() {
			return
		}
		for _, l := range locksOf(held) {
			if held[l] == locks.Exclusive && l.Root == recv {
				lock, acts = l, call
			}
		}
	})
	if again {
		return lock, nil
	}
	return lock, acts
}

// changesField is the field of the receiver that the call changes by a method of the field.
func (s *search) changesField(call *ast.CallExpr, recv types.Object) *types.Var {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !changing.MatchString(sel.Sel.Name) {
		return nil
	}
	return s.fieldOfRecv(sel.X, recv)
}

// fieldOfRecv is the field that e is of the receiver, or nil.
func (s *search) fieldOfRecv(e ast.Expr, recv types.Object) *types.Var {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	id := identOf(sel.X)
	v, isVar := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var)
	if id == nil || s.pkg.Info.ObjectOf(id) != recv || !isVar || !v.IsField() {
		return nil
	}
	return v.Origin()
}

// asksUnder is where another method puts the same question with the lock held, and then, with
// it still held, changes a field that the answer is made of.
func (s *search) asksUnder(fn *types.Func, lock accesses.Place) (*types.Var, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	asked := s.callsOnFields(fn)
	for _, b := range s.callersOf(fn) {
		recv := s.recvOf(b)
		if recv == nil || b == current.body || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, q := range s.questions(recv) {
			if q.fn != fn || q.held[accesses.Place{Root: recv, Path: lock.Path}] != locks.Exclusive {
				continue
			}
			var field *types.Var
			s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
				call, ok := ev.Node.(*ast.CallExpr)
				if ok && ev.Kind == accesses.OnCall && call.Pos() > q.call.Pos() && held[accesses.Place{Root: recv, Path: lock.Path}] == locks.Exclusive {
					if v := s.changesField(call, recv); v != nil && asked[v] {
						field = v
					}
				}
			})
			if field != nil {
				return field, b.Fn
			}
		}
	}
	return nil, nil
}

// callsOnFields are the fields of its receiver of which the method calls a method.
func (s *search) callsOnFields(fn *types.Func) map[*types.Var]bool {
	b := s.pkg.ByFunc[fn]
	fields := map[*types.Var]bool{}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
				if v := s.fieldOfRecv(sel.X, s.recvOf(b)); v != nil {
					fields[v] = true
				}
			}
		}
		return true
	})
	return fields
}

// asksInline says whether the body returns after the question because of a look at the field.
func (s *search) asksInline(recv types.Object, field *types.Var, after *ast.CallExpr) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Pos() < after.End() || len(branch.Body.List) == 0 {
			return true
		}
		if _, leaves := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt); !leaves {
			return true
		}
		for _, part := range []ast.Node{branch.Init, branch.Cond} {
			if part == nil || part == ast.Node(ast.Stmt(nil)) {
				continue
			}
			ast.Inspect(part, func(m ast.Node) bool {
				if e, ok := m.(ast.Expr); ok && s.fieldOfRecv(e, recv) == field {
					found = true
				}
				return !found
			})
		}
		return !found
	})
	return found
}

var changing = pattern.New(`^(Set|Add|Put|Store|Del|Delete|Remove|Push|Insert|Append|Update|Replace|Upsert)([A-Z].*)?$`)
