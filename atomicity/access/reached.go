package access

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// reached is what a method does to a field of its receiver, or to the entry of a map
// there, in the form that its callers' accesses of the Kind Call have.
type reached struct {
	Access
	parameter int // whose argument is the key of the entry; noKey for a field
}

const (
	noKey   = -1
	notOne  = -2 // the method is about several entries
	unnamed = -3 // the caller cannot tell which entry it is
)

// methods finds what the methods of the package reach.
func (p *Package) methods() map[*types.Func][]reached {
	found := map[*types.Func][]reached{}
	for _, f := range p.Functions {
		if f.Decl == nil || f.Decl.Recv == nil {
			continue
		}
		fn, ok := p.Info.Defs[f.Decl.Name].(*types.Func)
		if !ok {
			continue
		}
		if _, ok := fn.Signature().Recv().Type().(*types.Pointer); !ok {
			continue
		}
		if list := p.reached(f, fn); len(list) > 0 {
			found[fn] = list
		}
	}
	return found
}

// reached lists what the method fn, declared by f, reaches, each variable once. Accesses
// without an ordinal are not enumerated here: atomicity.yaml does not speak of them.
func (p *Package) reached(f *Function, fn *types.Func) []reached {
	receiver := p.receiver(f.Decl)
	if receiver == nil {
		return nil
	}
	var list []reached
	at := map[Var]int{}
	for _, a := range f.Accesses {
		if a.Ordinal == 0 || a.Scope != ast.Node(f.Decl) || a.Pointer || a.Promoted || !p.isFieldOf(a.Cell, receiver) {
			continue
		}
		parameter := p.parameter(a, f.Decl, fn.Signature())
		if parameter == unnamed {
			continue
		}
		i, known := at[a.Var]
		if !known {
			i = len(list)
			at[a.Var] = i
			list = append(list, reached{Access{Var: a.Var, Mode: atomicity.Read, Kind: Call, Cell: a.Cell, Method: fn.Name()}, parameter})
		}
		if list[i].parameter != parameter {
			list[i].parameter = notOne
		}
		if a.Mode == atomicity.Write {
			list[i].Mode = atomicity.Write
		}
	}
	one := list[:0]
	for _, r := range list {
		if r.parameter != notOne {
			one = append(one, r)
		}
	}
	return one
}

// isFieldOf says whether e is a field of the object itself.
func (p *Package) isFieldOf(e ast.Expr, object types.Object) bool {
	field, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || p.Info.Selections[field] == nil || len(p.Info.Selections[field].Index()) != 1 {
		return false
	}
	id, ok := ast.Unparen(field.X).(*ast.Ident)
	return ok && p.Info.ObjectOf(id) == object
}

// parameter is the number of the parameter that is the key of the entry which the
// method's access is to, noKey if it is to a field itself.
func (p *Package) parameter(a *Access, d *ast.FuncDecl, signature *types.Signature) int {
	switch a.Kind {
	case Cell, Atomic:
		if !a.Var.Contents {
			return noKey
		}
	case MapElement, SyncMap:
		id, ok := ast.Unparen(a.Key).(*ast.Ident)
		if a.Key == nil || !ok {
			return unnamed
		}
		for i := range signature.Params().Len() {
			v := signature.Params().At(i)
			if p.Info.ObjectOf(id) == types.Object(v) && p.isKey(v.Type(), a) && !p.changes(d, v) {
				return i
			}
		}
	}
	return unnamed
}

// isKey says whether a value of the type is equal to itself as a key of the map that
// the access is to.
func (p *Package) isKey(t types.Type, a *Access) bool {
	if a.Kind == SyncMap {
		return true
	}
	m, ok := underlying(p.Info.TypeOf(a.Cell)).(*types.Map)
	return ok && (types.Identical(t, m.Key()) || types.IsInterface(m.Key()))
}

// changes says whether the function may give its parameter another value.
func (p *Package) changes(d *ast.FuncDecl, v *types.Var) (found bool) {
	is := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.Info.ObjectOf(id) == types.Object(v) {
			found = true
		}
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				is(l)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			is(n.Key)
			is(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				is(n.X)
			}
		}
		return !found
	})
	return found
}

func (p *Package) receiver(d *ast.FuncDecl) types.Object {
	if d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return nil
	}
	return p.Info.Defs[d.Recv.List[0].Names[0]]
}
