package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// revived finds entries that a function finds due in one critical section, by a field of
// theirs, and deletes from the map in another one without a second look, while others
// change that field of an entry that is there: what was used, or renewed, in between is
// deleted all the same.
//
//	c.mu.RLock()
//	for k, e := range c.entries {
//		if now.Sub(e.used) > ttl {
//			due = append(due, k)
//		}
//	}
//	c.mu.RUnlock()
func (s *search) revived() {
	if s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, gone := range append(s.removalsBelow(), s.order...) {
		if gone.source().Method != "delete" || gone.Kind != access.MapElement || gone.lit || gone.later || !gone.held.Any() || s.reachOf(gone) == shared.Private {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.via != nil || look.Var != gone.Var || look.place != gone.place || s.before(gone, look) ||
				!look.held.Any() || s.oneHold(look, gone) || !s.leadsTo(look, gone) {
				continue
			}
			asked, by := s.foundDue(look, gone)
			if len(asked) == 0 || s.looksAgain(gone, asked) {
				continue
			}
			if field, w, in := s.renewed(look, asked); w != nil {
				s.deletedThough(look, gone, by, field, w, in)
				return
			}
			if w, in := s.putAfresh(gone, asked); w != nil {
				s.replacedSince(look, gone, by, w, in)
				return
			}
		}
	}
}

func (s *search) deletedThough(look, gone *occurrence, by ast.Expr, field *types.Var, w *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "unlock-relock", look.Access, by.Pos(), gone.Pos())
	c.Roles = [2]string{"found due", "deleted"}
	c.Message = fmt.Sprintf("%s can be changed by %s after it was looked at here and before the entry is deleted from %s: the lock is released in between, and nothing is looked at again",
		field.Name(), in.Fn.Name, types.ExprString(gone.source().Cell))
	if gone.via != nil {
		c.EndVia, c.EndWithin = gone.via, gone.where()
	}
	s.tell(c, look, w.Access)
}

// foundDue are the fields of the entry that look has found which decide whether gone
// deletes it, and the condition that asks for them: directly, or about the key being put
// on a list, in a loop over the map, whose keys are deleted then.
func (s *search) foundDue(look, gone *occurrence) (asked map[*types.Var]bool, by ast.Expr) {
	asked = map[*types.Var]bool{}
	if look.Kind == access.MapElement && look.key == gone.key {
		entries := s.entriesOf(look)
		for block, conds := range s.body.Conds {
			if decides, _ := s.decides(block, gone.block); !decides || block == gone.block {
				continue
			}
			for _, cond := range conds {
				if n := len(asked); s.before(look, cond) {
					if s.askFields(cond, entries, asked, 0); len(asked) > n && by == nil {
						by = cond
					}
				}
			}
		}
		return asked, by
	}
	loop := s.loopOver(look)
	if loop == nil {
		return nil, nil
	}
	if !s.listed(gone, loop) {
		return nil, nil
	}
	return s.dueIn(loop)
}

// loopOver is the range loop over the map that look reads.
func (s *search) loopOver(look *occurrence) *ast.RangeStmt {
	if look.Kind != access.MapWhole || look.Method != "range" {
		return nil
	}
	var loop *ast.RangeStmt
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && !s.before(look, r.X) && s.pkg.Order(look.Pos()) < s.pkg.Order(r.X.End()) {
			loop = r
		}
		return loop == nil
	})
	return loop
}

// listed says whether gone deletes a key out of a local list, or that of an entry in it,
// to which the loop has added its own.
func (s *search) listed(gone *occurrence, loop *ast.RangeStmt) bool {
	key := gone.Key
	if gone.via != nil && len(gone.via.Args) > 0 {
		key = gone.via.Args[0]
	}
	if sel, ok := ast.Unparen(key).(*ast.SelectorExpr); ok {
		key = sel.X
	}
	if s.before(loop, gone) && s.pkg.Order(gone.Pos()) < s.pkg.Order(loop.End()) {
		return false
	}
	for _, list := range s.listsOf(key) {
		for _, add := range s.values.assigns[s.pkg.Info.ObjectOf(list)] {
			call, ok := ast.Unparen(add.value).(*ast.CallExpr)
			if !ok || s.before(call, loop) || s.pkg.Order(loop.End()) < s.pkg.Order(call.End()) || len(call.Args) != 2 {
				continue
			}
			for _, own := range []ast.Expr{loop.Key, loop.Value} {
				if own, ok := own.(*ast.Ident); ok && s.mentions(call.Args[1], s.pkg.Info.ObjectOf(own)) {
					return true
				}
			}
		}
	}
	return false
}

// listsOf are the local lists that the key is an element of: list[i], or what a loop over it, or an
// assignment of list[i], has put into a local.
func (s *search) listsOf(key ast.Expr) (lists []*ast.Ident) {
	add := func(e ast.Expr, ranged bool) {
		if x, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
			e = x.X
		} else if !ranged {
			return
		}
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			lists = append(lists, id)
		}
	}
	add(key, false)
	if id, ok := ast.Unparen(key).(*ast.Ident); ok {
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
			add(d.value, true)
		}
	}
	return lists
}

