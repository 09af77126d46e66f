package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/dave/dst"
)

// The body without hooks stands in a block of its own, one level below the parameters,
// where a := that would assign to one of them,
//
//	n, err := read()
//
// declares another variable. There it becomes
//
//	n, _ar_d1 := read()
//	err = _ar_d1

// standsInBlock says whether the body can be given the same meaning in a block of its own:
// it declares no type, which would be another one, and what it assigns to parameters by
// := has a type without them, and room for a second statement.
func (p *pass) standsInBlock(fn ast.Node, body *ast.BlockStmt) bool {
	parameters := p.parametersOf(fn)
	direct := map[ast.Node]bool{}
	for _, s := range body.List {
		direct[s] = true
	}
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			ok = false
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if n.Tok == token.DEFINE && parameters[p.used(l)] {
					ok = ok && direct[n] && p.hasOwnType(n, i)
				}
			}
		}
		return ok
	})
	return ok
}

// hasOwnType says whether what the statement assigns to its i-th place surely has the same
// type whatever it is assigned to: no constant, comparison, shift or nil.
func (p *pass) hasOwnType(n *ast.AssignStmt, i int) bool {
	if len(n.Rhs) < len(n.Lhs) {
		_, isCall := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
		return isCall || i == 0 || types.Identical(p.info.TypeOf(n.Lhs[i]), types.Typ[types.Bool]) // the ok of v, ok
	}
	if tv := p.info.Types[n.Rhs[i]]; tv.Value != nil || tv.IsNil() {
		return false
	}
	if p.isGeneric(n.Rhs[i]) {
		return false
	}
	switch e := ast.Unparen(n.Rhs[i]).(type) {
	case *ast.CallExpr:
		return !p.info.Types[e.Fun].IsBuiltin() || isOneOf(e.Fun, "append", "len", "cap", "copy", "new", "make")
	case *ast.UnaryExpr:
		return e.Op == token.AND || e.Op == token.ARROW
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr, *ast.SliceExpr, *ast.CompositeLit, *ast.FuncLit:
		return true
	}
	return false
}

// isGeneric says whether the expression names a generic function, whose type arguments may
// follow from what it is assigned to.
func (p *pass) isGeneric(e ast.Expr) bool {
	e = ast.Unparen(e)
	switch x := e.(type) {
	case *ast.IndexExpr:
		e = ast.Unparen(x.X)
	case *ast.IndexListExpr:
		e = ast.Unparen(x.X)
	}
	id, ok := e.(*ast.Ident)
	if sel, isSel := e.(*ast.SelectorExpr); isSel {
		id, ok = sel.Sel, true
	}
	if !ok {
		return false
	}
	_, instantiated := p.info.Instances[id]
	return instantiated
}

func isOneOf(e ast.Expr, names ...string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && slices.Contains(names, id.Name)
}

// keepParameters makes the block, which is fn's body, assign to the parameters.
func (p *pass) keepParameters(fn ast.Node, block *dst.BlockStmt) {
	parameters := p.parametersOf(fn)
	var list []dst.Stmt
	made := 0
	for _, s := range block.List {
		list = append(list, s)
		define, ok := s.(*dst.AssignStmt)
		if !ok || define.Tok != token.DEFINE {
			continue
		}
		assign := &dst.AssignStmt{Tok: token.ASSIGN}
		for i, l := range define.Lhs {
			source, _ := p.ast(l).(ast.Expr)
			if source == nil || !parameters[p.used(source)] {
				continue
			}
			made++
			name := definePrefix + strconv.Itoa(made)
			assign.Lhs = append(assign.Lhs, l)
			assign.Rhs = append(assign.Rhs, ident(name))
			define.Lhs[i] = ident(name)
			p.attribute(define.Lhs[i], source)
		}
		if len(assign.Lhs) == 0 {
			continue
		}
		assign.Decs.After, define.Decs.After = define.Decs.After, dst.NewLine
		p.attribute(assign, p.ast(define))
		list = append(list, assign)
	}
	block.List = list
}

// used is the variable that the identifier, which is assigned to by :=, does not declare.
func (p *pass) used(e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	return p.info.Uses[id]
}

// parametersOf are the receiver, the parameters and the named results.
func (p *pass) parametersOf(fn ast.Node) map[types.Object]bool {
	parameters := map[types.Object]bool{}
	for _, list := range []*ast.FieldList{receiverOf(fn), typeOf(fn).Params, typeOf(fn).Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if v := p.info.Defs[name]; v != nil {
					parameters[v] = true
				}
			}
		}
	}
	return parameters
}
