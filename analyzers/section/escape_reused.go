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

// reused finds slices that are taken out of a field under its lock and used after the
// release, where the field keeps the array for what comes next:
//
//	s.mu.Lock()
//	batch := s.pending
//	s.pending = s.pending[:0]
//	s.mu.Unlock()
//	send(batch) // elsewhere, under s.mu: s.pending = append(s.pending, x)
//
// Who fills it again overwrites what is being used. The same goes for the Bytes of a
// bytes.Buffer that is Reset.
func (s *search) reused() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.locks.Entry(s.body).Any() {
		return
	}
	reported := map[types.Object]bool{}
	for _, cut := range s.emptyings() {
		if reported[cut.field] {
			continue
		}
		use := s.usedAfterwards(cut)
		if use == nil {
			continue
		}
		filler, in := s.filledAgain(cut)
		if filler == nil {
			continue
		}
		reported[cut.field] = true
		c := s.direct("testuse", "guarded-escape", cut.access, cut.taken.Pos(), use.Pos())
		c.Roles = [2]string{"taken out, while its array is kept", "used"}
		c.Protected = cut.lock.String()
		c.Message = fmt.Sprintf("%s is used after %s was released, while the array is kept by %s: %s fills it again meanwhile, and overwrites what is used here",
			cut.local.Name(), cut.lock, types.ExprString(cut.by), in.Name)
		s.tell(c, &occurrence{Access: cut.access, place: cut.place}, cut.access)
	}
}

// An emptying is where the body empties a field whose array a local still has.
type emptying struct {
	local  types.Object
	taken  ast.Expr // the field, or the call of Bytes, that the local was given
	by     ast.Expr // s[:0], b.Reset()
	at     token.Pos
	field  *types.Var
	place  accesses.Place
	lock   accesses.Place
	access *access.Access
}

// emptyings lists those with a lock of the object held.
func (s *search) emptyings() []emptying {
	var list []emptying
	add := func(x, by ast.Expr, at token.Pos, held locks.Set, a *access.Access) {
		field, pl := s.variable(x), s.pkg.PlaceOf(x)
		if field == nil || !field.IsField() || !pl.Valid() {
			return
		}
		for _, l := range locksOf(held) {
			if l.Root != pl.Root || held[l] != locks.Exclusive {
				continue
			}
			if local, taken := s.keptBy(pl, at, a == nil); local != nil {
				if a == nil {
					a = &access.Access{Var: access.Var{Obj: field}, Expr: by, Func: s.body.Fn}
				}
				list = append(list, emptying{local, taken, by, at, field, pl, l, a})
			}
			return
		}
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || s.reachOf(w) == shared.Private {
			continue
		}
		values := stored(w.Access)
		if len(values) != 1 {
			continue
		}
		if cut, ok := ast.Unparen(values[0]).(*ast.SliceExpr); ok && cut.High != nil && s.zero(cut.High) && (s.pkg.PlaceOf(cut.X) == w.place || s.isCopyOf(cut.X, w)) {
			add(w.Cell, cut, w.Pos(), w.held, w.Access)
		}
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !held.Any() {
			return
		}
		if fn := s.locks.Callee(call); fn != nil && fn.FullName() == "(*bytes.Buffer).Reset" {
			add(call.Fun.(*ast.SelectorExpr).X, call, call.Pos(), held, nil)
		}
	})
	return list
}

// isCopyOf says whether the expression is a local that was given the slice which w replaces.
func (s *search) isCopyOf(e ast.Expr, w *occurrence) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	return len(list) == 1 && s.pkg.PlaceOf(list[0].value) == w.place
}

// keptBy is a local that was given the slice at the place before, as it is, and holds
// nothing else; bytes of a buffer if the place is one.
func (s *search) keptBy(pl accesses.Place, at token.Pos, buffer bool) (types.Object, ast.Expr) {
	for obj, list := range s.values.assigns {
		if len(list) != 1 || list[0].at > s.pkg.Order(at) || obj.Pos() < s.body.Node.Pos() || obj.Pos() > s.body.Node.End() {
			continue
		}
		e := ast.Unparen(list[0].value)
		if buffer {
			call, ok := e.(*ast.CallExpr)
			if !ok {
				continue
			}
			fn := s.locks.Callee(call)
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if fn != nil && isSel && fn.FullName() == "(*bytes.Buffer).Bytes" && s.pkg.PlaceOf(sel.X) == pl {
				return obj, e
			}
			continue
		}
		if cut, ok := e.(*ast.SliceExpr); ok {
			e = ast.Unparen(cut.X)
		}
		if isSlice(obj.Type()) && s.pkg.PlaceOf(e) == pl {
			return obj, e
		}
		if part := s.partAt(e, pl); part != nil {
			return obj, part
		}
	}
	return nil, nil
}

