package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// copies are new nodes of syntax, with the old one that each of them stands for, and what
// is known of both. What a pass is given is never changed, for other analyzers see it, too.
type copies struct {
	info    *types.Info
	old     map[ast.Node]ast.Node
	spelled map[ast.Expr]bool          // results that a bare return of the source does not name
	put     map[ast.Node]*ast.CallExpr // what accessors and surrounds do, by the calls of the source
	own     map[*ast.Ident]*types.Var  // variables of copies alone

	source  *access.Package // of the source
	sources map[*access.Function]*access.Function
}

var nodeType = reflect.TypeFor[ast.Node]()

// tree is a copy of n and all below it but the comments.
func (c *copies) tree(n ast.Node) ast.Node {
	return c.value(reflect.ValueOf(n)).Interface().(ast.Node)
}

func (c *copies) value(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		return c.value(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			list.Index(i).Set(c.value(v.Index(i)))
		}
		return list
	case reflect.Pointer:
		if v.IsNil() || !v.Type().Implements(nodeType) {
			return v // an *ast.Object
		}
		if _, comment := v.Interface().(*ast.CommentGroup); comment {
			return v
		}
		made := reflect.New(v.Type().Elem())
		for i := range v.Elem().NumField() {
			made.Elem().Field(i).Set(c.value(v.Elem().Field(i)))
		}
		c.stands(made.Interface().(ast.Node), v.Interface().(ast.Node))
		return made
	}
	return v
}

// stands notes that made stands for n, which may be a copy itself.
func (c *copies) stands(made, n ast.Node) {
	if id, ok := n.(*ast.Ident); ok && c.own[id] != nil {
		if m, ok := made.(*ast.Ident); ok {
			c.own[m] = c.own[id]
		}
	}
	if first, ok := c.old[n]; ok {
		n = first
	}
	c.old[made] = n
}

// object is what the identifier denotes.
func (c *copies) object(id *ast.Ident) types.Object {
	if v := c.own[id]; v != nil {
		return v
	}
	if first, ok := c.old[id].(*ast.Ident); ok {
		id = first
	}
	return c.info.ObjectOf(id)
}

// moved is a copy of the call that stands at pos altogether.
func (c *copies) moved(call *ast.CallExpr, pos token.Pos) *ast.CallExpr {
	made := c.tree(call).(*ast.CallExpr)
	ast.Inspect(made, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		v := reflect.ValueOf(n).Elem()
		for i := range v.NumField() {
			if p, ok := v.Field(i).Interface().(token.Pos); ok && p.IsValid() {
				v.Field(i).Set(reflect.ValueOf(pos))
			}
		}
		return true
	})
	return made
}

// known is what is known of the files, in which the copies that lie below the
// declarations stand for the nodes of the old ones.
func (c *copies) known(old, made []ast.Decl) *types.Info {
	info := *c.info
	info.Types, info.Instances = maps.Clone(info.Types), maps.Clone(info.Instances)
	info.Defs, info.Uses, info.Implicits = maps.Clone(info.Defs), maps.Clone(info.Uses), maps.Clone(info.Implicits)
	info.Selections, info.Scopes = maps.Clone(info.Selections), maps.Clone(info.Scopes)
	for _, d := range old {
		ast.Inspect(d, func(n ast.Node) bool {
			delete(info.Implicits, n)
			delete(info.Scopes, n)
			if e, ok := n.(ast.Expr); ok {
				delete(info.Types, e)
			}
			switch n := n.(type) {
			case *ast.Ident:
				delete(info.Defs, n)
				delete(info.Uses, n)
				delete(info.Instances, n)
			case *ast.SelectorExpr:
				delete(info.Selections, n)
			}
			return true
		})
	}
	for _, d := range made {
		ast.Inspect(d, func(n ast.Node) bool {
			c.learn(&info, n)
			return true
		})
	}
	return &info
}

// learn notes of a copy in info what is known of what it stands for.
func (c *copies) learn(info *types.Info, n ast.Node) {
	first, ok := c.old[n]
	if !ok {
		return
	}
	copyEntry(info.Implicits, c.info.Implicits, n, first)
	copyEntry(info.Scopes, c.info.Scopes, n, first)
	if e, ok := n.(ast.Expr); ok {
		if was, ok := first.(ast.Expr); ok {
			copyEntry(info.Types, c.info.Types, e, was)
		}
	}
	switch n := n.(type) {
	case *ast.Ident:
		if was, ok := first.(*ast.Ident); ok {
			copyEntry(info.Defs, c.info.Defs, n, was)
			copyEntry(info.Uses, c.info.Uses, n, was)
			copyEntry(info.Instances, c.info.Instances, n, was)
			if v := c.own[n]; v != nil {
				if info.Defs[n] != nil {
					info.Defs[n] = v
				} else {
					info.Uses[n] = v
				}
			}
		}
	case *ast.SelectorExpr:
		if was, ok := first.(*ast.SelectorExpr); ok {
			copyEntry(info.Selections, c.info.Selections, n, was)
		}
	}
}

func copyEntry[K comparable, V any](to, from map[K]V, n, first K) {
	if v, ok := from[first]; ok {
		to[n] = v
	}
}

// numberAs gives the accesses of p, of copies, the ordinals and statements of those that
// they stand for, which are in source.
func (c *copies) numberAs(p, source *access.Package) {
	type key struct {
		expr ast.Node
		v    access.Var
		mode atomicity.AccessSet
	}
	c.source, c.sources = source, map[*access.Function]*access.Function{}
	byNode := map[ast.Node]*access.Function{}
	for _, fn := range source.Functions {
		byNode[fn.Node] = fn
	}
	for _, fn := range p.Functions {
		of := byNode[c.old[fn.Node]]
		if of == nil {
			continue
		}
		c.sources[fn] = of
		was := map[key]*access.Access{}
		for _, a := range of.Accesses {
			was[key{a.Expr, a.Var, a.Mode}] = a
		}
		fn.Accesses = slices.DeleteFunc(fn.Accesses, func(a *access.Access) bool { return c.spelled[a.Expr] }) // the source has none
		for _, a := range fn.Accesses {
			a.Ordinal = 0 // of none
			if first := was[key{c.old[a.Expr], a.Var, a.Mode}]; first != nil {
				a.Ordinal, a.Source = first.Ordinal, first.Stmt
			}
		}
	}
}
