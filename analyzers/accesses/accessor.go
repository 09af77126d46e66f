package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// An accessor is a method without a lock that does one thing to its object:
//
//	func (s *store) has(k string) bool         { return s.m[k] != nil }
//	func (s *store) put(k string, e *entry)    { s.m[k] = e }
//	func (s *store) setClosed()                { s.closed.Store(true) }
//	func (s *store) get(k string) (*entry, bool) { e, ok := s.m[k]; return e, ok }
//
// What it does is put in the place of its calls.
type accessor struct {
	decl   *ast.FuncDecl
	params []*types.Var         // the receiver first
	uses   map[types.Object]int // how often what it is given stands in it
	result ast.Expr             // what it returns
	act    ast.Stmt             // or does
	isMap  bool                 // the receiver is a map
	fails  []failure            // or when it returns an error, as which nothing else can stand
}

// endsIt are the names of functions that end an object: that they are called tells more than what they do.
var endsIt = pattern.New(`^(?i:close|stop|shut|cancel|kill|abort|terminate|destroy|halt|quit|exit|finish|end|dispose|done)($|[^a-z])`)

// findAccessors finds the accessors among the declarations of the files.
func (in *inliner) findAccessors(files []*ast.File) {
	in.accessors = map[*types.Func]*accessor{}
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, file := range files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && len(fn.Body.List) > 0 && len(fn.Body.List) <= 4 && fn.Type.TypeParams == nil {
				if f, ok := in.info.Defs[fn.Name].(*types.Func); ok && !f.Signature().Variadic() {
					decls[f] = fn
				}
			}
		}
	}
	for found := true; found; {
		found = false
		for f, d := range decls {
			if in.accessors[f] == nil {
				if a := in.accessor(f, d); a != nil {
					in.accessors[f], found = a, true
				}
			}
		}
	}
}

// accessor is what the function does, nil if it is none.
func (in *inliner) accessor(f *types.Func, d *ast.FuncDecl) *accessor {
	sig := f.Signature()
	if sig.Recv() == nil || ast.IsExported(f.Name()) && !wraps(sig.Recv().Type()) || SaysLocked(d) || strings.HasSuffix(strings.ToLower(f.Name()), "lock") || SetsGoing(f.Name()) || Runs(f.Name()) || endsIt.MatchString(f.Name()) {
		return nil
	}
	a := &accessor{decl: d, uses: map[types.Object]int{}}
	_, a.isMap = sig.Recv().Type().Underlying().(*types.Map)
	a.params = append(a.params, sig.Recv())
	for i := range sig.Params().Len() {
		a.params = append(a.params, sig.Params().At(i))
	}
	list := d.Body.List
	if a.fails = in.failures(list, a); a.fails != nil {
		return a
	}
	clear(a.uses)
	if a.result = in.asserted(list, a); a.result != nil {
		return a
	}
	clear(a.uses)
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		switch {
		case len(list) == 1 && len(last.Results) == 1:
			a.result = last.Results[0]
		case len(list) == 2:
			a.result = named(list[0], last)
		}
		if a.result == nil || !in.plainly(a.result, a) {
			return nil
		}
	case *ast.AssignStmt:
		// An update is a step of the function's own.
		if len(list) != 1 || len(last.Lhs) != 1 || len(last.Rhs) != 1 || last.Tok != token.ASSIGN || !in.plainly(last.Lhs[0], a) || !in.plainly(last.Rhs[0], a) || in.looks(last.Rhs[0]) {
			return nil
		}
		if _, local := ast.Unparen(last.Lhs[0]).(*ast.Ident); local {
			return nil
		}
		a.act = last
	case *ast.ExprStmt:
		call, ok := last.X.(*ast.CallExpr)
		if !ok || len(list) != 1 || !in.plainly(call, a) || slices.ContainsFunc(in.valuesOf(call), in.looks) {
			return nil
		}
		a.act = last
	default:
		return nil
	}
	return a
}

