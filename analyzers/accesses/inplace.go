package accesses

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
)

// An inliner puts function literals that are called at once in the place of their calls,
// and what is started or deferred by a name that serves for nothing else in the place of
// the name: what a program means does not depend on it.
//
//	func() {                    s.mu.Lock()
//		s.mu.Lock()             v, ok := s.m[k]
//		defer s.mu.Unlock()     s.mu.Unlock()
//		v, ok = s.m[k]
//	}()
//
// A loop that never comes round is what it does, too, and var x = e is x := e; see spellReturns for bare returns. What a panic does is left out of it;
// where it is recovered from, the literal stays.
type inliner struct {
	*copies
	uses      map[*ast.Ident]types.Object // of identifiers that are made
	labels    int
	accessors map[*types.Func]*accessor
	surrounds map[*types.Func]*surround
	openers   map[*types.Func]*opener
	inPlace   map[*types.Func]bool // accessors that were put in the place of a call
	wanted    map[string]bool      // methods that an interface has
}

// inPlace gives the files with literals in place, what is known of them, and the copies
// in them; files and info themselves where there is nothing to do.
func inPlace(files []*ast.File, info *types.Info) ([]*ast.File, *types.Info, *copies) {
	in := &inliner{&copies{info: info, old: map[ast.Node]ast.Node{}, spelled: map[ast.Expr]bool{}, put: map[ast.Node]*ast.CallExpr{}, own: map[*ast.Ident]*types.Var{}}, map[*ast.Ident]types.Object{}, 0, nil, nil, nil, map[*types.Func]bool{}, map[string]bool{}}
	in.findAccessors(files)
	in.findSurrounds(files)
	in.findOpeners(files)
	var old, made []ast.Decl
	all := append([]*ast.File(nil), files...)
	for i, file := range files {
		var decls []ast.Decl
		for j, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil || !mayChange(info, fn) && !in.asks(fn) {
				continue
			}
			put := in.tree(fn).(*ast.FuncDecl)
			if !in.decl(put) {
				continue
			}
			if decls == nil {
				decls = append(decls, file.Decls...)
			}
			decls[j] = put
			old, made = append(old, fn), append(made, put)
		}
		if decls != nil {
			changed := *file
			changed.Decls = decls
			all[i] = &changed
		}
	}
	if len(made) == 0 {
		return files, info, &copies{}
	}
	known := in.known(old, made)
	maps.Copy(known.Uses, in.uses)
	if len(in.inPlace) > 0 {
		mentioned := map[*types.Func]bool{} // a method of an interface stands for all of its name
		for _, obj := range known.Uses {
			if f, ok := obj.(*types.Func); ok {
				mentioned[f.Origin()] = true
				if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
					in.wanted[f.Name()] = true
				}
			}
		}
		for i, file := range all {
			all[i] = in.withoutAccessors(file, mentioned)
		}
	}
	if info.FileVersions != nil {
		known.FileVersions = maps.Clone(info.FileVersions)
		for i, file := range files {
			known.FileVersions[all[i]] = info.FileVersions[file]
		}
	}
	return all, known, in.copies
}

// mayChange says whether there may be something to do in fn.
func mayChange(info *types.Info, fn *ast.FuncDecl) bool {
	found := eachBareReturn(fn, func(*ast.ReturnStmt, []*ast.Ident) {})
	launched := map[*ast.CallExpr]bool{}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		var start *ast.CallExpr
		switch n := n.(type) {
		case *ast.GoStmt:
			start = n.Call
		case *ast.DeferStmt:
			start = n.Call
		case *ast.DeclStmt:
			found = found || asDefinition(n) != nil
		case *ast.ForStmt:
			found = found || n.Cond == nil && leavesAtEnd(n.Body.List)
		case *ast.CallExpr:
			id, ok := ast.Unparen(n.Fun).(*ast.Ident)
			found = found || calledLit(n) != nil && !launched[n] || ok && isLocal(info.ObjectOf(id))
		}
		if start != nil {
			launched[start] = true
		}
		return !found
	})
	return found
}

func isLocal(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && !IsGlobal(v)
}

// calledLit is the literal that e calls, or nil.
func calledLit(e ast.Expr) *ast.FuncLit {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	lit, _ := ast.Unparen(call.Fun).(*ast.FuncLit)
	return lit
}

