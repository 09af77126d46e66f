package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// newer says whether the end stores an object because a part of it comes after the same
// part of the object that the entry has found: if cur.version < next.version. Of two that
// both find the oldest one, the newer may be stored first, and be replaced by the older.
func (f *finding) newer(end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if len(values) == 0 {
		return false
	}
	next := ast.Unparen(values[len(values)-1])
	switch next.(type) {
	case *ast.Ident, *ast.SelectorExpr:
	default:
		return false
	}
	for block, conds := range f.body.Conds {
		if ok, _ := f.decides(block, end.block); !ok {
			continue
		}
		found := false
		for _, cond := range conds {
			ast.Inspect(cond, func(n ast.Node) bool {
				for _, pair := range compared(n) {
					found = found || f.samePart(pair[0], pair[1], types.ExprString(next)) || f.samePart(pair[1], pair[0], types.ExprString(next))
				}
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}

// outdone says whether what a LoadOrStore has found is compared by order, as if it could be
// replaced then: if old, found := m.LoadOrStore(k, n); found && n > old.(int) { m.Store(k, n) }.
func (s *search) outdone(e *occurrence) bool {
	if e.Kind != access.SyncMap || e.Method != "LoadOrStore" || e.via != nil {
		return false
	}
	found := false
	for _, conds := range s.body.Conds {
		for _, cond := range conds {
			ast.Inspect(cond, func(n ast.Node) bool {
				for _, pair := range compared(n) {
					found = found || s.values.of(pair[0])[e.Access] || s.values.of(pair[1])[e.Access]
				}
				return !found
			})
		}
	}
	return found
}

// compared are the operands that the expression compares by order: x < y, x.Before(y).
func compared(n ast.Node) [][2]ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ}, n.Op) {
			return [][2]ast.Expr{{n.X, n.Y}}
		}
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if ok && len(n.Args) == 1 && slices.Contains([]string{"After", "Before", "LessThan", "GreaterThan", "Less"}, sel.Sel.Name) {
			return [][2]ast.Expr{{sel.X, n.Args[0]}}
		}
	}
	return nil
}

// samePart says whether theirs is a part of what the entry has found, and ours the same
// part of the object named next.
func (f *finding) samePart(theirs, ours ast.Expr, next string) bool {
	part, ok := strings.CutPrefix(f.plainText(ours), next+".")
	if !ok {
		return false
	}
	for {
		if call, ok := ast.Unparen(theirs).(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv := f.pkg.Info.Types[call.Fun]; tv.IsType() {
				theirs = call.Args[0]
				continue
			}
		}
		break
	}
	whole, ok := strings.CutSuffix(types.ExprString(ast.Unparen(theirs)), "."+part)
	if !ok {
		return false
	}
	for {
		if _, mine := f.values.of(theirs)[f.entry.Access]; mine {
			return true
		}
		switch e := ast.Unparen(theirs).(type) {
		case *ast.SelectorExpr:
			theirs = e.X
		case *ast.CallExpr:
			sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			if !ok || len(e.Args) > 0 {
				return false
			}
			theirs = sel.X
		default:
			return false
		}
		if len(types.ExprString(theirs)) < len(whole) {
			return false
		}
	}
}
