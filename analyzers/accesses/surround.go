package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A surround is a function that calls what it is given, with something before it, behind it or around it: an execute
// around method (Kent Beck, Smalltalk Best Practice Patterns).
//
//	func (s *store) locked(do func())           { s.mu.Lock(); defer s.mu.Unlock(); do() }
//	func (s *store) each(do func(string, *item)) { for k, v := range s.items { do(k, v) } }
//
// Where it is given a literal, what it does is put in the place of its call.
type surround struct {
	decl   *ast.FuncDecl
	params []*types.Var // the receiver first
	do     int          // the one that is called
	call   *ast.CallExpr
	handed map[types.Object]int // its own locals by the parameter of do that they are handed to
}

// findSurrounds finds the surrounds among the declarations of the files.
func (in *inliner) findSurrounds(files []*ast.File) {
	in.surrounds = map[*types.Func]*surround{}
	for found := true; found; { // once more for those that hand on what they are given
		found = false
		for _, file := range files {
			for _, d := range file.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || len(fn.Body.List) == 0 || len(fn.Body.List) > 8 {
					continue
				}
				f, ok := in.info.Defs[fn.Name].(*types.Func)
				if !ok || in.surrounds[f] != nil {
					continue
				}
				if s := in.surround(f.Signature(), fn); s != nil {
					in.surrounds[f], found = s, true
				}
			}
		}
	}
}

// surround is what the function is as one, nil if it is none.
func (in *inliner) surround(sig *types.Signature, fn *ast.FuncDecl) *surround {
	if sig.Variadic() || hasNames(fn.Type.Results) {
		return nil
	}
	s := &surround{decl: fn, do: -1, handed: map[types.Object]int{}}
	if sig.Recv() != nil {
		s.params = append(s.params, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			if s.do >= 0 {
				return nil
			}
			s.do = len(s.params)
		}
		s.params = append(s.params, v)
	}
	if s.do < 0 {
		return nil
	}
	uses, plain := 0, true
	launched := map[*ast.CallExpr]bool{}
	var tests []*ast.IfStmt
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			plain = false
		case *ast.IfStmt:
			tests = append(tests, n)
		case *ast.DeferStmt:
			launched[n.Call] = true
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			if !launched[n] && (ok && in.info.Uses[id] == s.params[s.do] || in.handsOn(n, s.params[s.do])) {
				s.call = n
			}
			plain = plain && !(ok && id.Name == "recover")
		case *ast.Ident:
			if in.info.Uses[n] == s.params[s.do] {
				uses++
			}
		}
		return plain
	})
	if !plain || uses != 1 || s.call == nil || s.call.Ellipsis.IsValid() || slices.ContainsFunc(s.params, func(v *types.Var) bool { return in.sets(fn.Body, v) }) {
		return nil
	}
	for _, t := range tests {
		if s.call.Pos() < t.Pos() || t.Body.Pos() < s.call.Pos() {
			return nil // it has something of its own to decide
		}
	}
	for i, e := range s.call.Args {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			if v, ok := in.info.Uses[id].(*types.Var); ok && isLocal(v) && !slices.Contains(s.params, v) {
				s.handed[v] = i
			}
		}
	}
	return s
}

// handsOn says whether the call gives the parameter to a surround, to be called.
func (in *inliner) handsOn(call *ast.CallExpr, v *types.Var) bool {
	to, _ := in.callee(call)
	s := in.surrounds[to]
	if s == nil {
		return false
	}
	i := s.do
	if to.Signature().Recv() != nil {
		i--
	}
	if i >= len(call.Args) {
		return false
	}
	id, ok := ast.Unparen(call.Args[i]).(*ast.Ident)
	return ok && in.info.Uses[id] == v
}

// called is the literal that the call, a copy, is of: one that is called at once, or what a surround does with the one that
// it is given; nil if there is none.
func (in *inliner) called(e ast.Expr) (*ast.FuncLit, *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, nil
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return lit, call
	}
	s, args, lit := in.calledSurround(call)
	if s == nil {
		return nil, nil
	}
	body := in.wrapped(s, args, lit, call)
	made := &ast.FuncLit{Type: &ast.FuncType{Func: call.Pos(), Params: &ast.FieldList{Opening: call.Pos(), Closing: call.Pos()}}, Body: body}
	if s.decl.Type.Results != nil {
		made.Type.Results = in.tree(s.decl.Type.Results).(*ast.FieldList)
	}
	in.statements(body, made.Type)
	return made, &ast.CallExpr{Fun: made, Lparen: call.Lparen, Rparen: call.Rparen}
}

// calledSurround is the surround that the call, a copy, is of, with what it is given, the receiver first, and the literal
// among that; or nil.
func (in *inliner) calledSurround(call *ast.CallExpr) (*surround, []ast.Expr, *ast.FuncLit) {
	fn, object := in.callee(call)
	s, args := in.surrounds[fn], call.Args
	if s == nil {
		return nil, nil, nil
	}
	if object != nil {
		args = slices.Concat([]ast.Expr{object}, args)
	}
	if len(args) != len(s.params) {
		return nil, nil, nil
	}
	lit, ok := ast.Unparen(args[s.do]).(*ast.FuncLit)
	if !ok {
		return nil, nil, nil
	}
	for i, e := range args {
		if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = u.X
		}
		if _, constant := ast.Unparen(e).(*ast.BasicLit); i != s.do && !constant && !isPath(e) {
			return nil, nil, nil
		}
	}
	return s, args, lit
}

// wrapped is a copy of what the surround does, with what it is given by the call, in whose place it lies: before the literal
// what comes before it, and at the end what is behind.
func (in *inliner) wrapped(s *surround, args []ast.Expr, lit *ast.FuncLit, call *ast.CallExpr) *ast.BlockStmt {
	before := within(call, s.decl.Body.Pos())
	made := in.placed(s.decl.Body, call, func(p token.Pos) token.Pos {
		switch {
		case p <= s.call.Pos():
			return min(before(p), lit.Pos()-1)
		case p < s.call.End():
			return lit.End() - 1
		}
		return call.Rparen
	}).(*ast.BlockStmt)
	own := map[types.Object]*types.Var{}
	names := lit.Type.Params
	ast.Inspect(made, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj, local := in.object(id).(*types.Var)
			if !local || obj.IsField() || obj.Pos() < s.decl.Body.Pos() || obj.Pos() >= s.decl.Body.End() {
				return true
			}
			if own[obj] == nil {
				name := obj.Name()
				if i, ok := s.handed[obj]; ok {
					if as := nameOf(names, i); as != "" && as != "_" {
						name = as
					}
				}
				own[obj] = types.NewVar(id.Pos(), obj.Pkg(), name, obj.Type())
			}
			id.Name, in.own[id] = own[obj].Name(), own[obj]
		}
		return true
	})
	given := map[types.Object]ast.Expr{}
	for i, v := range s.params {
		given[v] = args[i]
	}
	return in.giving(made, given).(*ast.BlockStmt)
}

// nameOf is the name of the parameter, "" if it has none.
func nameOf(list *ast.FieldList, i int) string {
	for _, f := range list.List {
		if i < len(f.Names) {
			return f.Names[i].Name
		}
		i -= max(1, len(f.Names))
	}
	return ""
}
