package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// letsThrough says whether the end stores a constant that turns away whoever comes later:
// the function answers one thing after the end, and another one where its tests of the
// variable find that constant. Of two that pass the test at once, both are let through.
func (f *finding) letsThrough(end *hit) bool {
	values := stored(end.source())
	if f.body.Func == nil || end.via != nil || f.entry.via != nil || end.Mode != atomicity.Write || len(values) != 1 {
		return false
	}
	now := f.pkg.Info.Types[values[0]].Value
	results := f.body.Func.Signature().Results()
	if now == nil || results.Len() != 1 || !isBoolean(results.At(0).Type()) && !isError(results.At(0).Type()) {
		return false
	}
	always := func(int, int) bool { return true }
	after := f.answers(end.block, end.index, always)
	later := f.answers(f.entry.block, f.entry.index, func(block, edge int) bool {
		holds, known := f.comparison(block, now)
		return !known || holds == (edge == 0)
	})
	return len(after) == 1 && len(later) == 1 && after[0] != later[0] && after[0] != "" && later[0] != ""
}

// answers are the kinds of results, each once, that the body can return when it goes on
// from an event of a block by the edges that are open.
func (f *finding) answers(block, index int, open func(block, edge int) bool) []string {
	var list []string
	kinds := map[string]bool{}
	seen := map[int]bool{}
	var from func(block, index int)
	from = func(block, index int) {
		for _, ev := range f.body.Events[block][index:] {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn {
				if kind := f.answer(ret); !kinds[kind] {
					kinds[kind] = true
					list = append(list, kind)
				}
				return
			}
		}
		for edge, succ := range f.body.CFG.Blocks[block].Succs {
			if next := int(succ.Index); !seen[next] && open(block, edge) {
				seen[next] = true
				from(next, 0)
			}
		}
	}
	from(block, index)
	return list
}

// answer is the kind of what the statement returns: "true", "false", "nil", "error", or
// nothing if it is not known.
func (f *finding) answer(ret *ast.ReturnStmt) string {
	if len(ret.Results) != 1 {
		return ""
	}
	tv := f.pkg.Info.Types[ret.Results[0]]
	switch {
	case tv.IsNil():
		return "nil"
	case tv.Value != nil:
		return tv.Value.ExactString()
	}
	switch e := ast.Unparen(ret.Results[0]).(type) {
	case *ast.Ident:
		if v, ok := f.pkg.Info.Uses[e].(*types.Var); ok && accesses.IsGlobal(v) && isError(v.Type()) {
			return "error"
		}
	case *ast.SelectorExpr:
		if v, ok := f.pkg.Info.Uses[e.Sel].(*types.Var); ok && accesses.IsGlobal(v) && isError(v.Type()) {
			return "error"
		}
	case *ast.CallExpr:
		if fn := f.locks.Callee(e); fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "errors" || fn.Pkg().Path() == "fmt") {
			return "error"
		}
	}
	return ""
}

// comparison says how the test at the end of the block comes out where the variable of the
// entry has the value now, if that is known.
func (f *finding) comparison(block int, now constant.Value) (holds, known bool) {
	conds := f.body.Conds[block]
	var x, y ast.Expr
	op := token.EQL
	switch len(conds) {
	case 2:
		x, y = conds[1], conds[0]
	case 1:
		cond, not := ast.Unparen(conds[0]), false
		if u, ok := cond.(*ast.UnaryExpr); ok && u.Op == token.NOT {
			cond, not = ast.Unparen(u.X), true
		}
		if f.is(cond, f.entry.Access) && now.Kind() == constant.Bool {
			return constant.BoolVal(now) != not, true
		}
		b, ok := cond.(*ast.BinaryExpr)
		if !ok || not {
			return false, false
		}
		x, y, op = b.X, b.Y, b.Op
	}
	if x == nil || !f.is(f.unconverted(x), f.entry.Access) {
		return false, false
	}
	other := f.pkg.Info.Types[y].Value
	if other == nil || other.Kind() != now.Kind() {
		return false, false
	}
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if other.Kind() == constant.Bool && op != token.EQL && op != token.NEQ {
			return false, false
		}
		return constant.Compare(now, op, other), true
	}
	return false, false
}
