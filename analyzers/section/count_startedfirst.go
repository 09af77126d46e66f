package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// startedFirst finds functions that start a goroutine for the first of those who come, as told
// by a count that is zero, and count themselves in later, whatever they have found, with no
// lock held throughout:
//
//	if n.Load() == 0 { go serve() }
//	n.Add(1)
func (s *search) startedFirst() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.Var.Contents || look.Update != nil || look.lit || look.later || look.depth > 1 || !look.place.Valid() || look.Kind != access.Atomic && !look.held.Any() || s.reachOf(look) < shared.Meant {
			continue
		}
		block, edge := s.asksForNone(look)
		if block < 0 {
			continue
		}
		start := s.startedOn(block, edge)
		if start == nil {
			continue
		}
		for _, add := range s.order {
			if add.Mode != atomicity.Write || add.Var != look.Var || add.place != look.place || add.lit || add.later || add.depth > 1 || !s.addsAnyhow(add) ||
				!s.leadsTo(look, add) || s.leadsTo(add, look) || s.oneHold(look, add) {
				continue
			}
			if decides, _ := s.decides(block, add.block); decides {
				continue // or a test and its act
			}
			if look.Kind != access.Atomic && !add.held.Any() {
				continue
			}
			category := "unlock-relock"
			if look.Kind == access.Atomic {
				category = "atomic-check-then-act"
			}
			c := s.direct("testuse", category, look.Access, look.Pos(), add.Pos())
			c.Roles = [2]string{"found to be zero", "raised"}
			c.Message = fmt.Sprintf("two goroutines can both find %s at zero before either adds to it, and both start a goroutine: who comes first is told by what it was raised to",
				types.ExprString(look.Cell))
			if add.via != nil {
				c.EndVia, c.EndWithin = add.via, add.where()
			}
			if look.via != nil {
				c.Via, c.Within = look.via, look.where()
			}
			s.tell(c, look, add.Access)
			return
		}
	}
}

// asksForNone is the block that ends with a test whether what was read is zero, and the edge
// that is taken if it is; -1 if there is none.
func (s *search) asksForNone(look *occurrence) (block, edge int) {
	for _, test := range s.testsOf(look.Access, true) {
		if len(s.body.Conds[test]) != 1 {
			continue
		}
		cond, not := asked(s.body.Conds[test][0])
		if id, ok := cond.(*ast.Ident); ok { // first := n == 0
			list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
			if len(list) != 1 {
				continue
			}
			cond = ast.Unparen(list[0].value)
		}
		b, ok := cond.(*ast.BinaryExpr)
		if !ok || !s.isZero(b.X) && !s.isZero(b.Y) {
			continue
		}
		switch b.Op {
		case token.EQL:
		case token.NEQ:
			not = !not
		default:
			continue
		}
		if not {
			return test, 1
		}
		return test, 0
	}
	return -1, 0
}

// startedOn is a go statement, or a call of a function that comes to one in any case, to which
// control comes by that edge of the block alone.
func (s *search) startedOn(block, edge int) ast.Node {
	for at, events := range s.body.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ev.Kind != accesses.OnGo && !(ok && ev.Kind == accesses.OnCall && s.startsAnyhow(call)) {
				continue
			}
			if decides, by := s.decides(block, at); decides && by == edge {
				return ev.Node
			}
		}
	}
	return nil
}

// startsAnyhow says whether the function called has a go statement before any branch.
func (s *search) startsAnyhow(call *ast.CallExpr) bool {
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	if b == nil {
		return false
	}
	for _, stmt := range b.Block.List {
		switch stmt.(type) {
		case *ast.GoStmt:
			return true
		case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.ReturnStmt:
			return false
		}
	}
	return false
}

// addsAnyhow says whether the write adds a constant to the count, itself or in what is called.
func (s *search) addsAnyhow(add *occurrence) bool {
	if add.via == nil {
		return s.step(add) > 0 || direction(add) > 0
	}
	b := s.pkg.ByNode[add.source().Scope]
	if b == nil {
		return false
	}
	o := s.stateOf(b).occ[add.source()]
	return o != nil && o.via == nil && (s.step(o) > 0 || direction(o) > 0)
}
