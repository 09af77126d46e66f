package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countedLater finds work that is counted in a sync.WaitGroup after a look at the signal for
// the end has let it in, where who gives the signal waits for the group next:
//
//	select {
//	case <-x.ctx.Done():
//		return
//	default:
//	}
//	x.wg.Add(1)        // Close: x.cancel(); x.wg.Wait()
//
// Between the look and the Add the other one can have waited for nobody. It is uncounted
// with a channel in the place of a flag.
func (s *search) countedLater() {
	if s.shared.Constructing(s.body) || !s.shared.Entered(s.body) && !s.shared.Begins(s.body) {
		return
	}
	for _, add := range s.groupCalls("Add", "Go") {
		if add.held.Any() || s.inFlight(add.call.Pos()) || inLoop(s.body.Block, add.call) {
			continue
		}
		root := s.pkg.PlaceOf(add.on).Root
		for _, sig := range s.signalsBefore(add.call) {
			e := s.occurrenceOf(sig.of)
			if e == nil || e.place.Root != root || !e.Var.Obj.IsField() || e.held.Any() || s.reachOf(e) == shared.Private || s.polledAgain(sig.of, add.call) {
				continue
			}
			if in := s.endsAndWaits(e.Var.Obj, sig.isContext, add.group); in != nil && !s.startsLooking(add, access.Var{}) {
				c := s.direct("testuse", "test-and-use", e.Access, e.Pos(), add.call.Pos())
				c.Roles = [2]string{"looked at", "added to"}
				if v := s.variable(add.on); v != nil {
					c.EndName = s.pkg.Name(access.Var{Obj: v})
				}
				c.Message = fmt.Sprintf("between this look at %s and the Add, %s can give the signal and wait for %s, which has not counted this one: what it ends is then still used",
					types.ExprString(sig.of), in.Fn.Name, types.ExprString(add.on))
				s.tell(c, e, e.Access)
				return
			}
		}
	}
}

// A signal is what is received from when it is time to end: a channel, or the Done of a
// context.
type signal struct {
	of        ast.Expr
	isContext bool
}

// signalsBefore are those that a select with a default arm before the call looks at, whose
// first arm leaves the function.
func (s *search) signalsBefore(call *ast.CallExpr) []signal {
	var list []signal
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectStmt:
			if n.End() > call.Pos() || !hasDefault(n) {
				return true
			}
			for _, clause := range n.Body.List {
				comm := clause.(*ast.CommClause)
				x, ok := comm.Comm.(*ast.ExprStmt)
				if !ok || !leaves(&ast.BlockStmt{List: comm.Body}) {
					continue
				}
				if u, ok := ast.Unparen(x.X).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
					of, isContext := s.doneOf(u.X)
					list = append(list, signal{of, isContext})
				}
			}
		}
		return true
	})
	return list
}

func hasDefault(n *ast.SelectStmt) bool {
	for _, clause := range n.Body.List {
		if clause.(*ast.CommClause).Comm == nil {
			return true
		}
	}
	return false
}

// doneOf is the context that e is the Done() of, or e.
func (s *search) doneOf(e ast.Expr) (ast.Expr, bool) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sel.Sel.Name == "Done" && isContext(s.pkg.Info.TypeOf(sel.X)) {
			return ast.Unparen(sel.X), true
		}
	}
	return ast.Unparen(e), false
}

func isContext(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Name() == "Context" && tn.Pkg() != nil && tn.Pkg().Path() == "context"
}

// polledAgain says whether the signal is looked at once more after the call.
func (s *search) polledAgain(of ast.Expr, call *ast.CallExpr) bool {
	again := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && n.Pos() > call.End() {
				e, _ := s.doneOf(n.X)
				again = again || types.ExprString(e) == types.ExprString(of)
			}
		}
		return !again
	})
	return again
}

// endsAndWaits is another body that gives the signal, a channel or context, and waits for the
// group next: closes the channel, or calls a context.CancelFunc of the same object.
func (s *search) endsAndWaits(sig types.Object, isContext bool, group *types.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, wait := range s.groupCalls("Wait") {
			if wait.group != group {
				continue
			}
			given := false
			ast.Inspect(b.Block, func(n ast.Node) bool {
				if _, later := n.(*ast.GoStmt); later {
					return false
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || call.Pos() > wait.call.Pos() {
					return true
				}
				if ch := s.closeOf(call); ch != nil && !isContext {
					given = given || s.variable(ch) == sig
				}
				given = given || isContext && s.cancels(call, s.pkg.PlaceOf(wait.on).Root)
				return !given
			})
			if given {
				return b
			}
		}
	}
	return nil
}

// cancels says whether the call is of a context.CancelFunc that a field of the object holds.
func (s *search) cancels(call *ast.CallExpr, object types.Object) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || s.pkg.PlaceOf(sel.X).Root != object {
		return false
	}
	tn := accesses.TypeName(s.pkg.Info.TypeOf(sel))
	return tn != nil && (tn.Name() == "CancelFunc" || tn.Name() == "CancelCauseFunc") && tn.Pkg() != nil && tn.Pkg().Path() == "context"
}
