package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// triedOnce finds greatest and least values that are kept by a swap which is tried once:
//
//	if old := s.peak.Load(); n > old {
//		s.peak.CompareAndSwap(old, n)
//	}
//
// It fails if another goroutine has stored a value in between, which may be less than n. So does one
// that adds to what was there, and nobody looks at what it says:
//
//	old := s.total.Load()
//	s.total.CompareAndSwap(old, old+n)
func (s *search) triedOnce() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, swap := range s.order {
		if swap.Kind != access.Atomic || swap.via != nil || swap.Mode != atomicity.Write || !strings.HasPrefix(swap.Method, "CompareAndSwap") || swap.held.Any() ||
			s.reachOf(swap) < shared.Meant || moments.MatchString(swap.Var.Obj.Name()) || inLoop(s.body.Block, swap.Expr) || s.followsUp(swap.Expr) {
			continue
		}
		values := stored(swap.Access)
		if len(values) != 2 || s.pkg.Info.Types[values[1]].Value != nil {
			continue // or a constant, which is what it begins with
		}
		for _, look := range s.order {
			if look.Kind != access.Atomic || look.Mode != atomicity.Read || rmw(look.Access) || look.via != nil || look.place != swap.place || !s.leadsTo(look, swap) {
				continue
			}
			if _, from := s.values.of(values[0])[look.Access]; !from {
				continue
			}
			c := s.direct("testuse", "atomic-check-then-act", look.Access, look.Pos(), swap.Pos())
			if s.addsTo(values[1], look) && alone(swap.Access) {
				c.Message = fmt.Sprintf("what is added to %s is lost if another goroutine changes it after it was looked at: the swap then fails, and nobody looks whether it does",
					types.ExprString(swap.Cell))
				s.tell(c, look, swap.Access)
				break
			}
			if !s.keepsExtreme(look, swap, values[1]) {
				continue
			}
			c.Message = fmt.Sprintf("%s is lost if another goroutine changes %s after it was looked at: the swap then fails, though what is there may be the lesser of the two, and is not tried again",
				types.ExprString(values[1]), types.ExprString(swap.Cell))
			s.tell(c, look, swap.Access)
			break
		}
	}
}

// addsTo says whether e is the sum or difference of what look has found and something else, or a local
// that holds it: not a mean, of which one more or less matters little.
func (s *search) addsTo(e ast.Expr, look *occurrence) bool {
	for range 3 {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			list := s.values.assigns[s.pkg.Info.ObjectOf(x)]
			if len(list) != 1 || !list[0].plain {
				return false
			}
			e = list[0].value
		case *ast.BinaryExpr:
			return (x.Op == token.ADD || x.Op == token.SUB) && (s.is(x.X, look.Access) || x.Op == token.ADD && s.is(x.Y, look.Access))
		default:
			return false
		}
	}
	return false
}

// moments are the names of variables of which any that is stored at about the same time will do.
var moments = pattern.New(`(?i)(time|date|deadline|stamp|last|seen|now|when|at$|epoch|clock|tick|heartbeat|activity)`)

// keepsExtreme says whether the swap, to next, is decided upon by a comparison by order of next
// with what look has found.
func (s *search) keepsExtreme(look, swap *occurrence, next ast.Expr) bool {
	f := finding{search: s, entry: look}
	kept := f.plainText(next)
	for block, conds := range s.body.Conds {
		if ok, _ := s.decides(block, swap.block); !ok {
			continue
		}
		for _, cond := range conds {
			found := false
			ast.Inspect(cond, func(n ast.Node) bool {
				for _, pair := range compared(n) {
					_, first := s.values.of(pair[0])[look.Access]
					_, second := s.values.of(pair[1])[look.Access]
					found = found || first && f.plainText(pair[1]) == kept || second && f.plainText(pair[0]) == kept
				}
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}

// followsUp says whether anything is done if the call says no: it is returned what it says, or
// a condition has another way for it.
func (s *search) followsUp(call ast.Expr) bool {
	results := map[types.Object]bool{}
	isResult := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ast.Unparen(e) == call || ok && results[s.pkg.Info.ObjectOf(id)]
	}
	mentions := func(n ast.Node) bool {
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			found = found || ok && isResult(e)
			return !found
		})
		return found
	}
	follows := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if mentions(r) && len(n.Lhs) == len(n.Rhs) {
					id, ok := n.Lhs[i].(*ast.Ident)
					follows = follows || !ok || ast.Unparen(r) != call
					if ok && id.Name != "_" {
						results[s.pkg.Info.ObjectOf(id)] = true
					}
				}
			}
		case *ast.UnaryExpr:
			follows = follows || n.Op == token.NOT && mentions(n.X)
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				follows = follows || mentions(r)
			}
		case *ast.CallExpr:
			for _, a := range n.Args {
				follows = follows || mentions(a)
			}
		case *ast.IfStmt:
			follows = follows || mentions(n.Cond) && (n.Else != nil || leaves(n.Body))
		}
		return !follows
	})
	return follows
}
