package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// repeated finds reads that -races need not hook: a hooked access to the same
// memory comes before on every way, and since then the goroutine has not
// synchronised, called anything that might, or gone round a loop. Who races with
// such a read races with the access before it as well.
//
// Memory is told by the path that leads there: the variable, fields and
// indices. A path ends when what it goes through may be written.
type repeated struct {
	info   *types.Info
	light  func(e ast.Expr, mode atomicity.AccessSet) bool // has a light hook
	silent func(*types.Func) bool                          // neither writes nor synchronises
	found  map[ast.Expr]bool
	live   []map[string]path // the last for where we are, before it those around
}

// path says what a path goes through on the way to the memory it denotes.
type path struct {
	through []types.Object
	element bool // an element of a slice or an array
}

// repeatedReads returns the reads in the body that need no hook.
func repeatedReads(info *types.Info, body *ast.BlockStmt, light func(ast.Expr, atomicity.AccessSet) bool, silent func(*types.Func) bool) map[ast.Expr]bool {
	r := &repeated{info: info, light: light, silent: silent, found: map[ast.Expr]bool{}}
	r.apart(body)
	return r.found
}

// apart goes through the body of a function of its own.
func (r *repeated) apart(body *ast.BlockStmt) {
	outer := r.live
	r.live = []map[string]path{{}}
	r.list(body.List)
	r.live = outer
}

func (r *repeated) here() map[string]path { return r.live[len(r.live)-1] }

// forget ends every path: the goroutine may synchronise here.
func (r *repeated) forget() {
	for _, paths := range r.live {
		clear(paths)
	}
}

// written ends the paths that go through what e denotes.
func (r *repeated) written(e ast.Expr) {
	var object types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		object = r.info.ObjectOf(e)
	case *ast.SelectorExpr:
		object = r.info.ObjectOf(e.Sel)
	case *ast.IndexExpr:
	default:
		r.forget()
		return
	}
	for _, paths := range r.live {
		for key, p := range paths {
			if object == nil && p.element || object != nil && slices.Contains(p.through, object) {
				delete(paths, key)
			}
		}
	}
}

// path returns the key and the way of e.
func (r *repeated) path(e ast.Expr) (key string, p path, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, isVar := r.info.ObjectOf(e).(*types.Var)
		return fmt.Sprintf("%p", v), path{}, isVar
	case *ast.SelectorExpr:
		f, isVar := r.info.ObjectOf(e.Sel).(*types.Var)
		if !isVar || r.info.Selections[e] == nil {
			return fmt.Sprintf("%p", f), path{}, isVar // a variable of another package
		}
		key, p, ok = r.inner(e.X)
		return fmt.Sprintf("%s.%p", key, f), p, ok
	case *ast.StarExpr:
		key, p, ok = r.inner(e.X)
		return "*" + key, p, ok
	case *ast.IndexExpr:
		key, p, ok = r.inner(e.X)
		index, own, isPlain := r.index(e.Index)
		p.through = append(p.through, own...)
		return key + "[" + index + "]", p, ok && isPlain
	}
	return "", path{}, false
}

// inner is the path of something that a longer path goes through.
func (r *repeated) inner(e ast.Expr) (string, path, bool) {
	key, p, ok := r.path(e)
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		p.through = append(p.through, r.info.ObjectOf(e))
	case *ast.SelectorExpr:
		p.through = append(p.through, r.info.ObjectOf(e.Sel))
	case *ast.IndexExpr:
		p.element = true
	default:
		return "", path{}, false
	}
	return key, p, ok
}

// index is that of an element: a constant or a local variable.
func (r *repeated) index(e ast.Expr) (key string, own []types.Object, ok bool) {
	if tv := r.info.Types[e]; tv.Value != nil {
		return tv.Value.ExactString(), nil, true
	}
	if id, isIdent := ast.Unparen(e).(*ast.Ident); isIdent {
		if v, isVar := r.info.ObjectOf(id).(*types.Var); isVar && isLocal(v) {
			return fmt.Sprintf("%p", v), []types.Object{v}, true
		}
	}
	return "", nil, false
}

