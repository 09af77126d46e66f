package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// refusesSecond says whether the function answers with an error of its own that the key
// is there already, and with none once it has stored it, or with one that is nil then: of two that find nothing, both
// are told that all went well, and what the first one has stored is lost.
func (f *finding) refusesSecond(end *hit) bool {
	fn := f.body.Func
	if fn == nil || end.Method == "delete" || end.Method == "Delete" || f.entry.Kind != access.MapElement && f.entry.Kind != access.SyncMap {
		return false
	}
	results := fn.Signature().Results()
	if results.Len() == 0 || !isError(results.At(results.Len()-1).Type()) {
		return false
	}
	refused, stored := false, false
	for block, events := range f.body.Events {
		for index, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn || len(ret.Results) != results.Len() {
				continue
			}
			last := ret.Results[len(ret.Results)-1]
			if f.leadsTo(end.occurrence, &occurrence{Access: &access.Access{}, block: block, index: index}) {
				if !f.pkg.Info.Types[last].IsNil() && !f.nilAt(last, end.block) {
					return false
				}
				stored = true
			} else if f.ifFound(block, end.block) {
				if f.pkg.Info.Types[last].IsNil() || !f.fixed(last) {
					return false
				}
				refused = true
			}
		}
	}
	return refused && stored
}

// nilAt says whether the value is a local error that is nil where control comes to the block, since
// a test has found it so: if ok && err == nil { … }; return ok, err.
func (f *finding) nilAt(e ast.Expr, block int) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || !isError(f.pkg.Info.TypeOf(id)) {
		return false
	}
	for test, conds := range f.body.Conds {
		to, edge := f.decides(test, block)
		if !to || test == block {
			continue
		}
		by, op := token.LAND, token.EQL // where all of it holds, so does each part
		if edge != 0 {
			by, op = token.LOR, token.NEQ
		}
		for _, cond := range partsOfConds(conds, by) {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if ok && b.Op == op && f.pkg.Info.Types[b.Y].IsNil() && f.isObject(b.X, f.pkg.Info.ObjectOf(id)) && !f.changedBetween(f.pkg.Info.ObjectOf(id), b.End(), id.Pos()) {
				return true
			}
		}
	}
	return false
}

// changedBetween says whether the local is assigned to at a place between the two.
func (f *finding) changedBetween(v types.Object, from, to token.Pos) bool {
	return slices.ContainsFunc(f.values.assigns[v], func(d assignment) bool {
		return f.pkg.Order(from) <= d.at && d.at < f.pkg.Order(to)
	})
}

// ifFound says whether control comes to the block where the entry has found something, and
// to the other one where it has not, by one and the same test.
func (f *finding) ifFound(block, missing int) bool {
	for _, test := range f.trail.tests {
		conds := f.body.Conds[test]
		if len(conds) != 1 {
			continue
		}
		found, known := f.presence(conds[0])
		to, edge := f.decides(test, block)
		away, other := f.decides(test, missing)
		if known && to && away && edge != other && (edge == 0) == found {
			return true
		}
	}
	return false
}

// presence says whether the condition holds where the entry has found something, if it
// asks for nothing else.
func (f *finding) presence(cond ast.Expr) (found, known bool) {
	e, not := asked(cond)
	if b, ok := e.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && f.pkg.Info.Types[b.Y].IsNil() {
		plain, mine := f.values.of(b.X)[f.entry.Access]
		return (b.Op == token.NEQ) != not, mine && plain && !isError(f.pkg.Info.TypeOf(b.X))
	}
	if !isBoolean(f.pkg.Info.TypeOf(e)) {
		return false, false
	}
	if ast.Unparen(e) == ast.Unparen(f.entry.Expr) {
		return !not, f.entry.via != nil // a getter that says whether it is there
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return false, false
	}
	obj := f.pkg.Info.ObjectOf(id)
	list := f.values.assigns[obj]
	if len(list) != 1 || ast.Unparen(list[0].value) != ast.Unparen(f.entry.Expr) {
		return false, false
	}
	return !not, f.isSecond(obj)
}

// isSecond says whether the local is the last of several that one statement sets: v, ok.
func (f *finding) isSecond(obj types.Object) bool {
	last := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && len(assign.Lhs) > 0 && f.isObject(assign.Lhs[len(assign.Lhs)-1], obj) {
			last = last || len(assign.Lhs) == 2 || f.entry.via != nil
		}
		return !last
	})
	return last
}
