package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// lasting holds the local variables whose memory can change, or is pointed to,
// after their declaration. All others the compiler lets function literals
// capture by value: they are final, so nothing can go wrong with them, and a
// hook, which takes the variable's address, would move them to the heap.
type lasting map[*types.Var]bool

func newLasting(pkg *packages.Package) lasting {
	l := lasting{}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType: // a return assigns to the results
				for _, v := range results(pkg.TypesInfo, n) {
					l[v] = true
				}
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					l.add(pkg.TypesInfo, e)
				}
			case *ast.IncDecStmt:
				l.add(pkg.TypesInfo, n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					l.add(pkg.TypesInfo, n.Key)
					l.add(pkg.TypesInfo, n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					l.add(pkg.TypesInfo, n.X)
				}
			case *ast.SliceExpr:
				l.add(pkg.TypesInfo, n.X)
			case *ast.SelectorExpr:
				if s := pkg.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal {
					if recv := s.Obj().(*types.Func).Signature().Recv(); recv != nil && pointsTo(recv.Type()) && !pointsTo(s.Recv()) {
						l.add(pkg.TypesInfo, n.X)
					}
				}
			}
			return true
		})
	}
	return l
}

func (l lasting) add(info *types.Info, e ast.Expr) {
	if v := localMemory(info, e); v != nil {
		l[v] = true
	}
}

// localMemory is the local variable that the memory e is a part of, nil when it
// is reached through a pointer, or belongs to no local.
func localMemory(info *types.Info, e ast.Expr) *types.Var {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return localMemory(info, e.X)
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok && isLocal(v) {
			return v
		}
	case *ast.SelectorExpr:
		if s := info.Selections[e]; s != nil && s.Kind() == types.FieldVal && !s.Indirect() && !pointsTo(info.TypeOf(e.X)) {
			return localMemory(info, e.X)
		}
	case *ast.IndexExpr:
		if t := info.TypeOf(e.X); t != nil {
			if _, isArray := t.Underlying().(*types.Array); isArray {
				return localMemory(info, e.X)
			}
		}
	}
	return nil
}

func pointsTo(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func results(info *types.Info, f *ast.FuncType) []*types.Var {
	var found []*types.Var
	if f.Results == nil {
		return nil
	}
	for _, field := range f.Results.List {
		for _, name := range field.Names {
			if v, ok := info.Defs[name].(*types.Var); ok {
				found = append(found, v)
			}
		}
	}
	return found
}