// read comes at the read of e, whose operands have been gone through.
func (r *repeated) read(e ast.Expr) {
	if !r.light(e, atomicity.Read) {
		return
	}
	key, p, ok := r.path(e)
	if !ok {
		return
	}
	if _, seen := r.here()[key]; seen {
		r.found[e] = true
		return
	}
	r.here()[key] = p
}

// write comes at the write to e.
func (r *repeated) write(e ast.Expr) {
	r.written(e)
	if key, p, ok := r.path(e); ok && r.light(ast.Unparen(e), atomicity.Write) {
		r.here()[key] = p
	}
}

// branch runs fn for what may be left out. What fn forgets is forgotten after it,
// too, unless it never gets there.
func (r *repeated) branch(fresh bool, body []ast.Stmt, fn func()) {
	var kept []map[string]path
	if leaves(body) {
		for _, paths := range r.live {
			kept = append(kept, maps.Clone(paths))
		}
	}
	inside := map[string]path{}
	if !fresh {
		inside = maps.Clone(r.here())
	}
	r.live = append(r.live, inside)
	fn()
	r.live = r.live[:len(r.live)-1]
	if kept != nil {
		r.live = kept
	}
}

// leaves says whether the list ends the function.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			return ok && id.Name == "panic"
		}
	}
	return false
}

// quietPackages are those whose functions neither synchronise nor write to
// memory that a path can go through.
var quietPackages = map[string]bool{
	"math": true, "math/bits": true, "encoding/binary": true, "unicode": true, "unicode/utf8": true, "unsafe": true,
}

// isQuiet says whether the call leaves all paths as they are.
func (r *repeated) isQuiet(call *ast.CallExpr) bool {
	if tv := r.info.Types[call.Fun]; tv.IsType() {
		return true
	} else if tv.IsBuiltin() {
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return !ok || !slices.Contains([]string{"copy", "clear", "close", "panic", "recover"}, id.Name) // not ok: of unsafe
	}
	fn := callee(r.info, call)
	return fn != nil && fn.Pkg() != nil && (quietPackages[fn.Pkg().Path()] || r.silent(fn))
}

// callee is the function that the call is sure to call, or nil.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch e := fun.(type) {
	case *ast.IndexExpr:
		fun = e.X
	case *ast.IndexListExpr:
		fun = e.X
	}
	var id *ast.Ident
	switch e := fun.(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
		if s := info.Selections[e]; s != nil && types.IsInterface(s.Recv()) {
			return nil
		}
	default:
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// silentFunctions finds the functions among decls that call nothing but one
// another and what is quiet, write to their own variables alone, and neither
// wait nor wake anybody.
func silentFunctions(info *types.Info, functions []*access.Function) func(*types.Func) bool {
	bodies := map[*types.Func]*ast.BlockStmt{}
	for _, f := range functions {
		if f.Decl != nil {
			if fn, ok := info.Defs[f.Decl.Name].(*types.Func); ok {
				bodies[fn] = f.Decl.Body
			}
		}
	}
	known := map[*types.Func]bool{}
	var silent func(fn *types.Func) bool
	silent = func(fn *types.Func) bool {
		result, ok := known[fn]
		if body := bodies[fn]; !ok && body != nil {
			known[fn] = false // recursion is not looked into
			r := &repeated{info: info, silent: silent}
			result = r.isSilent(body)
			known[fn] = result
		}
		return result
	}
	return silent
}

func (r *repeated) isSilent(body *ast.BlockStmt) bool {
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt, *ast.SendStmt, *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.RangeStmt:
			ok = ok && !r.runsOthers(n)
		case *ast.CallExpr:
			ok = ok && r.isQuiet(n)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				ok = ok && r.isOwnMemory(e)
			}
		case *ast.IncDecStmt:
			ok = ok && r.isOwnMemory(n.X)
		}
		return ok
	})
	return ok
}

func (r *repeated) isOwnMemory(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	if id.Name == "_" {
		return true
	}
	v, ok := r.info.ObjectOf(id).(*types.Var)
	return ok && isLocal(v)
}

// runsOthers says whether the loop waits for others, or runs a function.
func (r *repeated) runsOthers(s *ast.RangeStmt) bool {
	t := r.info.TypeOf(s.X)
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return false
}
