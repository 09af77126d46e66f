package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// refusesByReply is refusesSecond for a handler of requests, which has no result but answers by
// what it was given for that: where the test finds that somebody has the key already, with a
// status that says that the request was wrong, and otherwise with another one, once it has stored.
//
//	if _, ok := a.find(id); ok {
//		http.Error(w, "there is one already", http.StatusConflict)
//		return
//	}
//	a.add(id, newJob(r))
//	w.WriteHeader(http.StatusCreated)
func (f *finding) refusesByReply(end *hit) bool {
	fn := f.body.Func
	if fn == nil || end.Mode != atomicity.Write || end.Method == "delete" || end.Method == "Delete" || f.entry.Kind != access.MapElement && f.entry.Kind != access.SyncMap {
		return false
	}
	refused, stored := false, false
	for block, events := range f.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !f.replies(call) {
				continue
			}
			switch at := (&occurrence{Access: &access.Access{}, block: block, index: index}); {
			case f.leadsTo(end.occurrence, at):
				stored = stored || !f.repliesError(call)
			case f.onlyIfFound(block) && !f.leadsTo(at, end.occurrence):
				refused = refused || f.repliesError(call)
			}
		}
	}
	return refused && stored
}

// onlyIfFound says whether control comes to the block only where the entry has found something.
func (f *finding) onlyIfFound(block int) bool {
	for _, test := range f.trail.tests {
		to, edge := f.decides(test, block)
		if !to {
			continue
		}
		by := token.LAND // where all of it holds, so does each part
		if edge != 0 {
			by = token.LOR
		}
		for _, cond := range partsOfConds(f.body.Conds[test], by) {
			if found, known := f.presence(cond); known && (edge == 0) == found {
				return true
			}
		}
	}
	return false
}

// replies says whether the call answers a request: it is given a parameter of the function by
// which net/http has handlers answer, or is a method of that.
func (f *finding) replies(call *ast.CallExpr) bool {
	writer := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok || !f.isParameter(id) {
			return false
		}
		named, ok := types.Unalias(f.pkg.Info.TypeOf(id)).(*types.Named)
		return ok && named.Obj().Name() == "ResponseWriter" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "net/http"
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && writer(sel.X) {
		return true
	}
	for _, arg := range call.Args {
		if writer(arg) {
			return true
		}
	}
	return false
}

// repliesError says whether one of the arguments is the status of a request that was wrong.
func (f *finding) repliesError(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		value := f.pkg.Info.Types[arg].Value
		if value == nil || value.Kind() != constant.Int {
			continue
		}
		if status, exact := constant.Int64Val(value); exact && 400 <= status && status < 500 {
			return true
		}
	}
	return false
}
