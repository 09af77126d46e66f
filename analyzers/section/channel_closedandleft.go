package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedElement is a close of a channel that is an element of a map, or a field of one.
type closedElement struct {
	body  *accesses.Body
	call  *ast.CallExpr
	ch    ast.Expr
	of    *access.Access // by which the element is found
	field types.Object   // nil if the channel is the element
	each  bool           // it is that of each element, in a loop over the map
	held  locks.Set
}

// closedAndLeft finds functions that close the channels of all elements of a map under a lock
// and leave them there, where another function looks one up under the same lock to close it
// and take it out: who does that afterwards closes it a second time.
func (s *search) closedAndLeft() {
	if s.recovers() || s.shared.Constructing(s.body) {
		return
	}
	for _, all := range s.closedElements() {
		if all.body != s.body || !all.each || !all.held.Any() || s.changesMap(s.bodyState, all) {
			continue
		}
		for _, one := range s.closedElements() {
			if one.each || one.of.Var.Obj != all.of.Var.Obj || one.field != all.field || one.body.Outermost() == s.body.Outermost() || !sameLock(all.held, one.held) ||
				!s.changesMap(s.states[one.body], one) || s.toldOfEnd(one) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(one.body, all.of.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "double-close", all.of, all.call.Pos(), one.call.Pos())
			c.Roles = [2]string{"closed", "closed again"}
			c.Alike = fmt.Sprint(c.Category, c.Name)
			c.Message = fmt.Sprintf("%s is closed here and left in %s, where %s finds it and closes it a second time", types.ExprString(all.ch), types.ExprString(all.of.Cell), one.body.Fn.Name)
			if o := s.occ[all.of]; o != nil {
				s.tell(c, o, one.of)
			}
			return
		}
	}
}

// closedElements lists those of the package.
func (s *search) closedElements() []closedElement {
	if s.closedIn != nil {
		return s.closedIn
	}
	s.closedIn = []closedElement{}
	for _, b := range s.pkg.Bodies {
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			ch := s.closeOf(ev.Node)
			if ev.Kind != accesses.OnCall || ch == nil {
				return
			}
			e := closedElement{body: b, call: ev.Node.(*ast.CallExpr), ch: ch, held: held}
			root := ast.Unparen(ch)
			if sel, isSel := root.(*ast.SelectorExpr); isSel {
				e.field = s.pkg.Info.Uses[sel.Sel]
				for isSel {
					root = ast.Unparen(sel.X)
					sel, isSel = root.(*ast.SelectorExpr)
				}
			}
			st := s.states[b]
			found := func(x ast.Expr) {
				for _, a := range st.values.reads[ast.Unparen(x)] {
					if _, isMap := a.Var.Obj.Type().Underlying().(*types.Map); isMap && a.Var.Obj.IsField() {
						e.of, e.each = a, a.Kind != access.MapElement || s.ofEach(st, x)
					}
				}
			}
			switch x := root.(type) {
			case *ast.IndexExpr:
				found(x)
			case *ast.Ident:
				for _, d := range st.values.assigns[s.pkg.Info.ObjectOf(x)] {
					found(d.value)
				}
			}
			if e.of != nil {
				s.closedIn = append(s.closedIn, e)
			}
		})
	}
	return s.closedIn
}

// ofEach says whether x is the element of a map at the key that a loop over that map has come to.
func (s *search) ofEach(st *bodyState, x ast.Expr) bool {
	i, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(i.Index).(*ast.Ident)
	if !ok {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = st
	loop := s.loopOf(s.pkg.Info.ObjectOf(id))
	return loop != nil && s.variable(loop.X) != nil && s.variable(loop.X) == s.variable(i.X)
}

// changesMap says whether the body takes elements out of the map, or puts others in, or changes
// the field that holds the channel.
func (s *search) changesMap(st *bodyState, e closedElement) bool {
	return slices.ContainsFunc(st.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && (w.Var.Obj == e.of.Var.Obj || e.field != nil && types.Object(w.Var.Obj) == e.field)
	})
}

// sameLock says whether a lock of one class is held in both sets.
func sameLock(a, b locks.Set) bool {
	for l := range a {
		for k := range b {
			if a.Holds(l) && b.Holds(k) && locks.ClassOf(l) == locks.ClassOf(k) {
				return true
			}
		}
	}
	return false
}

// toldOfEnd says whether the body that closes one looks, with the lock held, at what the
// searched one changes or closes besides.
func (s *search) toldOfEnd(one closedElement) bool {
	marks := map[types.Object]bool{}
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.Var.Obj.IsField() {
			marks[w.Var.Obj] = true
		}
	}
	for _, c := range s.closeCalls() {
		marks[c.channel.Var.Obj] = true
	}
	for _, e := range s.closedElements() {
		if e.body == one.body {
			delete(marks, e.field) // what it closes too is no look
		}
	}
	return slices.ContainsFunc(s.states[one.body].order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && marks[r.Var.Obj] && (r.Kind == access.Atomic || sameLock(r.held, one.held))
	})
}