// wraps says whether the type is one of the package's own around something else: type table map[string]*entry, or
// type flag struct{ is atomic.Bool }. Its methods have no other callers, whatever they are called.
func wraps(t types.Type) bool {
	tn := TypeName(t)
	if tn == nil || tn.Exported() {
		return false
	}
	switch t := tn.Type().Underlying().(type) {
	case *types.Map:
		return true
	case *types.Struct:
		if t.NumFields() != 1 {
			return false
		}
		if _, ok := t.Field(0).Type().Underlying().(*types.Map); ok {
			return true
		}
		in := TypeName(t.Field(0).Type())
		return in != nil && in.Pkg() != nil && (access.IsAtomic(in.Pkg().Path()) || in.Pkg().Path() == "sync")
	}
	return false
}

// looks says whether the expression reads a field.
func (in *inliner) looks(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && in.info.Selections[sel] != nil
		return !found
	})
	return found
}

// valuesOf are the arguments of the call without the map or the address that says what it changes.
func (in *inliner) valuesOf(call *ast.CallExpr) []ast.Expr {
	fn, ok := typeutil.Callee(in.info, call).(*types.Func)
	if len(call.Args) > 0 && (!ok || fn.Signature().Recv() == nil) {
		return call.Args[1:]
	}
	return call.Args
}

// named is e of v, ok := e; return v, ok, or nil.
func named(s ast.Stmt, ret *ast.ReturnStmt) ast.Expr {
	def, ok := s.(*ast.AssignStmt)
	if !ok || def.Tok != token.DEFINE || len(def.Rhs) != 1 || len(ret.Results) != len(def.Lhs) {
		return nil
	}
	for i := range def.Lhs {
		if types.ExprString(def.Lhs[i]) != types.ExprString(ret.Results[i]) {
			return nil
		}
	}
	return def.Rhs[0]
}

// plainly says whether the expression is made of what the accessor is given, of fields and entries, and of what computes
// with them, and whether what it is given stands in it once, the receiver with a selector behind it.
func (in *inliner) plainly(e ast.Expr, a *accessor) bool {
	plain := true
	selected := map[ast.Expr]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.BinaryExpr, *ast.ParenExpr, *ast.StarExpr, *ast.IndexExpr, *ast.BasicLit:
		case *ast.UnaryExpr:
			plain = plain && n.Op != token.ARROW
		case *ast.SelectorExpr:
			selected[n.X] = true
		case *ast.Ident:
			v, ok := in.info.Uses[n].(*types.Var)
			if !ok || v.IsField() {
				break
			}
			a.uses[v]++
			plain = plain && (v != a.params[0] || selected[ast.Expr(n)] || a.isMap)
		case *ast.CallExpr:
			plain = plain && in.computes(n)
		default:
			plain = false
		}
		return plain
	})
	return plain && !slices.ContainsFunc(a.params[1:], func(v *types.Var) bool { return a.uses[v] > 1 })
}

// computes says whether the call is a conversion, of a built-in function, of an operation on an atomic or a sync.Map, or of another accessor.
func (in *inliner) computes(call *ast.CallExpr) bool {
	if tv, ok := in.info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return tv.IsType() || ok && (id.Name == "len" || id.Name == "cap" || id.Name == "delete" || id.Name == "append")
	}
	fn, ok := typeutil.Callee(in.info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	if access.IsAtomic(fn.Pkg().Path()) {
		return true
	}
	a := in.accessors[fn.Origin()]
	return in.ofSyncMap(call) || a != nil && a.result != nil
}

// ofSyncMap says whether the expression calls a method of a sync.Map.
func (in *inliner) ofSyncMap(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn, ok := typeutil.Callee(in.info, call).(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || fn.Signature().Recv() == nil {
		return false
	}
	tn := TypeName(fn.Signature().Recv().Type())
	return tn != nil && tn.Name() == "Map"
}