// partAt is the element of the struct literal, or of one whose address is taken, that is the slice
// at the place as it is: batch{rows: s.rows}; or nil.
func (s *search) partAt(e ast.Expr, pl accesses.Place) ast.Expr {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, part := range partsOfLit(lit) {
		if t := s.pkg.Info.TypeOf(part); t != nil && isSlice(t) && s.pkg.PlaceOf(part) == pl {
			return part
		}
	}
	return nil
}

// usedAfterwards is where the body uses the elements of the local with the lock released:
// hands it on, walks through it, or takes one of them.
func (s *search) usedAfterwards(cut emptying) ast.Node {
	uses := map[ast.Node]bool{} // the call, statement or element that uses it
	var walked []*ast.RangeStmt
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		is := func(e ast.Expr) bool {
			if c, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
				e = c.X
			}
			if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && !isSlice(cut.local.Type()) && isSlice(s.pkg.Info.TypeOf(sel)) {
				e = sel.X // one of several parts
			}
			id, ok := ast.Unparen(e).(*ast.Ident)
			return ok && s.pkg.Info.ObjectOf(id) == cut.local && s.pkg.Order(id.Pos()) > s.pkg.Order(cut.at)
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				if b, ok := s.pkg.Info.Uses[id].(*types.Builtin); ok && b.Name() != "copy" && b.Name() != "append" {
					return true
				}
			}
			uses[n] = slices.ContainsFunc(n.Args, is)
		case *ast.RangeStmt:
			if n.Value != nil && is(n.X) {
				walked = append(walked, n)
			}
		case *ast.SendStmt:
			uses[n] = is(n.Value)
		case *ast.ReturnStmt:
			uses[n] = slices.ContainsFunc(n.Results, is)
		}
		return true
	})
	var found ast.Node
	note := func(n ast.Node) {
		if found == nil || n.Pos() < found.Pos() {
			found = n
		}
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if _, still := held[cut.lock]; ev.Node == nil || !uses[ev.Node] || still && ev.Kind != accesses.OnReturn {
			return
		}
		note(ev.Node)
	})
	for _, loop := range walked {
		if held, ok := s.heldIn(loop.Body); ok {
			if _, still := held[cut.lock]; !still {
				note(loop.X)
			}
		}
	}
	return found
}

// filledAgain is where another function puts something into the field, with the lock held, and
// no other lock that this function holds while it uses what it has taken.
func (s *search) filledAgain(cut emptying) (*occurrence, *access.Function) {
	class := locks.ClassOf(cut.lock)
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, access.Var{Obj: cut.field}, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		for _, w := range s.states[b].order {
			if w.Mode == atomicity.Write && w.Var.Obj == cut.field && w.via == nil && w.lockOf(class).Valid() && s.putsIn(w) {
				return w, b.Fn
			}
		}
		var at *occurrence
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || at != nil || !slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return locks.ClassOf(l) == class }) {
				return
			}
			if s.writesInto(call, cut.field) {
				at = &occurrence{Access: &access.Access{Expr: call}}
			}
		})
		if at != nil {
			return at, b.Fn
		}
	}
	return nil, nil
}

// putsIn says whether the write puts elements into the slice: it stores the result of a call
// that is given the slice, or an element.
func (s *search) putsIn(w *occurrence) bool {
	if w.Kind == access.Element {
		return true
	}
	for _, v := range stored(w.Access) {
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
			if cut, ok := ast.Unparen(a).(*ast.SliceExpr); ok {
				a = cut.X
			}
			return s.variable(a) == w.Var.Obj
		}) {
			return true
		}
	}
	return false
}

// writesInto says whether the call writes into the bytes.Buffer that the field is.
func (s *search) writesInto(call *ast.CallExpr, field *types.Var) bool {
	fn := s.locks.Callee(call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn != nil && s.variable(sel.X) == field {
		switch fn.FullName() {
		case "(*bytes.Buffer).Write", "(*bytes.Buffer).WriteString", "(*bytes.Buffer).WriteByte", "(*bytes.Buffer).WriteRune", "(*bytes.Buffer).ReadFrom":
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		u, ok := ast.Unparen(a).(*ast.UnaryExpr)
		if ok && u.Op == token.AND {
			a = u.X
		}
		tn := accesses.TypeName(field.Type())
		return s.variable(a) == field && tn != nil && tn.Name() == "Buffer" // fmt.Fprintf(&s.buf, …)
	})
}
