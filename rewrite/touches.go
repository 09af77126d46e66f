package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// touch is a watched variable that a critical section touches, as a path from
// a variable of the function: the fields to select, none for the variable
// itself.
type touch struct {
	hook   *hook
	root   *types.Var
	fields string // ".a.b"
	isMap  bool
	set    *set // the set that is meant, of which the variable is a member; nil: the variable
}

// name is that of the variable or set.
func (t *touch) name() string {
	if t.set != nil {
		return t.set.name
	}
	return t.hook.name
}

// order is by the healing lock that the Hold takes.
func (t *touch) order() string {
	lock := t.hook.name
	if len(t.hook.sets) > 0 {
		lock = t.hook.sets[0].set.guard
	}
	return lock + "\x00" + t.root.Name() + t.fields + "\x00" + t.name()
}

// instance is the expression for what the Hold is of: the variable, or where the set is.
func (t *touch) instance() string {
	path := t.root.Name() + t.fields
	if t.set == nil {
		return path
	}
	_, rest, field := strings.Cut(t.hook.name, ".")
	if !field {
		return "" // there is one
	}
	for range strings.Count(rest, ".") + 1 {
		path = path[:max(strings.LastIndexByte(path, '.'), 0)]
	}
	return path
}

// touches lists the watched variables that the code between from and to
// accesses, directly or through functions of the package that it calls.
func (p *pass) touches(scope ast.Node, body *ast.BlockStmt, from, to token.Pos) []touch {
	var found []touch
	between := func(n ast.Node) bool { return from <= n.Pos() && n.End() <= to }
	for _, fn := range p.plan.accesses.Functions {
		if fn.Node.Pos() > body.Pos() || body.End() > fn.Node.End() {
			continue
		}
		for _, a := range fn.Accesses {
			if between(a.Expr) {
				found = append(found, p.touch(a)...)
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false // runs on its own
		case *ast.CallExpr:
			if between(n) {
				found = append(found, p.touchesOfCall(n, map[*types.Func]bool{})...)
			}
		}
		return true
	})
	return found
}

// touch is what the access touches that may be healed: its variable, and the sets that
// it is in.
func (p *pass) touch(a *access.Access) (found []touch) {
	h := p.plan.hookOf(a)
	if h == nil || !h.full {
		return nil
	}
	if a.Kind != access.Cell && a.Kind != access.MapElement && a.Kind != access.MapWhole && a.Kind != access.Atomic {
		return nil // one lock for each element: it cannot be known before
	}
	if a.Pointer || a.Promoted || a.Kind == access.Cell && a.Var.Contents {
		return nil
	}
	root, direct := p.chain(a.Cell)
	if root == nil || !direct {
		return nil
	}
	isMap := a.Kind == access.MapElement || a.Kind == access.MapWhole
	if p.isHealed(h) {
		found = append(found, touch{h, root, fields(a.Cell), isMap, nil})
	}
	for _, x := range h.sets {
		if x.set.healed {
			found = append(found, touch{h, root, fields(a.Cell), false, x.set})
		}
	}
	return found
}

func (p *pass) isHealed(h *hook) bool {
	v := h.table.locations[h.index].variable.of()
	return p.plan.watched.healing[v.pkg+"."+v.name].possible
}

// fields are the selectors after the root of the chain.
func fields(e ast.Expr) string {
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		return fields(sel.X) + "." + sel.Sel.Name
	}
	return ""
}

// touchesOfCall follows a static call of a function of the package. Of what it
// touches, package-level variables and what hangs off its receiver are meant
// here.
func (p *pass) touchesOfCall(call *ast.CallExpr, visited map[*types.Func]bool) []touch {
	var callee *types.Func
	var receiver *types.Var
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		callee, _ = p.info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		callee, _ = p.info.Uses[fun.Sel].(*types.Func)
		if id, ok := ast.Unparen(fun.X).(*ast.Ident); ok {
			receiver, _ = p.info.Uses[id].(*types.Var)
		}
	}
	if callee == nil || visited[callee.Origin()] {
		return nil
	}
	visited[callee.Origin()] = true
	fn := p.plan.declaration(callee.Origin())
	if fn == nil {
		return nil
	}
	var own *types.Var
	if r := callee.Origin().Signature().Recv(); r != nil {
		own = r
	}
	var found []touch
	add := func(t touch) {
		switch {
		case !isLocal(t.root):
			found = append(found, t)
		case t.root == own && receiver != nil:
			t.root = receiver
			found = append(found, t)
		}
	}
	for _, a := range fn.Accesses {
		for _, t := range p.touch(a) {
			add(t)
		}
	}
	ast.Inspect(fn.Decl.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			for _, t := range p.touchesOfCall(c, visited) {
				add(t)
			}
		}
		return true
	})
	return found
}
