package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// A failure is a condition, and the error that an accessor returns on it:
//
//	func (q *queue) full() error { if len(q.list) == q.max { return errFull }; return nil }
//
// It is put in the place of what asks for the error: if err := q.full(); err != nil.
type failure struct {
	cond, err ast.Expr
}

// failures are those of a function that does nothing but to look for them, nil for others.
func (in *inliner) failures(list []ast.Stmt, a *accessor) []failure {
	var found []failure
	for i, s := range list {
		if ret, ok := s.(*ast.ReturnStmt); ok && i == len(list)-1 && len(ret.Results) == 1 && in.info.Types[ret.Results[0]].IsNil() {
			return found
		}
		test, ok := s.(*ast.IfStmt)
		if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 || !in.plainly(test.Cond, a) {
			return nil
		}
		ret, ok := test.Body.List[0].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 || !IsFailure(in.info, ret.Results[0]) {
			return nil
		}
		found = append(found, failure{test.Cond, ret.Results[0]})
	}
	return nil
}

// IsFailure says whether the expression is an error that is none of others: one that the package has a variable for, or that is
// made there.
func IsFailure(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); t == nil || !types.Identical(t, types.Universe.Lookup("error").Type()) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return IsGlobal(info.ObjectOf(e))
	case *ast.SelectorExpr:
		return IsGlobal(info.ObjectOf(e.Sel))
	case *ast.CallExpr:
		fn, ok := typeutil.Callee(info, e).(*types.Func)
		return ok && (fn.FullName() == "errors.New" || fn.FullName() == "fmt.Errorf" || fn.Name() == "Error" || fn.Name() == "Errorf")
	}
	return false
}

// asksFailure is the accessor that the expression asks for an error, with what it is given; or nil.
func (in *inliner) asksFailure(e ast.Expr) (*accessor, []ast.Expr, *ast.CallExpr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, nil, nil
	}
	a, args := in.calledAccessor(call)
	if a == nil || a.fails == nil {
		return nil, nil, nil
	}
	for _, arg := range args {
		if _, constant := ast.Unparen(arg).(*ast.BasicLit); !constant && !isPath(arg) {
			return nil, nil, nil
		}
	}
	return a, args, call
}

// testsNil is the expression that the condition compares with nil, and whether it is true of what is not nil.
func (in *inliner) testsNil(cond ast.Expr) (e ast.Expr, is bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || b.Op != token.NEQ && b.Op != token.EQL {
		return nil, false
	}
	id, ok := ast.Unparen(b.Y).(*ast.Ident)
	if !ok || in.object(id) != types.Universe.Lookup("nil") {
		return nil, false
	}
	return ast.Unparen(b.X), b.Op == token.NEQ
}

// failing puts the conditions of an accessor in the place of the error that s, a copy, asks for, and says whether there is
// one. With before it is the statement that asks, and s the one that looks what it was.
func (in *inliner) failing(before *ast.AssignStmt, s *ast.IfStmt) bool {
	e, is := in.testsNil(s.Cond)
	if e == nil || !is || s.Else != nil {
		return false
	}
	define := before
	if define == nil && s.Init != nil {
		init, ok := s.Init.(*ast.AssignStmt)
		if !ok {
			return false
		}
		define = init
	} else if s.Init != nil {
		return false
	}
	var to *ast.Ident
	if define != nil {
		id, ok := e.(*ast.Ident)
		if !ok || len(define.Lhs) != 1 || len(define.Rhs) != 1 || define.Tok != token.DEFINE && define.Tok != token.ASSIGN {
			return false
		}
		if to, ok = define.Lhs[0].(*ast.Ident); !ok || in.object(to) == nil || in.object(to) != in.object(id) {
			return false
		}
		e = define.Rhs[0]
	}
	a, args, call := in.asksFailure(e)
	if a == nil {
		return false
	}
	s.Init, s.Cond = nil, nil
	for _, f := range a.fails {
		cond := in.done(f.cond, a, args, call).(ast.Expr)
		if s.Cond == nil {
			s.Cond = cond
			continue
		}
		either := &ast.BinaryExpr{X: s.Cond, OpPos: cond.Pos(), Op: token.LOR, Y: cond}
		in.stands(either, f.cond)
		s.Cond = either
	}
	if to != nil {
		set := &ast.Ident{NamePos: s.Body.Lbrace, Name: to.Name}
		in.uses[set] = in.object(to)
		err := in.placed(a.fails[0].err, call, func(token.Pos) token.Pos { return s.Body.Lbrace }).(ast.Expr)
		given := map[types.Object]ast.Expr{}
		for i, v := range a.params {
			given[v] = args[i]
		}
		assign := &ast.AssignStmt{Lhs: []ast.Expr{set}, TokPos: s.Body.Lbrace, Tok: token.ASSIGN, Rhs: []ast.Expr{in.giving(err, given).(ast.Expr)}}
		s.Body.List = append([]ast.Stmt{assign}, s.Body.List...)
	}
	return true
}

// putFailures does so in fn, a copy.
func (in *inliner) putFailures(fn *ast.FuncDecl) bool {
	changed := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		list := listOf(n)
		if list == nil {
			return true
		}
		var made []ast.Stmt
		for i, s := range *list {
			test, ok := s.(*ast.IfStmt)
			if !ok {
				made = append(made, s)
				continue
			}
			before, ok := at(*list, i-1).(*ast.AssignStmt)
			own, _ := test.Init.(*ast.AssignStmt)
			switch {
			case ok && test.Init == nil && in.failing(before, test):
				made = made[:len(made)-1]
				own = before
			case !in.failing(nil, test):
				made = append(made, s)
				continue
			}
			changed = true
			if own != nil && own.Tok == token.DEFINE {
				id := own.Lhs[0].(*ast.Ident)
				made = append(made, &ast.DeclStmt{Decl: &ast.GenDecl{Tok: token.VAR, TokPos: id.Pos(), Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{id}}}}})
			}
			made = append(made, s)
		}
		*list = made
		return true
	})
	return changed
}
