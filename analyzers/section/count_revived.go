package section

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// revives says whether the end counts one more user of an object because there is one,
// while another function gives up what the object holds when its own subtraction has left
// nobody: in between, the last one can have gone. A check that panics is for mistakes of
// callers, who keep the object in use themselves.
func (f *finding) revives(end *hit) bool {
	if f.step(end.occurrence) <= 0 || end.via != nil || !f.asksForUsers(end) {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) {
			continue
		}
		f.bodyState = f.states[b]
		for _, down := range f.order {
			if down.Var == f.entry.Var && down.via == nil && down.Mode == atomicity.Write && f.step(down) < 0 && f.endsAtZero(down) {
				return true
			}
		}
	}
	return false
}

// asksForUsers says whether the end is reached where the entry has found more than zero,
// and the function says no, without a panic, where it has not.
func (f *finding) asksForUsers(end *hit) bool {
	for _, test := range f.trail.tests {
		if len(f.body.Conds[test]) != 1 {
			continue
		}
		decides, edge := f.decides(test, end.block)
		b, ok := ast.Unparen(f.body.Conds[test][0]).(*ast.BinaryExpr)
		if !ok || !decides || !f.is(b.X, f.entry.Access) {
			continue
		}
		bound := f.pkg.Info.Types[b.Y].Value
		if bound == nil || bound.Kind() != constant.Int {
			continue
		}
		some := -1 // the edge on which there is at least one
		switch zero := constant.Sign(bound) == 0; {
		case zero && (b.Op == token.GTR || b.Op == token.NEQ), bound.ExactString() == "1" && b.Op == token.GEQ:
			some = 0
		case zero && (b.Op == token.LEQ || b.Op == token.EQL), bound.ExactString() == "1" && b.Op == token.LSS:
			some = 1
		}
		if some == edge && f.returnsFrom(test, 1-edge) {
			return true
		}
	}
	return false
}

// returnsFrom says whether the body returns on that edge of the test, or comes to its end.
func (f *finding) returnsFrom(test, edge int) bool {
	reached := f.reaches(f.body.CFG.Blocks[test].Succs[edge], test)
	for i, events := range f.body.Events {
		if !reached[i] {
			continue
		}
		if len(f.body.CFG.Blocks[i].Succs) == 0 {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && isPanic(call) {
					return false
				}
			}
		}
	}
	return true
}

// endsAtZero says whether a test of what the subtraction has left decides whether
// something is given up.
func (f *finding) endsAtZero(down *occurrence) bool {
	for _, test := range f.testsOf(down.Access, true) {
		for _, cond := range f.body.Conds[test] {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || constSign(f.pkg.Info.Types[b.Y].Value) != 0 || len(f.body.CFG.Blocks[test].Succs) != 2 {
				continue
			}
			edge := 0
			switch b.Op {
			case token.EQL, token.LEQ:
			case token.NEQ, token.GTR:
				edge = 1
			default:
				continue
			}
			if f.callsOn(test, edge) {
				return true
			}
		}
	}
	return false
}

// callsOn says whether the body calls something where this edge of the test alone leads.
func (f *finding) callsOn(test, edge int) bool {
	succs := f.body.CFG.Blocks[test].Succs
	mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
	for i, events := range f.body.Events {
		if mine[i] && !other[i] && slices.ContainsFunc(events, func(ev accesses.Event) bool {
			call, ok := ev.Node.(*ast.CallExpr)
			return (ev.Kind == accesses.OnCall || ev.Kind == accesses.OnGo) && !(ok && isPanic(call))
		}) {
			return true
		}
	}
	return false
}

// isPanic says whether the call is of panic.
func isPanic(call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "panic"
}

// constSign is the sign of an integer constant, and 2 for anything else.
func constSign(v constant.Value) int {
	if v == nil || v.Kind() != constant.Int {
		return 2
	}
	return constant.Sign(v)
}
