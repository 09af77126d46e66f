package section

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// asksWhoWon says whether control comes to the block only by what a function of the
// package has answered that chooses one goroutine: if !s.tryStart() { return }. It must
// have been asked before the entry, or have been given what it compares: another one
// may have been chosen, and have come to its end, since.
func (f *finding) asksWhoWon(at int) bool {
	for block, conds := range f.body.Conds {
		for _, cond := range conds {
			if !f.answersElection(cond) {
				continue
			}
			if ok, _ := f.decides(block, at); ok {
				return true
			}
		}
	}
	return false
}

// answersElection says whether the condition looks at the answer of a function that
// chooses one goroutine, at once or by way of a local.
func (f *finding) answersElection(cond ast.Expr) bool {
	found := false
	look := func(e ast.Expr) {
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && !found && (call.End() < f.entry.Pos() || len(call.Args) > 0 || f.ofWhatWasFound(call)) {
			fn := f.locks.Callee(call)
			found = fn != nil && f.choosesOne(f.pkg.ByFunc[fn])
		}
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			look(n)
		case *ast.Ident:
			if list := f.values.assigns[f.pkg.Info.ObjectOf(n)]; len(list) == 1 {
				look(list[0].value)
			}
		}
		return !found
	})
	return found
}

// ofWhatWasFound says whether the call is one of a method of the object that the entry has
// found in a sync.Map into which nobody puts an object where there is one: whoever is chosen
// by the object still finds it there.
func (f *finding) ofWhatWasFound(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if _, derived := f.values.of(sel.X)[f.entry.Access]; !derived || f.entry.Kind != access.SyncMap {
		return false
	}
	for _, p := range f.ownAccesses(f.entry.Var) {
		switch p.Method {
		case "Store", "Swap":
			return false
		}
	}
	return true
}

// choosesOne says whether the function answers by a boolean or a number whether its own
// CompareAndSwap or Swap has succeeded. One that tries until it has done so chooses nobody.
func (s *search) choosesOne(b *accesses.Body) bool {
	if b == nil || b.Func == nil || b.Func.Signature().Results().Len() != 1 {
		return false
	}
	if t, ok := b.Func.Signature().Results().At(0).Type().Underlying().(*types.Basic); !ok || t.Info()&(types.IsBoolean|types.IsInteger) == 0 {
		return false
	}
	for _, o := range s.states[b].order {
		if o.Kind == access.Atomic && o.via == nil && (strings.HasPrefix(o.Method, "CompareAndSwap") || strings.HasPrefix(o.Method, "Swap")) {
			return !loops(b)
		}
	}
	return false
}

// loops says whether the body has a loop.
func loops(b *accesses.Body) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}
