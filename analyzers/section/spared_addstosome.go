package section

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// addsToSome says whether the end appends to a list because the entry has found something in it:
//
//	if q.anyWaiting() || !q.idle() { q.append(r); return }
//
// What was found is true all the more afterwards, so that who comes second does what it would have
// done alone. That others may take out everything in between is another mistake, if it is one.
func (f *finding) addsToSome(end *hit) bool {
	if end.Mode != atomicity.Write || !f.appends(end.source()) {
		return false
	}
	for _, test := range f.trail.tests {
		if some := f.someEdge(test); some >= 0 {
			return f.fromThere(test, some, end.block) && !f.fromThere(test, 1-some, end.block)
		}
	}
	return false
}

// fromThere says whether the branch leads to the block at once, without another condition.
func (f *finding) fromThere(test, edge, block int) bool {
	at := f.body.CFG.Blocks[test].Succs[edge]
	for range f.body.CFG.Blocks {
		switch {
		case int(at.Index) == block:
			return true
		case len(at.Succs) != 1:
			return false
		}
		at = at.Succs[0]
	}
	return false
}

// someEdge is the edge of the test that is taken when the entry has found something, or -1.
func (f *finding) someEdge(test int) int {
	for _, cond := range f.body.Conds[test] {
		if edge := f.someIn(cond); edge >= 0 {
			return edge
		}
	}
	return -1
}

func (f *finding) someIn(cond ast.Expr) int {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if edge := f.someIn(e.X); e.Op == token.NOT && edge >= 0 {
			return 1 - edge
		}
		return -1
	case *ast.BinaryExpr:
		if e.Op == token.LOR || e.Op == token.LAND {
			return max(f.someIn(e.X), f.someIn(e.Y))
		}
	case *ast.CallExpr:
		if e == f.entry.via {
			return f.someReturned()
		}
	}
	if empty := f.emptyIn(cond, f.entry); empty >= 0 {
		return 1 - empty
	}
	return -1
}

// someReturned is 0 if the function by which the entry looks returns whether there is something,
// 1 if it returns whether there is nothing, else -1.
func (f *finding) someReturned() int {
	body := f.pkg.ByFunc[f.locks.Callee(f.entry.via)]
	if body == nil {
		return -1
	}
	look := f.entry.source()
	current := f.bodyState
	defer func() { f.bodyState = current }()
	f.bodyState = f.stateOf(body)
	edge := -1
	for _, events := range body.Events {
		for _, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn {
				continue
			}
			if len(ret.Results) != 1 || edge >= 0 {
				return -1
			}
			for _, o := range f.order {
				if o.source() == look {
					edge = f.emptyIn(ret.Results[0], o)
				}
			}
		}
	}
	if edge < 0 {
		return -1
	}
	return 1 - edge
}
