package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// rolledBack finds atomic counts to which a function adds, only to set them, by Store, to what
// they were before it came, or to the bound that it went beyond: what others have added
// since is thrown away, and what they drew is drawn again.
//
//	end := a.last.Add(n)
//	if err := a.persist(end); err != nil { a.last.Store(end - n) }
//
//	if left := b.tokens.Add(-n); left < 0 { b.tokens.Store(0) }
func (s *search) rolledBack() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, add := range s.order {
		if add.Kind != access.Atomic || add.via != nil || !adds(add.Access) {
			continue
		}
		for _, store := range s.order {
			value := s.givenTo(store)
			if value == nil || store.Kind != access.Atomic || !strings.HasPrefix(store.Method, "Store") || store.later || !store.sameInstance(add) ||
				!s.leadsTo(add, store) || s.reachOf(store) == shared.Private || s.oneHold(add, store) {
				continue
			}
			undone := s.undoes(value, add)
			if !undone && !s.clamps(value, add, store) {
				continue
			}
			ok, strong, evidence := s.rivals(add.Var)
			f := finding{search: s, entry: add, trail: &trail{}}
			if !ok || !strong || f.ownedType() || f.singleWriter() {
				continue
			}
			c := s.direct("loadstore", "atomic-load-and-store", add.Access, add.Pos(), store.Pos())
			c.Pattern = atomicity.LoadAndStore
			c.Evidence = evidence
			c.EndVia = store.via
			if store.via != nil {
				c.EndWithin = store.where()
			}
			c.Roles = [2]string{"added to", "set back"}
			c.Message = fmt.Sprintf("%s is set back here to what it was, or may be at most, whatever it is by now: what other goroutines have added to it since the %s is lost, and what was drawn is drawn twice; add the difference back",
				types.ExprString(store.Cell), add.Method)
			s.tell(c, add, store.Access)
			break
		}
	}
}

// undoes says whether the value is made of what the addition has returned, by sums and
// differences: not by a remainder, which begins a new round.
func (s *search) undoes(value ast.Expr, add *occurrence) bool {
	if _, made := s.values.of(value)[add.Access]; !made || s.is(value, add.Access) {
		return false
	}
	return !s.wraps(value, add, 0)
}

// wraps says whether a remainder, or the like, is taken on the way to the value.
func (s *search) wraps(e ast.Expr, add *occurrence, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !found && ast.Expr(n) != add.Expr
		case *ast.BinaryExpr:
			switch n.Op {
			case token.REM, token.QUO, token.AND, token.AND_NOT, token.SHL, token.SHR:
				found = true
			}
		case *ast.Ident:
			for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(n)] {
				found = found || depth < 3 && s.wraps(d.value, add, depth+1)
			}
		}
		return !found
	})
	return found
}

// clamps says whether the store is reached where what the addition has returned is beyond a
// bound, and stores that bound, while another function goes the other way.
func (s *search) clamps(value ast.Expr, add, store *occurrence) bool {
	bound := types.ExprString(ast.Unparen(value))
	for _, c := range s.comparedOn(add, store) {
		if types.ExprString(ast.Unparen(c.limit)) != bound {
			continue
		}
		down := s.step(add) < 0
		switch c.op {
		case token.LSS, token.LEQ:
			return down && s.movedOtherwise(add, 1)
		case token.GTR, token.GEQ:
			return !down && !s.zero(value) && s.movedOtherwise(add, -1)
		}
	}
	return false
}

// comparison is of what an addition has returned with a limit, as it holds where it leads to something.
type comparison struct {
	op    token.Token
	limit ast.Expr
}

// comparedOn are the comparisons of what the addition has returned, each the only condition of its test, by which control
// comes to the store.
func (s *search) comparedOn(add, store *occurrence) (list []comparison) {
	for _, test := range s.testsOf(add.Access, true) {
		decides, edge := s.decides(test, store.block)
		if !decides || len(s.body.Conds[test]) != 1 {
			continue
		}
		b, ok := ast.Unparen(s.body.Conds[test][0]).(*ast.BinaryExpr)
		if !ok {
			continue
		}
		op, limit := b.Op, b.Y
		if _, right := s.values.of(b.Y)[add.Access]; right {
			op, limit = accesses.Reversed(op), b.X
		}
		if edge != 0 {
			op = accesses.Opposite(op)
		}
		list = append(list, comparison{op, limit})
	}
	return list
}

// movedOtherwise says whether another function, or this one elsewhere, adds in that direction,
// or swaps in a value that it has reckoned.
func (s *search) movedOtherwise(add *occurrence, sign int) bool {
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) {
			continue
		}
		for _, o := range s.states[b].order {
			if o.Var != add.Var || o.Kind != access.Atomic || o.via != nil || o.Access == add.Access {
				continue
			}
			if strings.HasPrefix(o.Method, "CompareAndSwap") || adds(o.Access) && s.goes(o, sign) {
				return true
			}
		}
	}
	return false
}

// goes says whether the addition goes in that direction: a variable that is not negated goes
// up.
func (s *search) goes(o *occurrence, sign int) bool {
	step := s.step(o)
	if step == 0 && adds(o.Access) && o.Method != "Sub" {
		step = 1
	}
	return step*sign > 0
}
