package locks

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
)

// Spawns says whether the call of fn runs the function value that it is given
// as its argument i in another goroutine.
func (r *Result) Spawns(fn *types.Func, i int) bool {
	if fn == nil {
		return false
	}
	r.known(fn)
	return spawnsAll(fn) || slices.Contains(r.spawned[fn], 2+i)
}

// Launches says whether the call of fn runs some of its arguments in other
// goroutines.
func (r *Result) Launches(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	r.known(fn)
	return spawnsAll(fn) || len(r.spawned[fn]) > 0
}

// findSpawned finds the functions that run their parameters in goroutines: in a
// go statement, or by handing them to such a function.
func (r *Result) findSpawned() {
	for range maxRounds {
		changed := false
		for _, b := range r.pkg.Bodies {
			fn := b.Outermost().Func
			if fn == nil || !takesFunction(fn) {
				continue
			}
			note := func(e ast.Expr) {
				for _, i := range r.runs(fn, e) {
					if !slices.Contains(r.spawned[fn], i) {
						r.spawned[fn] = append(r.spawned[fn], i)
						slices.Sort(r.spawned[fn])
						changed = true
					}
				}
			}
			for _, events := range b.Events {
				for _, ev := range events {
					switch ev.Kind {
					case accesses.OnGo:
						note(ev.Node.(*ast.GoStmt).Call.Fun)
					case accesses.OnCall:
						call := ev.Node.(*ast.CallExpr)
						callee := r.Callee(call)
						for i, a := range call.Args {
							if r.Spawns(callee, i) {
								note(a)
							}
						}
					}
				}
			}
		}
		if !changed {
			return
		}
	}
}

// runs lists the parameters of fn that running the function value e calls.
func (r *Result) runs(fn *types.Func, e ast.Expr) []int {
	var list []int
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if i := facts.IndexOf(fn, r.pkg.Info.Uses[id]); i >= 2 {
				list = append(list, i)
			}
		}
	}
	add(e)
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				add(call.Fun)
			}
			return true
		})
	}
	return list
}

func takesFunction(fn *types.Func) bool {
	for v := range fn.Signature().Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
