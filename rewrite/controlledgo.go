package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
)

// controlGo replaces go f(x, y): the function value and the arguments are
// evaluated first, once and in order, then the scheduler starts the goroutine.
func (p *pass) controlGo(s *dst.GoStmt) []dst.Stmt {
	source, ok := p.ast(s).(*ast.GoStmt)
	if !ok {
		return nil
	}
	if lit, ok := s.Call.Fun.(*dst.FuncLit); ok && len(s.Call.Args) == 0 && lit.Type.Results == nil {
		start := statement(p.sched("Go", lit))
		p.attribute(start, source)
		return []dst.Stmt{start}
	}
	var seq []dst.Stmt
	p.detachFunction(s.Call, source.Call, &seq)
	if !p.detachArguments(s.Call, source.Call, &seq) {
		p.note(source.Pos(), "", "an argument of the go statement has a type that cannot be named here: its goroutine is not controlled")
		return nil
	}
	run := statement(s.Call)
	p.attribute(run, source)
	body := &dst.BlockStmt{List: []dst.Stmt{run}}
	lit := &dst.FuncLit{Type: &dst.FuncType{Func: true, Params: &dst.FieldList{Opening: true, Closing: true}}, Body: body}
	seq = append(seq, statement(p.sched("Go", lit)))
	return []dst.Stmt{p.block(seq, s)}
}

// detachFunction evaluates the function value into a temporary, unless it is a
// function's name or a literal, in which there is nothing to evaluate.
func (p *pass) detachFunction(c *dst.CallExpr, source *ast.CallExpr, seq *[]dst.Stmt) {
	fun := ast.Unparen(source.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		if p.isTrivialInstance(x.X) {
			return
		}
	case *ast.IndexListExpr:
		if p.isTrivialInstance(x.X) {
			return
		}
	case *ast.FuncLit:
		return
	case *ast.Ident:
		switch p.info.Uses[x].(type) {
		case *types.Func, *types.Builtin:
			return
		}
	case *ast.SelectorExpr:
		selection := p.info.Selections[x]
		_, isFunc := p.info.Uses[x.Sel].(*types.Func)
		if selection == nil && isFunc || selection != nil && selection.Kind() == types.MethodExpr {
			return
		}
	}
	if tv := p.info.Types[fun]; tv.IsBuiltin() {
		return // of package unsafe
	}
	c.Fun = p.intoTemp(c.Fun, seq)
}

// detachArguments evaluates the arguments into temporaries. It is false when the
// type of one depends on the parameter, and that has no name in this file.
func (p *pass) detachArguments(c *dst.CallExpr, source *ast.CallExpr, seq *[]dst.Stmt) bool {
	if len(c.Args) == 1 {
		if several, ok := p.info.TypeOf(source.Args[0]).(*types.Tuple); ok {
			var names []dst.Expr
			for range several.Len() {
				names = append(names, ident(p.temp(tempPrefix)))
			}
			*seq = append(*seq, &dst.AssignStmt{Lhs: names, Tok: token.DEFINE, Rhs: c.Args})
			c.Args = againAll(names)
			return true
		}
	}
	signature, _ := p.info.TypeOf(source.Fun).Underlying().(*types.Signature)
	for i, arg := range source.Args {
		if p.isConstantArgument(arg) {
			continue
		}
		want := parameter(signature, i)
		if p.isUntypedShift(arg) {
			t, ok := p.typeExpr(p.info.TypeOf(arg), arg.Pos())
			if !ok {
				return false
			}
			c.Args[i] = call(t, c.Args[i])
		}
		isBool := p.isUntypedBool(arg) && !isPlainBool(want)
		c.Args[i] = p.intoTemp(c.Args[i], seq)
		if isBool {
			c.Args[i] = &dst.BinaryExpr{X: c.Args[i], Op: token.EQL, Y: p.truth()}
		}
	}
	return true
}

// isConstantArgument says whether evaluating the argument later makes no
// difference: constants, nil, the names of functions and function literals.
func (p *pass) isConstantArgument(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv := p.info.Types[e]; tv.IsType() || tvConst(p.info, e) {
		return true // new(T) and make(T) take types
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident:
		_, ok := p.info.Uses[e].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := p.info.Uses[e.Sel].(*types.Func)
		return ok && p.info.Selections[e] == nil
	case *ast.IndexExpr:
		return p.isTrivialInstance(e.X)
	case *ast.IndexListExpr:
		return p.isTrivialInstance(e.X)
	}
	return false
}

// parameter is the type of the ith argument's parameter; nil for built-in
// functions.
func parameter(s *types.Signature, i int) types.Type {
	switch {
	case s == nil || s.Params().Len() == 0:
		return nil
	case s.Variadic() && i >= s.Params().Len()-1:
		if last, ok := s.Params().At(s.Params().Len() - 1).Type().Underlying().(*types.Slice); ok {
			return last.Elem()
		}
		return nil
	}
	return s.Params().At(i).Type()
}