// decl changes fn, a copy, and says whether it did.
func (in *inliner) decl(fn *ast.FuncDecl) bool {
	changed := in.putAccessors(fn)
	changed = in.spellReturns(fn) || changed
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if list := listOf(n); list != nil {
			for i, s := range *list {
				if define := asDefinition(s); define != nil {
					(*list)[i], changed = define, true
				}
			}
		}
		return true
	})
	changed = in.putOpeners(fn) || changed
	for in.started(fn) { // once more for what is a name of a name
		changed = true
	}
	if !in.statements(fn.Body, fn.Type) {
		return changed
	}
	if in.putOpeners(fn) { // those of what has come in the place of a call
		in.statements(fn.Body, fn.Type)
	}
	return true
}

// statements puts what comes in the place of statements of the body of a function there, and says whether there is one.
func (in *inliner) statements(body *ast.BlockStmt, of *ast.FuncType) bool {
	changed := false
	var lists []*[]ast.Stmt
	ends := map[*[]ast.Stmt]bool{&body.List: of.Results == nil} // where the function is over behind the last one
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ends[&lit.Body.List] = lit.Type.Results == nil
		}
		if list := listOf(n); list != nil {
			lists = append(lists, list)
		}
		return true
	})
	for i := len(lists) - 1; i >= 0; i-- { // the inner ones first
		var list []ast.Stmt
		for j, s := range *lists[i] {
			var put []ast.Stmt
			if j == len(*lists[i])-1 && ends[lists[i]] {
				put = in.last(s)
			}
			if put == nil {
				put = in.stmt(s)
			}
			if put == nil {
				put = []ast.Stmt{s}
			} else {
				changed = true
			}
			list = append(list, put...)
		}
		*lists[i] = list
	}
	return changed
}

// asDefinition is the statement var x = e as x := e, nil if it is another one.
func asDefinition(s ast.Stmt) *ast.AssignStmt {
	d, ok := s.(*ast.DeclStmt)
	if !ok {
		return nil
	}
	g, ok := d.Decl.(*ast.GenDecl)
	if !ok || g.Tok != token.VAR || len(g.Specs) != 1 {
		return nil
	}
	v := g.Specs[0].(*ast.ValueSpec)
	if v.Type != nil || len(v.Values) == 0 {
		return nil
	}
	a := &ast.AssignStmt{TokPos: v.Values[0].Pos(), Tok: token.DEFINE, Rhs: v.Values}
	for _, id := range v.Names {
		if id.Name == "_" {
			return nil
		}
		a.Lhs = append(a.Lhs, id)
	}
	return a
}

func listOf(n ast.Node) *[]ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return &n.List
	case *ast.CaseClause:
		return &n.Body
	case *ast.CommClause:
		return &n.Body
	}
	return nil
}

// stmt is what comes in the place of s, nil if that stays.
func (in *inliner) stmt(s ast.Stmt) []ast.Stmt {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if lit, call := in.called(s.X); lit != nil {
			return in.literal(lit, call, nil, false)
		}
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 || s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			return nil
		}
		var to []*ast.Ident
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok {
				return nil
			}
			to = append(to, id)
		}
		if lit, call := in.called(s.Rhs[0]); lit != nil {
			return in.literal(lit, call, to, s.Tok == token.DEFINE)
		}
	case *ast.ReturnStmt:
		if len(s.Results) != 1 {
			return nil
		}
		if lit, call := in.called(s.Results[0]); lit != nil && in.fits(lit, call) {
			return lit.Body.List // it returns what the function returns
		}
	case *ast.ForStmt:
		return in.once(s)
	case *ast.IfStmt:
		if s.Init == nil {
			return nil
		}
		if first := in.stmt(s.Init); first != nil {
			s.Init = nil
			return append(first, s)
		}
	}
	return nil
}

// last is what comes in the place of s where a function without results is over behind it, nil if it is no call of a
// literal: that returns from the function, and defers to its end.
func (in *inliner) last(s ast.Stmt) []ast.Stmt {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	if lit, call := in.called(e.X); lit != nil && lit.Type.Results == nil && in.fits(lit, call) {
		return lit.Body.List
	}
	return nil
}

