package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/dave/dst"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Go leaves open when a variable is read that stands before a call in one
// expression: in return x.n, f() the compiler reads x.n after f has run. A
// hook, being a call itself, would fix the read before f. The language allows
// that, yet a program may have come to rely on its compiler, so a read is not
// hooked where a later call could make the difference, unless a section begins
// or ends there or may be broken. In assignments the calls are then made first, as
// by the compiler; see callsfirst.go.

// The operands of a left-hand side are read when the calls on the right have
// been made: there the hooks can follow, since the statement is taken apart.

// precedesCall says whether the access is a read of plain memory with a call
// or a receive operation after it in the same statement that is not ordered
// behind it anyway.
func precedesCall(info *types.Info, a *access.Access) bool {
	if a.Mode != atomicity.Read || a.Update != nil || a.Stmt == nil {
		return false
	}
	switch a.Kind {
	case access.Cell, access.Element, access.MapElement:
	default:
		return false
	}
	for _, n := range evaluatedWith(a) {
		if callAfter(info, n, a.Expr) {
			return true
		}
		// The left operands of && and || that hold the access, on their own.
		found := false
		ast.Inspect(n, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && (b.Op == token.LAND || b.Op == token.LOR) && contains(b.X, a.Expr) {
				found = found || callAfter(info, b.X, a.Expr)
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// leaveOpen takes the hooks back of reads of watched variables that are better
// left to the compiler.
func (p *plan) leaveOpen() {
	for _, fn := range p.accesses.Functions {
		for _, a := range fn.Accesses {
			at := site{a.Expr, a.Mode, a.Kind}
			if h := p.hooks[at]; h != nil && p.isIdle(h) && precedesCall(p.pkg.TypesInfo, a) {
				delete(p.hooks, at)
				p.noteOpen(a)
			}
		}
	}
}

// isIdle says whether the access of a watched variable, if it is a read, neither
// begins or ends a section nor breaks one.
func (p *plan) isIdle(h *hook) bool {
	l := &h.table.locations[h.index]
	v := l.variable.of()
	return h.full && len(l.entry) == 0 && len(l.ends) == 0 && len(l.sets) == 0 && !p.watched.healing[v.pkg+"."+v.name].unread
}

func (p *plan) noteOpen(a *access.Access) {
	at := p.pkg.Fset.PositionFor(a.Pos(), false)
	_, name := p.variable(a.Var)
	p.notes = append(p.notes, Note{at.Filename, at.Line, at.Column, name, "", "read before a call in the same statement; a hook would fix an order that Go leaves open"})
}

// evaluatedWith is the statement of the access, or the left-hand sides if it is
// in one of those.
func evaluatedWith(a *access.Access) []ast.Node {
	if s, ok := a.Stmt.(*ast.AssignStmt); ok && a.Expr.Pos() < s.TokPos {
		lhs := make([]ast.Node, len(s.Lhs))
		for i, l := range s.Lhs {
			lhs[i] = l
		}
		return lhs
	}
	return []ast.Node{a.Stmt}
}

// callAfter says whether a call or receive operation in the node comes after e,
// but for those on the right of a && or || with e on its left, and those in
// statements within.
func callAfter(info *types.Info, in ast.Node, e ast.Expr) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		if _, isStmt := n.(ast.Stmt); isStmt && n != in {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && contains(n.X, e) {
				return false
			}
		case ast.Expr:
			found = found || n.Pos() >= e.End() && runs(info, n)
		}
		return !found
	})
	return found
}

// runs says whether e itself is a call or a receive operation.
func runs(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return isCall(info, e)
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	}
	return false
}

// runs says whether the evaluation of e calls or receives.
func (p *pass) runs(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if _, isLit := n.(*ast.FuncLit); isLit {
			return false
		}
		if e, ok := n.(ast.Expr); ok {
			found = found || runs(p.info, e)
		}
		return !found
	})
	return found
}

// readsBefore says whether hooks on the left, as they are written, would read
// before calls on the right.
func (p *pass) readsBefore(lhs, rhs []dst.Expr) bool {
	hooked := func(l dst.Expr) bool {
		source := p.expr(l)
		found := false
		ast.Inspect(source, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				found = found || p.hook(e, atomicity.Read, writeKinds...) != nil
			}
			return !found
		})
		return found
	}
	return slices.ContainsFunc(lhs, hooked) &&
		slices.ContainsFunc(rhs, func(r dst.Expr) bool { return p.expr(r) != nil && p.runs(p.expr(r)) })
}

// isCall tells calls that run code of the program from conversions and
// built-in functions.
func isCall(info *types.Info, c *ast.CallExpr) bool {
	tv, ok := info.Types[ast.Unparen(c.Fun)]
	return !ok || !tv.IsType() && !tv.IsBuiltin()
}
