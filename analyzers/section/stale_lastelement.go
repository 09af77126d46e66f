package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// lastElement finds elements that are appended to a list because of what its last element
// tells, which a getter has asked for under the lock, with the lock taken anew:
// if c.Height() < b.height { c.mu.Lock(); c.blocks = append(c.blocks, b); … }. Another one
// can be the last by then.
func (s *search) lastElement() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.shared.Single(s.body) {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() || !s.receiverOf(call).Valid() {
			return
		}
		tests := s.testsOfResult(call)
		for _, read := range s.lastReads(s.locks.Callee(call)) {
			for _, w := range s.order {
				if w.Var != read.Var || !appends(s.pkg.Info, w) || w.held.Any() && w.outer.Any() && w.via != nil || w.place.Root != s.receiverOf(call).Root ||
					s.pkg.Order(w.Pos()) < s.pkg.Order(call.End()) || ownHold(w) != locks.Exclusive || !s.decided(tests, w.block) || s.looksAfresh(w) {
					continue
				}
				if _, strong, _ := s.rivals(w.Var); !strong {
					continue
				}
				c := s.direct("testuse", "unlock-relock", read.source(), call.Pos(), w.Pos())
				c.Via, c.Within = call, read.where()
				c.Roles = [2]string{"looked at", "appended to"}
				c.Message = fmt.Sprintf("%s is appended to because of what %s has told of its last element, which can be another one by now: the lock is released in between",
					types.ExprString(w.source().Cell), types.ExprString(call.Fun))
				s.tell(c, w, w.source())
				return
			}
		}
	})
}

// lastReads are the reads, under a lock of the receiver, of slices of which the method
// returns the last element, or something that this one tells.
func (s *search) lastReads(fn *types.Func) []*occurrence {
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Results().Len() == 0 || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	st := s.stateOf(b)
	var reads []*occurrence
	for _, o := range st.order {
		if o.Mode != atomicity.Read || o.via != nil || o.place.Root != types.Object(fn.Signature().Recv()) || ownHold(o) == locks.Possible || st.writes(o) {
			continue
		}
		if _, isSlice := o.Var.Obj.Type().Underlying().(*types.Slice); isSlice && s.returnsLast(b, st, o) {
			reads = append(reads, o)
		}
	}
	return reads
}

// returnsLast says whether the body returns the last element of the slice that o reads, or
// an expression made of it.
func (s *search) returnsLast(b *accesses.Body, st *bodyState, o *occurrence) bool {
	var found func(e ast.Expr, depth int) bool
	found = func(e ast.Expr, depth int) bool {
		last := false
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				last = last || s.variable(n.X) == o.Var.Obj && s.pkg.PlaceOf(n.X) == o.place && s.isLastIndex(st, n.Index)
			case *ast.Ident:
				list := st.values.assigns[s.pkg.Info.ObjectOf(n)]
				last = last || depth < 3 && len(list) == 1 && found(list[0].value, depth+1)
			}
			return !last
		})
		return last
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn {
				if slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return found(e, 0) }) {
					return true
				}
			}
		}
	}
	return false
}

// isLastIndex says whether e is a length less one, as in len(x)-1.
func (s *search) isLastIndex(st *bodyState, e ast.Expr) bool {
	assigned := func(e ast.Expr) ast.Expr {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if list := st.values.assigns[s.pkg.Info.ObjectOf(id)]; len(list) == 1 {
				return ast.Unparen(list[0].value)
			}
		}
		return ast.Unparen(e)
	}
	b, ok := assigned(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB {
		return false
	}
	call, ok := assigned(b.X).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "len"
}

// testsOfResult are the blocks that end with a test of what the call returns, or of a
// local that it is assigned to.
func (s *search) testsOfResult(call *ast.CallExpr) []int {
	var of []types.Object
	for _, l := range s.values.taken[call] {
		if id, ok := ast.Unparen(l).(*ast.Ident); ok && id.Name != "_" {
			of = append(of, s.pkg.Info.ObjectOf(id))
		}
	}
	var tests []int
	for block, conds := range s.body.Conds {
		if slices.ContainsFunc(conds, func(c ast.Expr) bool {
			found := false
			ast.Inspect(c, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				found = found || n == ast.Node(call) || ok && slices.Contains(of, s.pkg.Info.ObjectOf(id))
				return !found
			})
			return found
		}) {
			tests = append(tests, block)
		}
	}
	return tests
}

// appends says whether the write stores what append makes of the variable itself.
func appends(info *types.Info, w *occurrence) bool {
	values := stored(w.source())
	if w.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || call.Ellipsis.IsValid() {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" {
		return false
	}
	_, isBuiltin := info.Uses[id].(*types.Builtin)
	return isBuiltin && types.ExprString(call.Args[0]) == types.ExprString(w.source().Cell)
}

// looksAfresh says whether another look at the variable, in the hold that w lies in, decides
// about w.
func (s *search) looksAfresh(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Var.Obj == w.Var.Obj && r.Mode == atomicity.Read && ownHold(r) != locks.Possible && s.oneHold(r, w) && s.decided(s.testsOf(r.Access, false), w.block)
	})
}
