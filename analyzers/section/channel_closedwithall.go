package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedWithAll finds functions that take what they are given off a map, under the lock, and close its
// channel whether or not it was there, where another function closes the channels of all that are
// in the map:
//
//	func (h *hub) Unsubscribe(c *client) {
//		h.mu.Lock(); defer h.mu.Unlock()
//		delete(h.clients, c.id)
//		close(c.out)
//	}
//
//	func (h *hub) Close() { …; for _, c := range h.clients { close(c.out) }; h.clients = nil }
//
// The client, which knows nothing of the other close, panics. The map may be one of channels, too.
func (s *search) closedWithAll() {
	if s.body.Func == nil {
		return
	}
	var off []takenOffMap
	for _, events := range s.body.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
				if m, obj := s.takenOffByCall(call); m != nil {
					off = append(off, takenOffMap{call, m, obj})
				}
			}
		}
	}
	if off == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.recovers() {
		return
	}
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !held.Any() || held.Holds(locks.Once) || s.inSelect(call) || inLoop(s.body.Block, call) {
			return
		}
		ch := s.closeOf(call)
		if ch == nil {
			return
		}
		root, field := s.channelIn(ch)
		for _, t := range off {
			if root == nil || t.object != root || s.claims(block) || s.looksAround(t) {
				continue
			}
			for _, b := range s.pkg.Bodies {
				if other := s.closesEach(b, t.from, field); other != nil && s.unaskedOf(s.body, block, b, 0) {
					s.isClosedWithAll(t, call, other, b, held)
					return
				}
			}
		}
	})
}

// takenOffMap is a deletion of what the body is given from a map.
type takenOffMap struct {
	call   *ast.CallExpr
	from   *types.Var
	object types.Object // what is given
}

func (s *search) isClosedWithAll(t takenOffMap, call, other *ast.CallExpr, b *accesses.Body, held locks.Set) {
	var entry *occurrence
	for _, o := range s.order {
		if o.Var.Obj == t.from && o.via == nil && (entry == nil || o.Mode == atomicity.Write) {
			entry = o
		}
	}
	if entry == nil || s.reachOf(entry) < shared.Meant {
		return
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, entry.Var, map[*accesses.Body]bool{b: true}); !strong {
		return
	}
	c := s.direct("testuse", "double-close", entry.Access, call.Pos(), other.Pos())
	c.Roles = [2]string{"closed", "closed with all others"}
	c.Message = fmt.Sprintf("%s is closed here whether or not it is still in %s, and %s closes those of all that are there, under %s before: the second close panics",
		types.ExprString(call.Args[0]), entry.place, b.Fn.Name, anyOf(held))
	s.tell(c, entry, entry.Access)
}

// takenOffByCall is the map that the call deletes a parameter or the receiver of the body from, for itself or
// by a part of it that it is known by, and that one.
func (s *search) takenOffByCall(call *ast.CallExpr) (*types.Var, types.Object) {
	id := identOf(call.Fun)
	if id == nil || id.Name != "delete" || len(call.Args) != 2 || !s.pkg.Info.Types[call.Fun].IsBuiltin() {
		return nil, nil
	}
	from := ast.Unparen(call.Args[0])
	if x, ok := from.(*ast.IndexExpr); ok { // a map in a map
		from = x.X
	}
	m := s.variable(from)
	key, _ := partOf(s.values.named(call.Args[1]))
	k := identOf(key)
	if m == nil || !m.IsField() || k == nil {
		return nil, nil
	}
	obj := s.pkg.Info.ObjectOf(k)
	if obj == nil || !s.givenAs(obj) {
		return nil, nil
	}
	return m, obj
}

// givenAs says whether the object is the receiver or a parameter of the body, which it does not set.
func (s *search) givenAs(obj types.Object) bool {
	sig := s.body.Func.Signature()
	given := types.Object(sig.Recv()) == obj
	for p := range sig.Params().Variables() {
		given = given || types.Object(p) == obj
	}
	return given && len(s.values.assigns[obj]) == 0
}

// channelIn splits a channel into the variable that it is, or that it is in, and the field.
func (s *search) channelIn(ch ast.Expr) (root types.Object, field *types.Var) {
	ch = ast.Unparen(ch)
	if sel, ok := ch.(*ast.SelectorExpr); ok {
		if field, _ = s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); field == nil || !field.IsField() {
			return nil, nil
		}
		ch, field = ast.Unparen(sel.X), field.Origin()
	}
	if id, ok := ch.(*ast.Ident); ok {
		return s.pkg.Info.ObjectOf(id), field
	}
	return nil, nil
}

// looksAround says whether the body looks for anything in the map, or walks through it.
func (s *search) looksAround(t takenOffMap) bool {
	for _, o := range s.order {
		if o.Var.Obj == t.from && o.Mode == atomicity.Read && (o.Pos() < t.call.Pos() || o.Pos() > t.call.End()) && (o.Kind == access.MapElement || o.Kind == access.MapWhole || len(s.testsOf(o.Access, false)) > 0) {
			return true
		}
	}
	return false
}

// closesEach is the call in another function that others can come to, under a lock, by which it closes
// the channels, or those in the field, of what it meets on a walk through the map.
func (s *search) closesEach(b *accesses.Body, m, field *types.Var) (closes *ast.CallExpr) {
	if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || !s.shared.Entered(b) && !s.shared.Launched(b) && !s.shared.Spawned(b) {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !held.Any() || held.Holds(locks.Once) || closes != nil || s.closeOf(call) == nil {
			return
		}
		root, of := s.channelIn(call.Args[0])
		if root != nil && of == field && s.metIn(root, m, 0) {
			closes = call
		}
	})
	if closes != nil && s.recovers() {
		return nil
	}
	return closes
}

// metIn says whether the local is what the body meets on a walk through the map, or one through what
// it meets there.
func (s *search) metIn(obj types.Object, m *types.Var, depth int) bool {
	met := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || met {
			return !met
		}
		is := func(e ast.Expr) bool { return e != nil && identOf(e) != nil && s.pkg.Info.ObjectOf(identOf(e)) == obj }
		if !is(loop.Key) && !is(loop.Value) {
			return true
		}
		over := ast.Unparen(loop.X)
		if x, ok := over.(*ast.IndexExpr); ok {
			over = x.X
		}
		id := identOf(over)
		met = s.variable(over) == m || id != nil && depth < 2 && s.metIn(s.pkg.Info.ObjectOf(id), m, depth+1)
		return !met
	})
	return met
}

// unaskedOf says whether control comes to the block of b without a question for anything that the other
// function sets, in b or in who calls it.
func (s *search) unaskedOf(b *accesses.Body, block int, other *accesses.Body, depth int) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	if b == other || s.setsAny(other, s.asksAbout(block)) || s.claims(block) {
		return false
	}
	if b.Func == nil {
		return true
	}
	if b.Func.Exported() && s.pkg.Exported(b.Func) {
		return true
	}
	if depth > 2 {
		return false
	}
	for _, from := range s.callersOf(b.Func) {
		at := -1
		s.bodyState = s.stateOf(from)
		s.locks.Walk(from, func(block, _ int, ev accesses.Event, _ locks.Set) {
			if call := callOf(ev.Node); call != nil && s.locks.Callee(call) == b.Func {
				at = block
			}
		})
		if at >= 0 && s.unaskedOf(from, at, other, depth+1) {
			return true
		}
	}
	return false
}
