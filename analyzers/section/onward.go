package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// onward follows the control flow from the occurrence e and calls visit for
// each event, with those locks held at e that were not released since then. A
// path ends where visit says so.
func (s *search) onward(e *occurrence, visit func(block, index int, ev accesses.Event, kept locks.Set) (stop bool)) {
	var own []accesses.Place
	for _, l := range e.outer.Places() {
		if e.outer.Holds(l) && len(own) < 30 {
			own = append(own, l)
		}
	}
	seen := map[state]bool{}
	steps := 0
	all := uint32(1<<len(own) - 1)
	work := []state{{e.block, all}}
	kept, of := keep(e.outer, own, all), all
	for first := true; len(work) > 0; first = false {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		from := 0
		if first {
			from = e.index + 1
		}
		mask, on := at.mask, true
		for i, ev := range s.body.Events[at.block][from:] {
			if steps++; steps > maxSteps {
				return
			}
			if mask != of {
				kept, of = keep(e.outer, own, mask), mask
			}
			if visit(at.block, from+i, ev, kept) {
				on = false
				break
			}
			for _, op := range s.locks.Ops(ev) {
				if op.Kind != locks.Acquire {
					mask &^= release(own, op.Lock, mask)
				}
			}
		}
		if !on {
			continue
		}
		for _, succ := range s.body.CFG.Blocks[at.block].Succs {
			if next := (state{int(succ.Index), mask}); !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
}

// testsOf are the blocks whose branch depends on the value of a; plainly tells
// whether no call lies in between.
func (s *search) testsOf(a *access.Access, plainly bool) []int {
	var tests []int
	for block, conds := range s.body.Conds {
		for _, c := range conds {
			if plain, ok := s.values.of(c)[a]; ok && (plain || !plainly) {
				tests = append(tests, block)
				break
			}
		}
	}
	return tests
}

// decided says whether one of the tests decides whether control comes to block.
func (s *search) decided(tests []int, block int) bool {
	for _, t := range tests {
		if ok, _ := s.decides(t, block); ok && t != block {
			return true
		}
	}
	return false
}

// closeOf is the channel that the call closes, if it is a call of close.
func (s *search) closeOf(n ast.Node) ast.Expr {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := s.pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() == "close" {
			return s.pkg.Target(call.Args[0])
		}
	}
	return nil
}

// occurrenceOf is the access to memory that the expression is in the body
// searched, or nil. A local that is but another name of a place is the access by which
// it was named.
func (s *search) occurrenceOf(e ast.Expr) *occurrence {
	e = s.pkg.Target(e)
	for _, o := range s.order {
		if o.via == nil && ast.Unparen(o.Expr) == e && o.Mode == atomicity.Read {
			return o
		}
	}
	return nil
}

// recovers says whether the body survives a panic.
func (s *search) recovers() bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if b, ok := s.pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// recoversItself says whether a deferred literal of this very body recovers from its panics.
func (s *search) recoversItself() bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				ast.Inspect(lit.Body, func(m ast.Node) bool {
					call, ok := m.(*ast.CallExpr)
					found = found || ok && s.isBuiltin(call, "recover")
					return !found
				})
			}
		}
		return !found
	})
	return found
}

// before says whether a comes before b in the text, where that of a function which nothing
// else calls comes where it is called.
func (s *search) before(a, b interface{ Pos() token.Pos }) bool {
	return s.pkg.Order(a.Pos()) < s.pkg.Order(b.Pos())
}
