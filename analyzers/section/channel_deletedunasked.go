package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// deletedUnasked finds functions that put a channel, or an object with one, into a map, delete
// that entry in the end, and close the channel without asking whether it was still there, while
// another function closes what it finds in the map: the one has closed it already when the other
// comes.
//
//	c := make(chan int); h.mu.Lock(); h.clients[id] = c; h.mu.Unlock()
//	go func() { <-ctx.Done(); h.mu.Lock(); delete(h.clients, id); h.mu.Unlock(); close(c) }()
//	for id, c := range h.clients { select { case c <- v: default: delete(h.clients, id); close(c) } }
func (s *search) deletedUnasked() {
	if s.recovers() || s.shared.Constructing(s.body) {
		return
	}
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		ch := s.closeOf(ev.Node)
		if ev.Kind != accesses.OnCall || ch == nil || held.Holds(locks.Once) || s.anyDecides(block) || s.inSelect(ev.Node) || inLoop(s.body.Block, ev.Node) {
			return
		}
		own, field := s.ownOf(ch)
		if own == nil {
			return
		}
		for _, gone := range s.order {
			if gone.Mode != atomicity.Write || gone.source().Method != "delete" || gone.Kind != access.MapElement || !gone.held.Any() || gone.later || !s.before(gone, ev) {
				continue
			}
			put, in := s.putAs(own, gone.Var, field)
			if !put {
				continue
			}
			if other := s.closesFound(gone, in); other != nil {
				c := s.direct("testuse", "double-close", gone.source(), ev.Pos(), other.call.Pos())
				c.Roles = [2]string{"closed", "closed as well"}
				c.Message = fmt.Sprintf("%s may have been closed by %s, which finds it in %s, when it is closed by %s: that does not ask whether the entry was still there, and the second close panics",
					types.ExprString(ch), other.body.Fn.Name, s.pkg.Name(gone.Var), s.body.Fn.Name)
				s.tell(c, gone, gone.source())
				return
			}
		}
	})
}

// ownOf is the local, of the body or one around it, that is closed, or whose field is.
func (s *search) ownOf(ch ast.Expr) (own *types.Var, field types.Object) {
	e := ast.Unparen(ch)
	if sel, ok := e.(*ast.SelectorExpr); ok {
		field, e = s.pkg.Info.Uses[sel.Sel], ast.Unparen(sel.X)
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil, nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) || hasParameter(s.body.Outermost().Type(s.pkg.Info), v) {
		return nil, nil
	}
	return v, field
}

// putAs says whether the function puts the local into the map m, itself or in a struct, and in
// which field the channel is there.
func (s *search) putAs(own *types.Var, m access.Var, field types.Object) (put bool, in types.Object) {
	is := func(e ast.Expr) bool { return s.isObject(e, own) }
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		as, ok := n.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 || len(as.Rhs) != 1 {
			return !put
		}
		if i, ok := ast.Unparen(as.Lhs[0]).(*ast.IndexExpr); !ok || s.variable(i.X) != m.Obj {
			return !put
		}
		value := ast.Unparen(as.Rhs[0])
		if is(value) {
			put, in = true, field
			return false
		}
		if u, ok := value.(*ast.UnaryExpr); ok {
			value = ast.Unparen(u.X)
		}
		if lit, ok := value.(*ast.CompositeLit); ok && field == nil {
			for _, el := range lit.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok && is(kv.Value) {
					if key, ok := kv.Key.(*ast.Ident); ok {
						put, in = true, s.pkg.Info.ObjectOf(key)
					}
				}
			}
		}
		return !put
	})
	return put, in
}

// closesFound is where another function, which runs beside, and has not waited for anybody, closes
// the channel of an entry that it finds in the map.
func (s *search) closesFound(gone *occurrence, field types.Object) *closedElement {
	for _, e := range s.closedElements() {
		if e.of.Var.Obj != gone.Var.Obj || e.field != field || e.body.Outermost() == s.body.Outermost() || s.shared.Constructing(e.body) {
			continue
		}
		current := s.bodyState
		s.bodyState = s.states[e.body]
		o := s.occ[e.of]
		apart := s.recovers() || o == nil || s.waitedBefore(o)
		s.bodyState = current
		if apart {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, gone.Var, map[*accesses.Body]bool{e.body: true}); strong {
			return &e
		}
	}
	return nil
}
