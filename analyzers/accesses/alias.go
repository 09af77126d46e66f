package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// aliases records the locals of fn that are defined once, and never assigned again, as
// another name of something: of a place whose address they are, of a pointer, map or
// channel that stays what it is, or of one in a field that is set in new objects only; or
// of anything of the kind in a field that only the statement after the definition uses.
func (p *Package) aliases(fn ast.Node, final map[*types.Var]bool) {
	assigned := map[types.Object]int{}
	named := map[types.Object]ast.Expr{}
	var loops extents
	assign := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.Info.ObjectOf(id) != nil {
			assigned[p.Info.ObjectOf(id)]++
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.AssignStmt:
			for i, l := range s.Lhs {
				assign(l)
				if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE && len(s.Lhs) == len(s.Rhs) {
					named[p.Info.ObjectOf(id)] = ast.Unparen(s.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range s.Names {
				assign(id)
				if len(s.Names) == len(s.Values) {
					named[p.Info.ObjectOf(id)] = ast.Unparen(s.Values[i])
				}
			}
		case *ast.IncDecStmt:
			assign(s.X)
		case *ast.ForStmt:
			loops = append(loops, s)
		case *ast.RangeStmt: // another one each time
			loops = append(loops, s)
			for _, e := range []ast.Expr{s.Key, s.Value} {
				if e != nil {
					assign(e)
					assign(e)
				}
			}
		case *ast.UnaryExpr:
			if s.Op == token.AND {
				assign(s.X)
			}
		}
		return true
	})
	once := func(v *types.Var) bool {
		return !v.IsField() && !IsGlobal(v) && (assigned[v] == 0 || assigned[v] == 1 && named[v] != nil)
	}
	passing := p.passing(fn)
	for obj, ok := range passing {
		p.inPassing[obj] = ok
	}
	for obj, e := range named {
		if obj == nil || assigned[obj] > 1 {
			continue
		}
		switch e := e.(type) {
		case *ast.UnaryExpr:
			if _, isLit := ast.Unparen(e.X).(*ast.CompositeLit); e.Op == token.AND && !isLit {
				p.Aliases[obj] = e.X
			}
		case *ast.Ident:
			v, ok := p.Info.ObjectOf(e).(*types.Var)
			if ok && !IsGlobal(v) && !v.IsField() && refers(v.Type()) && (assigned[v] == 0 || assigned[v] == 1 && named[v] != nil) {
				p.Aliases[obj] = e
			}
		case *ast.SelectorExpr:
			v, ok := p.Info.Uses[e.Sel].(*types.Var)
			if ok && (final[v.Origin()] && refers(v.Type()) || passing[obj] && (refers(v.Type()) || leads(v.Type()))) {
				p.Aliases[obj] = e
			}
		case *ast.IndexExpr:
			if p.isShard(e, final) && !loops.around(e.Pos()) && p.isSteady(e.Index, once, final) {
				p.Aliases[obj] = e
			}
		}
	}
}

// refers says that a copy of a value of type t stands for the same thing.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan:
		return true
	}
	return false
}

// leads says that what a value of type t leads to stays the same while nobody assigns to
// the variable.
func leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Signature:
		return true
	}
	return false
}

// extents are nodes that are known by where they are.
type extents []ast.Node

// around says whether one of them is around the position.
func (l extents) around(pos token.Pos) bool {
	return slices.ContainsFunc(l, func(n ast.Node) bool { return n.Pos() <= pos && pos < n.End() })
}

// isShard says whether the expression is one of the objects that a slice or array field holds which is filled when the
// object around it is made: s.shards[hash(key)%n].
func (p *Package) isShard(e *ast.IndexExpr, final map[*types.Var]bool) bool {
	sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	v, ok := p.Info.Uses[sel.Sel].(*types.Var)
	if !ok || !final[v.Origin()] || p.refilled[v.Origin()] {
		return false
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Slice:
		return refers(t.Elem())
	case *types.Array:
		return refers(t.Elem())
	}
	return false
}

// isSteady says whether the expression has one value in the function, and the same one in another function that is
// given the same: it is made of constants, of parameters and locals that are set once, of fields that are set in new objects
// only, and of calls that are given some of these. A draw at random, or a counter that moves on, gives another one each time.
func (p *Package) isSteady(e ast.Expr, once func(*types.Var) bool, final map[*types.Var]bool) bool {
	steady := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, isVar := p.Info.ObjectOf(n).(*types.Var)
			steady = steady && (!isVar || once(v) || final[v.Origin()])
		case *ast.CallExpr:
			steady = steady && len(n.Args) > 0 && !p.isDrawn(n)
		case *ast.UnaryExpr:
			steady = steady && n.Op != token.ARROW
		}
		return steady
	})
	return steady
}

// isDrawn says whether the call is one of a package whose functions answer differently each time.
func (p *Package) isDrawn(call *ast.CallExpr) bool {
	id := called(call)
	if id == nil {
		return true
	}
	fn, ok := p.Info.Uses[id].(*types.Func)
	return ok && fn.Pkg() != nil && (strings.HasPrefix(fn.Pkg().Path(), "math/rand") || access.IsAtomic(fn.Pkg().Path()))
}

// finalFields are the fields of the package, not exported, that nothing is assigned to
// but in a function that has made the object itself.
func (p *Package) finalFields() map[*types.Var]bool {
	final := map[*types.Var]bool{}
	for _, obj := range p.Info.Defs {
		if v, ok := obj.(*types.Var); ok && v.IsField() && !v.Exported() {
			final[v.Origin()] = true
		}
	}
	for _, fn := range p.Functions {
		fresh := map[types.Object]bool{}
		change := func(e ast.Expr) {
			into, element := ast.Unparen(e).(*ast.IndexExpr)
			if element {
				e = into.X
			}
			sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
			if !ok {
				return
			}
			if id, ok := ast.Unparen(sel.X).(*ast.Ident); ok && fresh[p.Info.ObjectOf(id)] {
				return
			}
			if v, ok := p.Info.Uses[sel.Sel].(*types.Var); ok {
				if element {
					p.refilled[v.Origin()] = true
					return
				}
				delete(final, v.Origin())
			}
		}
		ast.Inspect(fn.Node, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					change(l)
					if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) && isNew(n.Rhs[i]) {
						fresh[p.Info.Defs[id]] = true
					}
				}
			case *ast.IncDecStmt:
				change(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					change(n.X)
				}
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						change(e)
					}
				}
			}
			return true
		})
	}
	return final
}

// isNew says that e makes an object: T{}, &T{} or new(T).
func isNew(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.AND && isNew(e.X)
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		return ok && id.Name == "new"
	}
	return false
}
