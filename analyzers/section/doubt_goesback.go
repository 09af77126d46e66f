package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// goesBack says whether to store the state where another goroutine has stored the third one
// takes that back for sure, whatever the states are called: the function itself leaves the
// third one alone where it finds it, or the states are declared in the order in which they
// come, and the third one is the last.
//
//	if q.state.Load() != stopped { q.state.Store(idle) }                  // and Stop: q.state.Store(stopped)
//	switch q.state.Load() { case closed: return }; q.state.Store(closing) // and Close: q.state.Store(closed)
func (f *finding) goesBack(end *hit, from, to, third ast.Expr, is bool) bool {
	if !is {
		return f.leavesAlone(end, third)
	}
	return f.inOrder(from, to) && f.inOrder(to, third)
}

// leavesAlone says whether control does not come to the end where a test of the entry finds
// the state.
func (f *finding) leavesAlone(end *hit, state ast.Expr) bool {
	value := f.pkg.Info.Types[state].Value
	for _, test := range f.trail.tests {
		decides, edge := f.decides(test, end.block)
		if !decides || f.trail.weak[test] || value == nil || !f.comparesEqual(test) {
			continue
		}
		if holds, known := f.comparison(test, value); known && holds != (edge == 0) {
			return true
		}
	}
	return false
}

// comparesEqual says whether the block asks whether something is one value, or is not.
func (f *finding) comparesEqual(block int) bool {
	conds := f.body.Conds[block]
	if len(conds) != 1 {
		return len(conds) == 2 // a case of a switch
	}
	b, ok := ast.Unparen(conds[0]).(*ast.BinaryExpr)
	return ok && (b.Op == token.EQL || b.Op == token.NEQ)
}

// stateLeft is the constant of a case of a switch over what the entry has read from which
// control does not come to the end; or nil.
func (f *finding) stateLeft(end *hit) ast.Expr {
	for _, test := range f.trail.tests {
		conds := f.body.Conds[test]
		decides, edge := f.decides(test, end.block)
		if !decides || edge == 0 || f.trail.weak[test] || len(conds) != 2 || !f.is(f.unconverted(conds[1]), f.entry.Access) {
			continue
		}
		if v := f.stateConstant(conds[0]); v != nil {
			return v
		}
	}
	return nil
}

// unconverted is what is converted to another type, as state(x.Load()) is.
func (s *search) unconverted(e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	for ok && len(call.Args) == 1 && s.pkg.Info.Types[call.Fun].IsType() {
		e = ast.Unparen(call.Args[0])
		call, ok = e.(*ast.CallExpr)
	}
	return e
}

// inOrder says whether the first constant comes before the second in one declaration, with a
// lower value.
func (f *finding) inOrder(a, b ast.Expr) bool {
	x, y := f.constant(a), f.constant(b)
	if x == nil || y == nil || x.Parent() != y.Parent() || x.Val().Kind() != constant.Int || y.Val().Kind() != constant.Int || !constant.Compare(x.Val(), token.LSS, y.Val()) {
		return false
	}
	for _, file := range f.pkg.Files {
		for _, d := range file.Decls {
			if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.CONST && gen.Pos() <= x.Pos() && x.Pos() < gen.End() {
				return x.Pos() < y.Pos() && y.Pos() < gen.End()
			}
		}
	}
	return false
}

// constant is what the name stands for.
func (f *finding) constant(e ast.Expr) *types.Const {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	c, _ := f.pkg.Info.Uses[id].(*types.Const)
	return c
}
