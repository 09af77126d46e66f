package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

var (
	lengths = pattern.New(`(?i)^(len|length|size|count)$`)
	adding  = pattern.New(`^(Push|Add|Insert|Put|Enqueue|Append|Offer)`)
)

// fullBelow says whether a method of the object, which takes its lock for that, tells whether a
// container of another type has come to its bound, and an element is added to the very container
// when the lock has been given back and taken again. The container knows of no lock, so that
// however deep in it the length lies, it is the lock of its owner that has to join the two:
//
//	if q.isFull() { return ErrFull }     // mu.RLock(); defer mu.RUnlock(); return items.Len() >= max
//	q.mu.Lock(); q.items.PushBack(x); q.mu.Unlock()
func (f *finding) fullBelow(end *hit) bool {
	if end.Mode != atomicity.Write || !f.entry.held.Any() || !end.held.Excludes() || f.entry.outer.Any() || !f.ownLock(f.entry.held) {
		return false
	}
	full, of := f.containerBelow(f.entry.via)
	if full == nil {
		return false
	}
	add, ok := ast.Unparen(end.via.Fun).(*ast.SelectorExpr)
	if !ok || !adding.MatchString(add.Sel.Name) || f.variable(add.X) != of || f.receiverOf(f.entry.via) != (accesses.Place{Root: f.pkg.PlaceOf(add.X).Root}) {
		return false
	}
	for _, test := range f.trail.tests {
		decides, edge := f.decides(test, end.block)
		if !decides || len(f.body.Conds[test]) != 1 {
			continue
		}
		cond, not := asked(f.body.Conds[test][0])
		if cond == f.entry.via && isLess(full, (edge == 0) != not, f.asksLength) {
			return true
		}
	}
	return false
}

// containerBelow is the comparison that the method called returns, of the length of a container
// with something that is set for the object, and the field that the container is in.
func (f *finding) containerBelow(call *ast.CallExpr) (ast.Expr, *types.Var) {
	if call == nil {
		return nil, nil
	}
	b := f.pkg.ByFunc[f.locks.Callee(call)]
	if b == nil || len(b.Block.List) == 0 {
		return nil, nil
	}
	ret, ok := b.Block.List[len(b.Block.List)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil, nil
	}
	cmp, ok := ast.Unparen(ret.Results[0]).(*ast.BinaryExpr)
	if !ok || f.asksLength(cmp.X) == f.asksLength(cmp.Y) {
		return nil, nil
	}
	length, bound := cmp.X, cmp.Y
	if f.asksLength(bound) {
		length, bound = bound, length
	}
	if _, literal := ast.Unparen(bound).(*ast.BasicLit); literal {
		return nil, nil
	}
	field := f.variable(lengthCall(length).X)
	if field == nil || !field.IsField() {
		return nil, nil
	}
	return cmp, field
}

// asksLength says whether e asks a container for its length.
func (f *finding) asksLength(e ast.Expr) bool {
	sel := lengthCall(e)
	return sel != nil && lengths.MatchString(sel.Sel.Name)
}

// lengthCall is what is called without arguments by e, which may be a conversion of that.
func lengthCall(e ast.Expr) *ast.SelectorExpr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && len(call.Args) == 1 { // uint64(items.Len())
		call, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
	}
	if !ok || len(call.Args) != 0 {
		return nil
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return sel
}
