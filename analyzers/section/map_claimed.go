package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// claimedTwice finds objects that are looked for in a list or map under its lock, by a
// state of theirs, and are put into another state in a later critical section, without
// another look: two goroutines can find the same one.
//
//	for _, j := range r.jobs { if j.state == pending { next = j; break } }
//	r.mu.Unlock(); …; r.mu.Lock()
//	next.state = running
func (s *search) claimedTwice() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || !w.Var.Obj.IsField() || w.lit || w.later || w.Update != nil || w.depth > 1 || !w.held.Any() {
			continue
		}
		local := s.elementOf(w)
		if local == nil || s.asksOnceMore(w, local) {
			continue
		}
		look, in := s.lookedFor(local, w)
		if look == nil {
			continue
		}
		class := ""
		for _, l := range locksOf(look.held) {
			if to := w.lockOf(locks.ClassOf(l)); to.Valid() && w.held[to] == locks.Exclusive {
				class = to.String()
			}
		}
		if class == "" {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
			continue
		}
		c := s.direct("testuse", "unlock-relock", w.source(), look.Pos(), w.Pos())
		c.Protected = class
		c.Roles = [2]string{"looked for by it", "set"}
		if w.via != nil {
			c.EndVia, c.EndWithin = w.via, w.where()
		}
		c.Message = fmt.Sprintf("two goroutines can both find the same %s by its %s and set it: %s is released in between", typeName(local), w.Var.Obj.Name(), class)
		if in != s.body {
			c.Message += " (the look is in " + in.Fn.Name + ")"
		}
		s.tell(c, w, w.source())
		return
	}
}

// typeName is what diagnostics call an object of the variable's type.
func typeName(v types.Object) string {
	if tn := accesses.TypeName(v.Type()); tn != nil {
		return tn.Name()
	}
	return "element"
}

// elementOf is the local that points to the object which w changes, or is its index.
func (s *search) elementOf(w *occurrence) types.Object {
	if sel, ok := ast.Unparen(w.Expr).(*ast.SelectorExpr); ok && w.via == nil {
		if x, ok := ast.Unparen(sel.X).(*ast.IndexExpr); ok {
			if id, ok := ast.Unparen(x.Index).(*ast.Ident); ok {
				return s.pkg.Info.ObjectOf(id)
			}
		}
	}
	v, ok := w.place.Root.(*types.Var)
	if !ok || accesses.IsGlobal(v) || w.place.Path != "."+w.Var.Obj.Name() || !isOneOf(v.Type()) {
		return nil
	}
	return v
}

func isOneOf(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	return ok && accesses.TypeName(p.Elem()) != nil
}

// asksOnceMore says whether the critical section of w, or what it calls, reads the variable
// of the object before.
func (s *search) asksOnceMore(w *occurrence, local types.Object) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.Var == w.Var && r != w && (r.via != nil && r.via == w.via || r.via == nil && (r.place.Root == local || s.mentions(r.Expr, local)) && s.oneHold(r, w))
	})
}

// lookedFor is the read of the variable of w by which the object that the local refers to
// was found in a loop, here or in a function that returns it, and the body of the loop.
func (s *search) lookedFor(local types.Object, w *occurrence) (*occurrence, *accesses.Body) {
	for _, d := range s.values.assigns[local] {
		if d.at > s.pkg.Order(w.Pos()) {
			continue
		}
		if look := s.foundInLoop(d.value, w.Var, accesses.OnAssign); look != nil && s.leadsTo(look, w) && !s.oneHold(look, w) {
			return look, s.body
		}
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		if !ok || len(s.values.assigns[local]) > 1 {
			continue
		}
		b := s.pkg.ByFunc[s.locks.Callee(call)]
		if b == nil || b == s.body {
			continue
		}
		if look := s.foundBelow(b, w.Var); look != nil {
			return look, b
		}
	}
	return nil, nil
}

// foundBelow is that read in a function that returns what it has found, and holds the lock
// for the look alone.
func (s *search) foundBelow(b *accesses.Body, v access.Var) *occurrence {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	var found *occurrence
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) > 0 && found == nil {
				found = s.foundInLoop(n.Results[0], v, accesses.OnReturn)
			}
		}
		return true
	})
	if found == nil || !slices.ContainsFunc(locksOf(found.held), s.acquires) {
		return nil
	}
	return found
}

// foundInLoop is the read of the variable, under a lock, that decides whether control comes
// to where value, the element or index that a loop has come to, is kept; or nil.
func (s *search) foundInLoop(value ast.Expr, v access.Var, kept accesses.EventKind) *occurrence {
	id, ok := ast.Unparen(value).(*ast.Ident)
	if !ok {
		return nil
	}
	obj := s.pkg.Info.ObjectOf(id)
	loop := s.loopOf(obj)
	if loop == nil || value.Pos() < loop.Pos() || loop.End() < value.End() {
		return nil
	}
	block := -1
	for i, events := range s.body.Events {
		for _, ev := range events {
			if ev.Kind == kept && ev.Node.Pos() <= value.Pos() && value.End() <= ev.Node.End() {
				block = i
			}
		}
	}
	if block < 0 {
		return nil
	}
	for _, e := range s.order {
		if e.Mode != atomicity.Read || e.Var != v || e.via != nil || !e.held.Any() || e.Pos() < loop.Body.Pos() || loop.End() < e.Pos() || s.reachOf(e) == shared.Private {
			continue
		}
		tests := slices.DeleteFunc(s.testsOf(e.Access, true), func(t int) bool { return !s.asksWhich(t, e) })
		if len(tests) > 0 && s.decided(tests, block) && !s.changesInHold(e) {
			return e
		}
	}
	return nil
}

// loopOf is the range statement whose element or key the variable is.
func (s *search) loopOf(obj types.Object) *ast.RangeStmt {
	var loop *ast.RangeStmt
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		r, ok := n.(*ast.RangeStmt)
		if !ok {
			return loop == nil
		}
		for _, e := range []ast.Expr{r.Key, r.Value} {
			if id, ok := e.(*ast.Ident); ok && obj != nil && s.pkg.Info.Defs[id] == obj {
				loop = r
			}
		}
		return loop == nil
	})
	return loop
}

// asksWhich says whether the test compares what e reads for equality, or takes it as a flag.
func (s *search) asksWhich(test int, e *occurrence) bool {
	for _, c := range s.body.Conds[test] {
		if c.Pos() > e.Pos() || e.End() > c.End() {
			continue
		}
		which := true
		ast.Inspect(c, func(n ast.Node) bool {
			b, ok := n.(*ast.BinaryExpr)
			if ok && b.Pos() <= e.Pos() && e.End() <= b.End() {
				switch b.Op {
				case token.EQL, token.NEQ, token.LAND, token.LOR:
				default:
					which = false
				}
			}
			return true
		})
		if which {
			return true
		}
	}
	return false
}

// changesInHold says whether the critical section of the look changes anything: it may have
// claimed the object already.
func (s *search) changesInHold(look *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && !w.later && s.oneHold(look, w)
	})
}
