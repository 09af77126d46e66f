package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// localLit is the literal that the local variable id always holds, if it is
// defined once and only ever called.
func (r *Result) localLit(id *ast.Ident) *accesses.Body {
	obj := r.pkg.Info.ObjectOf(id)
	if lit := r.lits()[obj]; lit != nil {
		return r.pkg.ByNode[lit]
	}
	return nil
}

func (r *Result) onlyCalledLit(lit *ast.FuncLit) bool {
	for _, l := range r.lits() {
		if l == lit {
			return true
		}
	}
	return false
}

// LocalLit says whether the literal is only ever called through one local.
func (r *Result) LocalLit(b *accesses.Body) bool {
	lit, ok := b.Node.(*ast.FuncLit)
	return ok && r.onlyCalledLit(lit)
}

// LitOf is the literal that a call of the local id runs, or nil.
func (r *Result) LitOf(id *ast.Ident) *accesses.Body { return r.localLit(id) }

// NamedLit is the literal that the local variable id is defined with and always holds, whatever
// use is made of it, or nil.
func (r *Result) NamedLit(id *ast.Ident) *accesses.Body {
	return r.pkg.ByNode[r.named()[r.pkg.Info.ObjectOf(id)]]
}

// named maps the locals that are defined with a literal and never assigned to it.
func (r *Result) named() map[types.Object]*ast.FuncLit {
	if r.namedLits != nil {
		return r.namedLits
	}
	r.namedLits = map[types.Object]*ast.FuncLit{}
	again := map[types.Object]bool{}
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					id, ok := ast.Unparen(l).(*ast.Ident)
					if !ok {
						continue
					}
					obj := r.pkg.Info.Defs[id]
					if obj == nil {
						again[r.pkg.Info.Uses[id]] = true
						continue
					}
					if lit, isLit := ast.Unparen(n.Rhs[min(i, len(n.Rhs)-1)]).(*ast.FuncLit); isLit {
						r.namedLits[obj] = lit
					}
				}
			case *ast.UnaryExpr:
				if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
					again[r.pkg.Info.Uses[id]] = true
				}
			}
			return true
		})
	}
	for obj := range again {
		delete(r.namedLits, obj)
	}
	return r.namedLits
}

// InCallPosition says whether id names the function of a call.
func (r *Result) InCallPosition(id *ast.Ident) bool { return r.called[id] }

// lits maps the locals that hold one literal and are only called to it.
func (r *Result) lits() map[types.Object]*ast.FuncLit {
	if r.literals != nil {
		return r.literals
	}
	r.literals = map[types.Object]*ast.FuncLit{}
	uses := map[types.Object]int{}
	for _, obj := range r.pkg.Info.Uses {
		uses[obj]++
	}
	calls := map[types.Object]int{}
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if id, ok := n.Call.Fun.(*ast.Ident); ok {
					calls[r.pkg.Info.Uses[id]] -= 1 << 20
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok {
					calls[r.pkg.Info.Uses[id]]++
				}
			case *ast.AssignStmt:
				if len(n.Lhs) == 1 && len(n.Rhs) == 1 {
					id, isID := n.Lhs[0].(*ast.Ident)
					lit, isLit := n.Rhs[0].(*ast.FuncLit)
					if isID && isLit {
						if obj := r.pkg.Info.Defs[id]; obj != nil {
							r.literals[obj] = lit
						}
					}
				}
			}
			return true
		})
	}
	for obj := range r.literals {
		if calls[obj] < 1 || calls[obj] != uses[obj] {
			delete(r.literals, obj)
		}
	}
	return r.literals
}

// spawnsAll says whether the function, known by package and name, runs function
// values that it is given in other goroutines.
func spawnsAll(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "time":
		return fn.Name() == "AfterFunc"
	case "context":
		return fn.Name() == "AfterFunc"
	case "net/http":
		return fn.Name() == "HandleFunc" || fn.Name() == "Handle" || fn.Name() == "TimeoutHandler"
	case "sync":
		return fn.Name() == "Go"
	case "runtime":
		return fn.Name() == "SetFinalizer" || fn.Name() == "AddCleanup"
	}
	switch fn.Name() {
	case "Go", "TryGo", "GoFunc", "Spawn", "Submit", "RunAsync":
		return true
	}
	return false
}

// ImplementsSync says whether the package with the path is where Go's
// synchronisation comes from: what it does with locks and atomics is not to be
// judged by the rules for its users.
func ImplementsSync(path string) bool {
	switch path {
	case "sync", "internal/sync", "runtime", "internal/poll":
		return true
	}
	return strings.HasPrefix(path, "sync/") || strings.HasPrefix(path, "runtime/internal/") || strings.HasPrefix(path, "internal/runtime/")
}

// runsOnce says whether the function runs what it is given once at a time.
func runsOnce(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "sync":
		return fn.Name() == "Do" || strings.HasPrefix(fn.Name(), "Once")
	}
	if recv := fn.Signature().Recv(); recv != nil && fn.Name() == "Do" && strings.Contains(strings.ToLower(types.TypeString(recv.Type(), nil)), "flight") {
		return true // somebody's own singleflight
	}
	return strings.HasSuffix(fn.Pkg().Path(), "/singleflight")
}
