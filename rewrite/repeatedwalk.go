package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (r *repeated) list(list []ast.Stmt) {
	for _, s := range list {
		r.stmt(s)
	}
}

// stmt goes through s in the order of evaluation.
func (r *repeated) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
	case *ast.AssignStmt:
		r.assign(s)
	case *ast.IncDecStmt:
		r.operands(s.X)
		r.read(ast.Unparen(s.X))
		r.write(s.X)
	case *ast.BlockStmt:
		r.list(s.List)
	case *ast.DeclStmt:
		ast.Inspect(s, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				r.expr(e)
				return false
			}
			return true
		})
	case *ast.DeferStmt:
		r.call(s.Call)
	case *ast.ExprStmt:
		r.expr(s.X)
	case *ast.GoStmt:
		r.call(s.Call)
		r.forget()
	case *ast.LabeledStmt:
		r.forget() // a goto may come from anywhere
		r.stmt(s.Stmt)
	case *ast.ReturnStmt:
		r.exprs(s.Results)
	case *ast.SendStmt:
		r.expr(s.Chan)
		r.expr(s.Value)
		r.forget()
	default:
		r.control(s)
	}
}

func (r *repeated) control(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IfStmt:
		r.stmt(s.Init)
		r.expr(s.Cond)
		r.branch(false, s.Body.List, func() { r.list(s.Body.List) })
		if s.Else != nil {
			r.branch(false, nil, func() { r.stmt(s.Else) })
		}
	case *ast.ForStmt:
		r.stmt(s.Init)
		r.branch(true, nil, func() {
			r.expr(s.Cond)
			r.list(s.Body.List)
			r.again(s.Post)
		})
	case *ast.RangeStmt:
		r.expr(s.X)
		if r.runsOthers(s) {
			r.forget()
		}
		r.branch(true, nil, func() {
			for _, e := range []ast.Expr{s.Key, s.Value} {
				if e != nil {
					r.operands(e)
					r.write(e)
				}
			}
			r.list(s.Body.List)
		})
		if r.runsOthers(s) {
			r.forget()
		}
	case *ast.SwitchStmt:
		r.stmt(s.Init)
		r.expr(s.Tag)
		r.clauses(s.Body)
	case *ast.TypeSwitchStmt:
		r.stmt(s.Init)
		r.stmt(s.Assign)
		r.clauses(s.Body)
	case *ast.SelectStmt:
		r.forget()
		r.clauses(s.Body)
	default:
		r.forget()
	}
}

// again goes through the post statement of a loop, to which a continue may have
// come from anywhere in the body.
func (r *repeated) again(post ast.Stmt) {
	if post != nil {
		clear(r.here())
		r.stmt(post)
	}
}

func (r *repeated) clauses(body *ast.BlockStmt) {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			r.branch(false, c.Body, func() {
				r.exprs(c.List)
				r.list(c.Body)
			})
		case *ast.CommClause:
			r.branch(true, c.Body, func() {
				r.stmt(c.Comm)
				r.forget()
				r.list(c.Body)
			})
		}
	}
}

func (r *repeated) assign(s *ast.AssignStmt) {
	for _, e := range s.Lhs {
		r.operands(e)
	}
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		r.read(ast.Unparen(s.Lhs[0]))
	}
	r.exprs(s.Rhs)
	for _, e := range s.Lhs {
		r.write(e)
	}
}

// operands goes through what has to be evaluated before the place e is known.
func (r *repeated) operands(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if r.info.Selections[e] != nil {
			r.base(e.X)
		}
	case *ast.IndexExpr:
		r.base(e.X)
		r.expr(e.Index)
	case *ast.StarExpr:
		r.expr(e.X)
	}
}

// base goes through e, of which a part is accessed: e itself is read only if
// the way leads through a pointer, a slice or a map.
func (r *repeated) base(e ast.Expr) {
	if t := r.info.TypeOf(e); t != nil {
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			switch ast.Unparen(e).(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
				r.operands(e)
				return
			}
		}
	}
	r.expr(e)
}

func (r *repeated) exprs(list []ast.Expr) {
	for _, e := range list {
		r.expr(e)
	}
}

// expr goes through the evaluation of e.
func (r *repeated) expr(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case nil:
	case *ast.Ident:
		r.read(e)
	case *ast.SelectorExpr, *ast.StarExpr:
		r.operands(e)
		r.read(e)
	case *ast.IndexExpr:
		r.operands(e)
		r.read(e)
	case *ast.CallExpr:
		r.call(e)
	case *ast.BinaryExpr:
		r.expr(e.X)
		if e.Op == token.LAND || e.Op == token.LOR {
			r.branch(false, nil, func() { r.expr(e.Y) })
		} else {
			r.expr(e.Y)
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			r.operands(e.X)
			return
		}
		r.expr(e.X)
		if e.Op == token.ARROW {
			r.forget()
		}
	case *ast.FuncLit:
		r.apart(e.Body)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				r.expr(kv.Value)
			} else {
				r.expr(x)
			}
		}
	case *ast.SliceExpr:
		r.base(e.X)
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil {
				r.expr(x)
			}
		}
	case *ast.TypeAssertExpr:
		r.expr(e.X)
	}
}

func (r *repeated) call(e *ast.CallExpr) {
	r.expr(e.Fun)
	r.exprs(e.Args)
	if !r.isQuiet(e) {
		r.forget()
	}
}