// entriesOf are the locals that hold the entry that look has found.
func (s *search) entriesOf(look *occurrence) []types.Object {
	var list []types.Object
	for obj, assigned := range s.values.assigns {
		if len(assigned) == 1 && ast.Unparen(assigned[0].value) == ast.Unparen(look.Expr) && !isBoolean(obj.Type()) {
			list = append(list, obj)
		}
	}
	return list
}

// askFields adds the fields of the entries that the expression depends on: by itself, by
// way of locals, or of a method of the entry that computes something of them.
func (s *search) askFields(e ast.Expr, entries []types.Object, asked map[*types.Var]bool, depth int) {
	isEntry := func(x ast.Expr) bool {
		id, ok := ast.Unparen(x).(*ast.Ident)
		return ok && slices.Contains(entries, s.pkg.Info.ObjectOf(id))
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if v, ok := s.pkg.Info.ObjectOf(n.Sel).(*types.Var); ok && v.IsField() && isEntry(n.X) {
				asked[v.Origin()] = true
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			if b := s.pkg.ByFunc[s.locks.Callee(n)]; ok && b != nil && isEntry(sel.X) && b.Func.Signature().Recv() != nil && (s.values.asks(b) || s.values.judges(b)) {
				s.fieldsOf(b.Func.Signature().Recv(), b.Block, asked)
			}
		case *ast.Ident:
			for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(n)] {
				if depth < 2 && !isEntry(n) {
					s.askFields(d.value, entries, asked, depth+1)
				}
			}
		}
		return true
	})
}

// fieldsOf adds the fields of the object that the node mentions.
func (s *search) fieldsOf(obj types.Object, n ast.Node, fields map[*types.Var]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && s.isObject(sel.X, obj) {
			if v, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); ok && v.IsField() {
				fields[v.Origin()] = true
			}
		}
		return true
	})
}

// looksAgain says whether the critical section of gone reads the map, and asks for more than
// whether the entry is there still, or reads one of the fields.
func (s *search) looksAgain(gone *occurrence, asked map[*types.Var]bool) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && (o.Var == gone.Var && !s.asksForPresence(o) && !s.presenceBelow(o, gone) || asked[o.Var.Obj]) && s.oneHold(o, gone)
	})
}

// presenceBelow says whether o, in the function that deletes, asks for no more than whether the
// entry is there, as one does that returns what it has deleted.
func (s *search) presenceBelow(o, gone *occurrence) bool {
	in := gone.source().Func // nil for that of another package
	if in == nil || o.via == nil || o.via != gone.via || o.source().Func != in || s.states[s.pkg.ByNode[in.Node]] == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[s.pkg.ByNode[in.Node]]
	return slices.ContainsFunc(s.order, func(a *occurrence) bool {
		return a.Access == o.source() && a.via == nil && s.asksForPresence(a)
	})
}

// renewed is a write of one of the fields in another function, of an entry that is in the
// map: through a pointer, or of a copy that is stored in its place.
func (s *search) renewed(look *occurrence, asked map[*types.Var]bool) (*types.Var, *occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	copied := false // nobody has a pointer to what is in the map
	if m, ok := look.Var.Obj.Type().Underlying().(*types.Map); ok {
		_, copied = m.Elem().Underlying().(*types.Struct)
	}
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			switch {
			case w.Mode != atomicity.Write || w.via != nil:
			case asked[w.Var.Obj] && !w.Var.Contents && !copied && s.reachOf(w) != shared.Private && s.varies(w):
				return w.Var.Obj, w, b
			case w.Var == look.Var && w.Kind == access.MapElement && w.Method == "":
				if field := s.storesBack(w, asked); field != nil {
					return field, w, b
				}
			}
		}
	}
	return nil, nil, nil
}

// varies says whether the write stores more than a constant.
func (s *search) varies(w *occurrence) bool {
	return !slices.ContainsFunc(stored(w.Access), func(e ast.Expr) bool {
		tv := s.pkg.Info.Types[e]
		return tv.Value != nil || tv.IsNil()
	})
}

// storesBack is the field that was set in a copy of an entry which w puts in its place.
func (s *search) storesBack(w *occurrence, asked map[*types.Var]bool) *types.Var {
	values := stored(w.Access)
	if len(values) != 1 {
		return nil
	}
	entry, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok || !slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.sameInstance(w) && slices.Contains(s.entriesOf(r), s.pkg.Info.ObjectOf(entry))
	}) {
		return nil
	}
	var field *types.Var
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || s.before(w, assign) {
			return true
		}
		for _, l := range assign.Lhs {
			sel, ok := ast.Unparen(l).(*ast.SelectorExpr)
			if !ok || !s.isObject(sel.X, s.pkg.Info.ObjectOf(entry)) {
				continue
			}
			if v, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); ok && asked[v.Origin()] {
				field = v
			}
		}
		return true
	})
	return field
}
