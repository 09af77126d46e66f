package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/dave/dst"
)

// storeAll assigns to several targets at once, in Go's two phases: first the
// operands of all of them are settled, then one after the other is located and
// stored to. A nil pointer or an index out of range among them panics in the
// second phase, when the targets before it have their values. A target whose
// value is nil is blank.
func (p *pass) storeAll(targets []target, values []dst.Expr, seq *[]dst.Stmt) {
	assigned := map[*types.Var]bool{}
	for _, t := range targets {
		if id, ok := p.expr(t.cell).(*ast.Ident); ok {
			if v, ok := p.info.ObjectOf(id).(*types.Var); ok {
				assigned[v] = true
			}
		}
	}
	if len(targets) > 1 {
		for i := range targets {
			if t := &targets[i]; values[i] != nil && (t.m != nil || !p.settle(t.cell, assigned, seq)) {
				p.locate(t, seq)
			}
		}
	}
	for i := range targets {
		if values[i] != nil {
			p.locate(&targets[i], seq)
			*seq = append(*seq, p.store(targets[i], values[i])...)
		}
	}
}

// settle puts the operands of the place e into temporaries, but for constants
// and for locals that the statement does not assign to. It cannot where e
// leads through a pointer that is not written down.
func (p *pass) settle(e dst.Expr, assigned map[*types.Var]bool, seq *[]dst.Stmt) bool {
	hold := func(x *dst.Expr) bool {
		source := p.expr(*x)
		if source != nil {
			if tvConst(p.info, source) {
				return true
			}
			if id, ok := ast.Unparen(source).(*ast.Ident); ok && p.isOwn(id) {
				if v, ok := p.info.ObjectOf(id).(*types.Var); ok && !assigned[v] {
					return true
				}
			}
		}
		*x = p.intoTemp(*x, seq)
		return true
	}
	switch e := e.(type) {
	case *dst.ParenExpr:
		return p.settle(e.X, assigned, seq)
	case *dst.StarExpr:
		return hold(&e.X)
	case *dst.SelectorExpr:
		source, ok := p.expr(e).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		sel := p.info.Selections[source]
		switch {
		case sel == nil:
			return true // a variable of another package
		case pointsTo(p.info.TypeOf(source.X)) && len(sel.Index()) == 1:
			return hold(&e.X)
		case sel.Indirect():
			return false
		}
		return p.settle(e.X, assigned, seq)
	case *dst.IndexExpr:
		source, ok := p.expr(e).(*ast.IndexExpr)
		if !ok {
			return false
		}
		if _, isArray := p.info.TypeOf(source.X).Underlying().(*types.Array); isArray {
			ok = p.settle(e.X, assigned, seq)
		} else {
			hold(&e.X)
		}
		return hold(&e.Index) && ok
	}
	return true
}
