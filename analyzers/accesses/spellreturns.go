package accesses

import "go/ast"

// Bare returns are spelled out: one that ends a function with results by name returns those,
//
//	func (s *store) find(k string) (v int, ok bool) {     func (s *store) find(k string) (v int, ok bool) {
//		v, ok = s.m[k]                                        v, ok = s.m[k]
//		return                                                return v, ok
//	}                                                     }
//
// Nothing is accessed there that the source does not access: numberAs leaves these names out.

// spellReturns does so in fn, a copy, and in its literals, and says whether it did.
func (in *inliner) spellReturns(fn *ast.FuncDecl) bool {
	return eachBareReturn(fn, func(ret *ast.ReturnStmt, names []*ast.Ident) {
		for _, id := range names {
			made := &ast.Ident{NamePos: ret.Pos(), Name: id.Name}
			if obj := in.object(id); obj != nil {
				in.uses[made] = obj
			}
			in.spelled[made] = true
			ret.Results = append(ret.Results, made)
		}
	})
}

// eachBareReturn visits the bare returns of the declaration and of its literals, with the names of
// what they return, and says whether there is one.
func eachBareReturn(fn *ast.FuncDecl, visit func(ret *ast.ReturnStmt, names []*ast.Ident)) bool {
	found := false
	within := func(t *ast.FuncType, body *ast.BlockStmt) {
		names := resultNames(t)
		if len(names) == 0 {
			return
		}
		inspectBody(body, func(n ast.Node) {
			if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 0 {
				found = true
				visit(ret, names)
			}
		})
	}
	within(fn.Type, fn.Body)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			within(lit.Type, lit.Body)
		}
		return true
	})
	return found
}

// IsBare says whether the source of the return names no results.
func IsBare(ret *ast.ReturnStmt) bool {
	return len(ret.Results) == 0 || ret.Results[0].Pos() == ret.Pos() // as spellReturns places them
}

// resultNames are the names of the results, none where one has no name to return it by.
func resultNames(t *ast.FuncType) []*ast.Ident {
	if t.Results == nil {
		return nil
	}
	var names []*ast.Ident
	for _, field := range t.Results.List {
		for _, id := range field.Names {
			if id.Name == "_" {
				return nil
			}
			names = append(names, id)
		}
	}
	return names
}
