package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
)

// wokenOnce finds states that a function waits to be over, with the lock released, and then sets anew
// without asking whether somebody else who has waited came first:
//
//	x.mu.Lock()
//	if x.state == closing {
//		done := x.done
//		x.mu.Unlock()
//		<-done
//		x.mu.Lock()
//	}
//	x.state = closing
//
// Two that have waited both do so. A loop in the place of the if asks again.
func (s *search) wokenOnce() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		test, ok := n.(*ast.IfStmt)
		if !ok || test.Else != nil || !s.waitsUnlocked(test.Body) {
			return true
		}
		e, state := s.askedState(test.Cond)
		if e == nil || !e.held.Any() || s.reachOf(e) == shared.Private {
			return true
		}
		for _, w := range s.order {
			if w.Pos() < test.End() || w.Mode != atomicity.Write || w.via != nil || w.later || !w.sameInstance(e) || !s.storesConstant(w, state) || !sameLock(e.held, w.held) || !s.leadsTo(e, w) || s.leadsTo(w, e) {
				continue
			}
			if s.asksAgain(e, state, test.End(), w.Pos()) {
				break
			}
			writers := map[*accesses.Body]bool{s.body: true}
			if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, writers); !strong {
				break
			}
			c := s.direct("testuse", "unlock-relock", e.Access, e.Pos(), w.Pos())
			c.Roles = [2]string{"waited for", "set again"}
			c.Message = fmt.Sprintf("%s is looked at before the wait, which gives up %s, and not again afterwards: two goroutines that have waited both set it, and each takes itself for the only one", e.place, lockNames(e.held))
			s.tell(c, e, w.Access)
			break
		}
		return true
	})
}

// waitsUnlocked says whether the block releases a lock, then receives from a channel, and then takes the lock again, at its end.
func (s *search) waitsUnlocked(b *ast.BlockStmt) bool {
	if len(b.List) < 3 {
		return false
	}
	lock := s.lockCall(b.List[len(b.List)-1], "Lock")
	if lock == "" {
		return false
	}
	released, received := false, false
	for _, st := range b.List[:len(b.List)-1] {
		if s.lockCall(st, "Unlock") == lock {
			released = true
		}
		if x, ok := st.(*ast.ExprStmt); ok && released {
			if u, ok := ast.Unparen(x.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
				received = true
			}
		}
	}
	return released && received
}

// lockCall is what the statement calls the method of that name on, as "x.mu"; or "".
func (s *search) lockCall(st ast.Stmt, name string) string {
	x, ok := st.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return ""
	}
	return types.ExprString(sel.X)
}

// askedState is the read of a field that the condition compares with a constant, or of a flag, and the constant.
func (s *search) askedState(cond ast.Expr) (*occurrence, constant.Value) {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.EQL {
		if v := s.pkg.Info.Types[b.Y].Value; v != nil {
			return s.askedRead(b.X), v
		}
		return nil, nil
	}
	return s.askedRead(cond), constant.MakeBool(true)
}

// askedRead is the read that the expression is, in this body itself.
func (s *search) askedRead(e ast.Expr) *occurrence {
	i := slices.IndexFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.via == nil && o.Expr == ast.Unparen(e) && o.Var.Obj.IsField()
	})
	if i < 0 {
		return nil
	}
	return s.order[i]
}

// storesConstant says whether w stores that constant.
func (s *search) storesConstant(w *occurrence, v constant.Value) bool {
	values := stored(w.Access)
	if len(values) != 1 {
		return false
	}
	now := s.pkg.Info.Types[values[0]].Value
	return now != nil && now.ExactString() == v.ExactString()
}

// asksAgain says whether a condition between the two places asks whether the state is that one.
func (s *search) asksAgain(e *occurrence, state constant.Value, from, to token.Pos) bool {
	for _, conds := range s.body.Conds {
		for _, c := range conds {
			if c.Pos() < from || to < c.Pos() {
				continue
			}
			again := false
			ast.Inspect(c, func(n ast.Node) bool {
				x, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				if b, ok := x.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
					if o := s.askedRead(b.X); o != nil && o.sameInstance(e) {
						v := s.pkg.Info.Types[b.Y].Value
						again = again || v == nil || v.ExactString() == state.ExactString()
						return false
					}
				}
				o := s.askedRead(x)
				again = again || o != nil && o.sameInstance(e)
				return !again
			})
			if again {
				return true
			}
		}
	}
	return false
}