// literal is what the call of lit does, whose results are assigned to the identifiers;
// nil where it cannot be said without the call.
func (in *inliner) literal(lit *ast.FuncLit, call *ast.CallExpr, to []*ast.Ident, define bool) []ast.Stmt {
	if !deferredFirst(lit.Body) || !in.fits(lit, call) {
		return nil
	}
	results := 0
	if lit.Type.Results != nil {
		results = len(lit.Type.Results.List)
	}
	for i := len(to); i < results; i++ {
		to = append(to, &ast.Ident{NamePos: call.Pos(), Name: "_"})
	}
	var body, last []ast.Stmt
	for _, s := range lit.Body.List {
		if d, ok := s.(*ast.DeferStmt); !ok {
			body = append(body, s)
		} else if end := (&ast.ExprStmt{X: d.Call}); calledLit(d.Call) == nil {
			last = append([]ast.Stmt{&ast.ExprStmt{X: in.moved(d.Call, lit.Body.Rbrace)}}, last...)
		} else if put := in.stmt(end); put != nil {
			last = append(put, last...)
		} else {
			last = append([]ast.Stmt{end}, last...)
		}
	}
	tail, _ := at(body, len(body)-1).(*ast.ReturnStmt)
	if tail != nil {
		body = body[:len(body)-1]
	}
	if !returns(body) {
		if tail != nil && results > 0 {
			body = append(body, in.assigned(to, tail, define))
		}
		return append(append([]ast.Stmt{}, body...), last...)
	}
	var out []ast.Stmt
	if define {
		out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, TokPos: call.Pos(), Specs: []ast.Spec{&ast.ValueSpec{Names: to}}}})
	}
	label := in.label(lit.Body.Rbrace)
	block := &ast.BlockStmt{Lbrace: lit.Body.Lbrace, List: body, Rbrace: lit.Body.Rbrace}
	in.leaving(block, func(ret *ast.ReturnStmt) []ast.Stmt {
		var list []ast.Stmt
		if results > 0 {
			list = append(list, in.assigned(to, ret, false))
		}
		return append(list, &ast.BranchStmt{TokPos: ret.End(), Tok: token.GOTO, Label: label.Label})
	})
	if tail != nil && results > 0 {
		block.List = append(block.List, in.assigned(to, tail, false))
	}
	return append(append(out, block, label), last...)
}

// label is a new label at pos.
func (in *inliner) label(pos token.Pos) *ast.LabeledStmt {
	in.labels++
	name := &ast.Ident{NamePos: pos, Name: fmt.Sprintf("end %d", in.labels)} // none of the source
	return &ast.LabeledStmt{Label: name, Colon: pos, Stmt: &ast.EmptyStmt{Semicolon: pos, Implicit: true}}
}

// at is the element of the list, nil if it has none there.
func at(list []ast.Stmt, i int) ast.Stmt {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// assigned is the assignment of what ret returns to the identifiers.
func (in *inliner) assigned(to []*ast.Ident, ret *ast.ReturnStmt, define bool) *ast.AssignStmt {
	s := &ast.AssignStmt{TokPos: ret.Pos(), Tok: token.ASSIGN, Rhs: ret.Results}
	if define {
		s.Tok = token.DEFINE
	}
	for _, id := range to {
		made := &ast.Ident{NamePos: ret.Pos(), Name: id.Name}
		if define {
			in.stands(made, id)
		} else if obj := in.object(id); obj != nil {
			in.uses[made] = obj
		}
		s.Lhs = append(s.Lhs, made)
	}
	in.stands(s, ret)
	return s
}

// leaving puts what instead makes in the place of the returns of the block.
func (in *inliner) leaving(block *ast.BlockStmt, instead func(*ast.ReturnStmt) []ast.Stmt) {
	inspectBody(block, func(n ast.Node) {
		if list := listOf(n); list != nil {
			var made []ast.Stmt
			for _, s := range *list {
				if ret, ok := s.(*ast.ReturnStmt); ok {
					made = append(made, instead(ret)...)
				} else {
					made = append(made, s)
				}
			}
			*list = made
		}
	})
}

func returns(list []ast.Stmt) bool {
	found := false
	inspectBody(&ast.BlockStmt{List: list}, func(n ast.Node) {
		_, ok := n.(*ast.ReturnStmt)
		found = found || ok
	})
	return found
}
