package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// besideOnce finds channels that a function closes whatever their state, with a sync.Once
// beside that does the rest of the work once:
//
//	stop: func() {
//		once.Do(func() { conn.Close() })
//		close(done)
//	}
//
// The Once is there because several calls come, and the second one panics; so is a flag that is
// set by CompareAndSwap. The function is a literal that is kept in a field, or an exported method
// whose name says that it ends something, or what that calls; the Once and the channel outlive
// the call.
func (s *search) besideOnce() {
	once, ok := s.onceTaken()
	if !ok {
		once, ok = s.flagTaken()
	}
	if !ok || !s.keptLiteral() && !s.endingMethod() && !s.endsPart() && (s.body.Func == nil || s.calledToEnd(s.body.Func) == nil) || s.recovers() {
		return
	}
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		ch := s.closeOf(ev.Node)
		if ev.Kind != accesses.OnCall || ch == nil || held.Any() || held.Holds(locks.Once) || s.anyDecides(block) {
			return
		}
		call := ev.Node.(*ast.CallExpr)
		pl := s.pkg.PlaceOf(ch)
		o := s.occurrenceOf(ch)
		if o == nil || !s.staysAfter(pl) || s.inSelect(call) && !s.leavesWait(call, block) || inLoop(s.body.Block, call) || s.replacesChannel(pl) || s.saidLooked(call) {
			return
		}
		c := s.direct("testuse", "double-close", o.Access, call.Pos(), call.Pos())
		c.Roles = [2]string{"closed", "closed again"}
		if s.inSelect(call) {
			c.Message = fmt.Sprintf("%s is closed by each call that gives up waiting, beside %s, which does the rest only once: a second call panics", types.ExprString(ch), once)
			s.tell(c, o, o.Access)
			return
		}
		c.Message = fmt.Sprintf("%s is closed on each call, beside %s, which does the rest only once: a second call panics", types.ExprString(ch), once)
		s.tell(c, o, o.Access)
	})
}

// keptLiteral says whether the body is a literal that is stored in a field.
func (s *search) keptLiteral() bool {
	lit, ok := s.body.Node.(*ast.FuncLit)
	if !ok || s.body.Parent == nil {
		return false
	}
	kept := false
	ast.Inspect(s.body.Parent.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			id, ok := n.Key.(*ast.Ident)
			if ok && ast.Unparen(n.Value) == ast.Expr(lit) {
				v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var)
				kept = isVar && v.IsField()
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if _, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) && ast.Unparen(n.Rhs[i]) == ast.Expr(lit) {
					kept = true
				}
			}
		}
		return !kept
	})
	return kept
}

// endingMethod says whether the body is of an exported method by which anybody ends an object.
func (s *search) endingMethod() bool {
	fn := s.body.Func
	return fn != nil && fn.Exported() && fn.Signature().Recv() != nil && endings.MatchString(fn.Name())
}

// onceTaken is a sync.Once that staysAfter the body and on which it calls Do.
func (s *search) onceTaken() (once string, ok bool) {
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, isCall := ev.Node.(*ast.CallExpr)
			if !isCall || ev.Kind != accesses.OnCall {
				continue
			}
			fn := s.locks.Callee(call)
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if fn == nil || !isSel || fn.FullName() != "(*sync.Once).Do" {
				continue
			}
			if s.staysAfter(s.pkg.PlaceOf(sel.X)) {
				return types.ExprString(sel.X), true
			}
		}
	}
	return "", false
}

// staysAfter says whether the place is there before a call of the body and after it: a part of
// the receiver, or what a literal captures.
func (s *search) staysAfter(pl accesses.Place) bool {
	if !pl.Valid() {
		return false
	}
	if fn := s.body.Func; fn != nil {
		return pl.Root == types.Object(fn.Signature().Recv())
	}
	return pl.Root.Pos() < s.body.Node.Pos() && !accesses.IsGlobal(pl.Root)
}

// replacesChannel says whether the body stores another channel at the place.
func (s *search) replacesChannel(pl accesses.Place) bool {
	for _, o := range s.order {
		if o.place == pl && o.Kind == access.Cell && len(stored(o.Access)) > 0 {
			return true
		}
	}
	return false
}
