package rewrite

import (
	"go/ast"
	"go/types"
)

// closures tells the function literals of a declaration that may run while the
// function around them goes on from those that cannot: called or deferred on
// the spot, or kept in a local variable that is only ever called. What such a
// literal captures stays on one goroutine's stack, as far as it is concerned.
type closures struct {
	info *types.Info
	// bound holds the local that each literal is assigned to, nil for those
	// that are called or deferred where they stand; other literals are not in it.
	bound map[*ast.FuncLit]*types.Var
	// leaving holds the locals that are not only called: their value may get
	// anywhere.
	leaving map[*types.Var]bool
	// captures lists the locals that a literal mentions and does not declare.
	captures map[*ast.FuncLit]map[*types.Var]bool
}

// concurrentCaptures returns the locals of n that a literal captures which may
// run concurrently.
func concurrentCaptures(info *types.Info, n ast.Node) map[*types.Var]bool {
	shared, _ := newClosures(info, n).shared()
	return shared
}

// staying returns the literals of n that run on its goroutine and within its activation
// alone.
func staying(info *types.Info, n ast.Node) map[*ast.FuncLit]bool {
	_, stay := newClosures(info, n).shared()
	return stay
}

func newClosures(info *types.Info, n ast.Node) *closures {
	l := &closures{info, map[*ast.FuncLit]*types.Var{}, map[*types.Var]bool{}, map[*ast.FuncLit]map[*types.Var]bool{}}
	l.bind(n)
	l.uses(n)
	return l
}

// shared returns the locals that literals share with others, and the literals that
// stay.
func (l *closures) shared() (shared map[*types.Var]bool, stay map[*ast.FuncLit]bool) {
	shared = map[*types.Var]bool{}
	// A literal that leaves takes those along that it calls.
	for changed := true; changed; {
		changed = false
		stay = map[*ast.FuncLit]bool{}
		for lit, captured := range l.captures {
			if v, ok := l.bound[lit]; ok && (v == nil || !l.leaving[v] && !shared[v]) {
				stay[lit] = true
				continue
			}
			for v := range captured {
				changed = changed || !shared[v]
				shared[v] = true
			}
		}
	}
	return shared, stay
}

// bind finds the literals, what each captures, and where it goes.
func (l *closures) bind(n ast.Node) {
	started := map[*ast.CallExpr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			started[n.Call] = true
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok && !started[n] {
				l.bound[lit] = nil
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i := range n.Lhs {
					l.assign(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i := range n.Names {
					l.assign(n.Names[i], n.Values[i])
				}
			}
		case *ast.FuncLit:
			l.captures[n] = l.captured(n)
		}
		return true
	})
}

func (l *closures) assign(to, value ast.Expr) {
	lit, isLiteral := ast.Unparen(value).(*ast.FuncLit)
	id, isIdent := ast.Unparen(to).(*ast.Ident)
	if !isLiteral || !isIdent {
		return
	}
	if v, ok := l.info.ObjectOf(id).(*types.Var); ok && isLocal(v) {
		l.bound[lit] = v
	}
}

func (l *closures) captured(lit *ast.FuncLit) map[*types.Var]bool {
	found := map[*types.Var]bool{}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.info.Uses[id].(*types.Var); ok && isLocal(v) && !within(v, lit) {
				found[v] = true
			}
		}
		return true
	})
	return found
}

// uses finds the locals that are used otherwise than by being called or
// assigned to, and named results. A call in a go statement counts as such a use.
func (l *closures) uses(n ast.Node) {
	harmless := map[*ast.Ident]bool{}
	mark := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			harmless[id] = true
		}
	}
	started := map[*ast.CallExpr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			started[n.Call] = true
		case *ast.CallExpr:
			if !started[n] {
				mark(n.Fun)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				mark(e)
			}
		case *ast.FuncType:
			if n.Results == nil {
				break
			}
			for _, field := range n.Results.List { // a bare return does not name them
				for _, name := range field.Names {
					if v, ok := l.info.Defs[name].(*types.Var); ok {
						l.leaving[v] = true
					}
				}
			}
		case *ast.Ident:
			if v, ok := l.info.Uses[n].(*types.Var); ok && isLocal(v) && !harmless[n] {
				l.leaving[v] = true
			}
		}
		return true
	})
}
