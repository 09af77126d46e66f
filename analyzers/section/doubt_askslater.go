package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// asksLater says whether the end lies in a literal that the function defers, or that a goroutine
// runs, and the literal has a question of its own on the way there: whether an error has come up,
// or which of several channels is ready first:
//
//	if b.failures.Load() > limit && since(b.lastFailure.Load()) < pause { return ErrOpen }
//	defer func() { if err != nil { b.lastFailure.Store(now()) } }()
//
// What the test has found has been forgotten by then, and something else decides.
func (f *finding) asksLater(end *hit) bool {
	if !end.later || !end.lit {
		return false
	}
	at := end.source().Pos()
	var lit *accesses.Body
	for _, b := range f.search.around(at) {
		if _, ok := b.Node.(*ast.FuncLit); ok && f.within(b) && (lit == nil || lit.Node.Pos() < b.Node.Pos()) {
			lit = b
		}
	}
	if lit == nil {
		return false
	}
	if inArmOfSeveral(lit, end) {
		return true
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	f.bodyState = f.states[lit]
	for _, o := range f.order {
		if o.source() != end.source() {
			continue
		}
		inside := &hit{occurrence: o}
		for block, conds := range f.body.Conds {
			if conds == nil || f.asksForError(conds) && !f.onFailure(block, inside) || f.triesLock(conds) {
				continue
			}
			if ok, _ := f.decides(block, o.block); ok {
				return true
			}
		}
	}
	return false
}

// inArmOfSeveral says whether the end lies in an arm of a select of the literal that has another.
func inArmOfSeveral(lit *accesses.Body, end *hit) bool {
	at, found := end.source().Pos(), false
	ast.Inspect(lit.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if ok && sel.Pos() <= at && at < sel.End() && len(sel.Body.List) > 1 {
			found = true
		}
		return !found
	})
	return found
}

// within says whether the literal lies in the body, which is not the literal itself.
func (s *search) within(lit *accesses.Body) bool {
	for b := lit.Parent; b != nil; b = b.Parent {
		if b == s.body {
			return true
		}
	}
	return false
}
