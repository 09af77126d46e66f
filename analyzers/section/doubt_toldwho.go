package section

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// tellsWho says whether the function's one result is a boolean by which the caller learns
// whether it was the one to act: one constant where the test finds that somebody else
// was, and the other one after the end, or what the test has found itself. Then to do it
// twice is not to do it once, for two are told so.
func (f *finding) tellsWho(end *hit) bool {
	fn := f.body.Func
	if fn == nil || fn.Signature().Results().Len() != 1 || !isBoolean(fn.Signature().Results().At(0).Type()) {
		return false
	}
	after, before := map[bool]bool{}, map[bool]bool{}
	found := 0
	for block, events := range f.body.Events {
		for index, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn || len(ret.Results) != 1 {
				continue
			}
			tv := f.pkg.Info.Types[ret.Results[0]]
			if id, ok := ast.Unparen(ret.Results[0]).(*ast.Ident); ok && tv.Value == nil && f.values.of(id)[f.entry.Access] && f.decidesAlone(id, end) {
				found++
				continue
			}
			if tv.Value == nil || tv.Value.Kind() != constant.Bool {
				return false
			}
			switch at := (&occurrence{Access: &access.Access{}, block: block, index: index}); {
			case f.leadsTo(end.occurrence, at):
				after[constant.BoolVal(tv.Value)] = true
			case f.decided(f.trail.tests, block):
				before[constant.BoolVal(tv.Value)] = true
			}
		}
	}
	if found > 0 {
		return len(after)+len(before) == 0
	}
	return len(after) == 1 && len(before) == 1 && (after[true] && before[false] || after[false] && before[true])
}

// decidesAlone says whether the end is reached where the boolean variable is true, or where it
// is false, and that is all the test asks.
func (f *finding) decidesAlone(id *ast.Ident, end *hit) bool {
	for _, test := range f.trail.tests {
		if ok, _ := f.decides(test, end.block); !ok || len(f.body.Conds[test]) != 1 {
			continue
		}
		cond, _ := asked(f.body.Conds[test][0])
		if x, ok := cond.(*ast.Ident); ok && f.pkg.Info.ObjectOf(x) == f.pkg.Info.ObjectOf(id) {
			return true
		}
	}
	return false
}

// tellsOfChange says whether the function tells others of what it has stored, by a function
// that it was given or keeps, by a send or by a goroutine, where the test has found that
// it is something new: to do it twice is to tell of it twice.
func (f *finding) tellsOfChange(end *hit) bool {
	for block, events := range f.body.Events {
		for index, ev := range events {
			switch ev.Kind {
			case accesses.OnGo, accesses.OnSend:
			case accesses.OnCall:
				call := ev.Node.(*ast.CallExpr)
				id, _ := ast.Unparen(call.Fun).(*ast.Ident)
				if !f.callsField(call) && !(id != nil && f.isParameter(id)) || printing.MatchString(types.ExprString(call.Fun)) {
					continue
				}
			default:
				continue
			}
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			if f.leadsTo(end.occurrence, at) && f.decided(f.trail.tests, block) {
				return true
			}
		}
	}
	return false
}

// callsBack says whether the function calls one that it was given or keeps, and throws away
// what that returns, between the test and the end: what is done then is done twice.
func (f *finding) callsBack(end *hit) bool {
	for block, events := range f.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !f.isStatement(call) {
				continue
			}
			id, _ := ast.Unparen(call.Fun).(*ast.Ident)
			if !f.callsField(call) && !(id != nil && f.isParameter(id)) || printing.MatchString(types.ExprString(call.Fun)) {
				continue
			}
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			if f.leadsTo(at, end.occurrence) && !f.leadsTo(end.occurrence, at) && f.decided(f.trail.tests, block) {
				return true
			}
		}
	}
	return false
}
