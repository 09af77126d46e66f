package accesses

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// findSelecting finds the methods that do no more than to choose one of the elements of a
// list in their object, as func (m *Map) shard(k string) *shard { return m.shards[hash(k)%n] }
// does: what they return has a name, the list's with what they were given as its index.
func (p *Package) findSelecting() {
	p.selecting = map[*types.Func]string{}
	for fn, b := range p.ByFunc {
		recv := fn.Signature().Recv()
		list := b.Block.List
		if recv == nil || len(list) == 0 || fn.Signature().Params().Len() == 0 || fn.Signature().Results().Len() != 1 {
			continue
		}
		ret, ok := list[len(list)-1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 || !onlyComputes(list[:len(list)-1]) {
			continue
		}
		e := ast.Unparen(ret.Results[0])
		if u, ok := e.(*ast.UnaryExpr); ok {
			e = ast.Unparen(u.X)
		}
		x, ok := e.(*ast.IndexExpr)
		if !ok || !isList(p.Info.TypeOf(x.X)) {
			continue
		}
		if of := p.PlaceOf(x.X); of.Root == types.Object(recv) && !strings.Contains(of.Path, "[") {
			p.selecting[fn] = of.Path
		}
	}
}

// onlyComputes says whether the statements assign to locals and call functions, and do
// nothing else.
func onlyComputes(list []ast.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			for _, l := range s.Lhs {
				if _, ok := l.(*ast.Ident); !ok {
					return false
				}
			}
		case *ast.ExprStmt, *ast.DeclStmt, *ast.IncDecStmt:
		default:
			return false
		}
	}
	return true
}

func isList(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Pointer:
		_, ok := t.Elem().Underlying().(*types.Array)
		return ok
	}
	return false
}

// selected is the place that the call of such a method names, the zero Place for other calls.
func (p *Package) selected(call *ast.CallExpr, depth int) Place {
	fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok {
		return Place{}
	}
	path, ok := p.selecting[fn.Origin()]
	sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !isSel || len(call.Args) == 0 {
		return Place{}
	}
	base := p.place(sel.X, depth+1)
	if !base.Valid() {
		return base
	}
	if s := p.Info.Selections[sel]; s != nil {
		base.Path += FieldPath(s)
	}
	args := make([]string, len(call.Args))
	for i, a := range call.Args {
		args[i] = types.ExprString(a)
	}
	return Place{base.Root, base.Path + path + "[" + fn.Name() + "(" + strings.Join(args, ",") + ")]"}
}

// nameSelected makes aliases of the locals that are defined once, by such a call.
func (p *Package) nameSelected() {
	if len(p.selecting) == 0 {
		return
	}
	for _, fn := range p.Functions {
		assigned := map[types.Object]int{}
		named := map[types.Object]*ast.CallExpr{}
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			s, ok := n.(*ast.AssignStmt)
			if !ok {
				return true
			}
			for i, l := range s.Lhs {
				id, ok := l.(*ast.Ident)
				if !ok || p.Info.ObjectOf(id) == nil {
					continue
				}
				obj := p.Info.ObjectOf(id)
				assigned[obj]++
				if len(s.Lhs) != len(s.Rhs) {
					continue
				}
				if call, ok := ast.Unparen(s.Rhs[i]).(*ast.CallExpr); ok && p.selected(call, 0).Valid() {
					named[obj] = call
				}
			}
			return true
		})
		for obj, call := range named {
			if assigned[obj] == 1 && !IsGlobal(obj) {
				p.Aliases[obj] = call
			}
		}
	}
}
