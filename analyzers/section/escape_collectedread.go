package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// collectedReads finds fields that are read, in a loop or by a function that compares, of objects
// which the function has put into a list of its own under the lock of the container that it has
// found them in, and after the release of that lock, where all others write the field under it:
//
//	m.mu.Lock()
//	for _, p := range m.peers { list = append(list, p) }
//	m.mu.Unlock()
//	sort.Slice(list, func(i, j int) bool { return list[i].score < list[j].score })
//
// What is copied is the list, not what it holds. The list may be made by a method that returns it.
func (s *search) collectedReads() {
	out := s.body.Outermost()
	if s.shared.Constructing(out) || s.shared.Sequential(out) || s.readies() || s.formatsUnasked() || s.body != out && (s.body.Parent != out || s.shared.Spawned(s.body) && !s.shared.Spawned(out)) {
		return
	}
	said := map[types.Object]bool{}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || o.later || len(o.held) > 0 || !o.Var.Obj.IsField() || s.reachOf(o) == shared.Private || s.logged(o) {
			continue
		}
		list, by := s.listCalled(o)
		if list == nil {
			list, by = s.ownListOf(o), out
		}
		if list == nil || said[list] {
			continue
		}
		class, lock, container := s.collectedUnder(by, list, o)
		if class == "" {
			continue
		}
		var keeper placed
		for _, k := range s.othersWrites(o) {
			if k.held.Holds(locks.Caller) {
				continue
			}
			if !slices.ContainsFunc(k.held.Places(), func(l accesses.Place) bool {
				// The object with the lock may be reached in another way: s.mu, m.shards[hash(k)].mu.
				return k.held[l] == locks.Exclusive && (locks.ClassOf(l) == class || lastOf(l.Path) == lastOf(lock.Path))
			}) {
				keeper = placed{}
				break
			}
			if keeper.occurrence == nil {
				keeper = k
			}
		}
		if keeper.occurrence == nil || s.takenOutFirst(by, container, o) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(out, o.Var, map[*accesses.Body]bool{keeper.body: true}); !strong {
			continue
		}
		said[list] = true
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"read without the lock", "written with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Outermost().Fn.Name, list.Name())
		c.Message = fmt.Sprintf("%s is read here after the release of %s, under which the objects were put into %s: the list is a copy, and what it holds is not, as %s changes it",
			types.ExprString(o.Expr), lock, list.Name(), keeper.body.Fn.Name)
		if by != out {
			c.Message = fmt.Sprintf("%s is read here without %s, under which %s has put the objects into a list: the list is a copy, and what it holds is not, as %s changes it",
				types.ExprString(o.Expr), lastOf(lock.Path), by.Fn.Name, keeper.body.Fn.Name)
		}
		s.tell(c, o, o.Access)
	}
}

// ownListOf is the local list that the object of o is an element of: o is x.f with x from
// range list or list[i], or list[i].f; or nil.
func (s *search) ownListOf(o *occurrence) types.Object {
	sel, ok := ast.Unparen(o.Expr).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	x := ast.Unparen(sel.X)
	if id, ok := x.(*ast.Ident); ok {
		defs := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(defs) != 1 {
			return nil
		}
		x = ast.Unparen(defs[0].value)
	}
	if index, ok := x.(*ast.IndexExpr); ok {
		x = ast.Unparen(index.X)
	}
	id, ok := x.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	slice, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	if _, ok := slice.Elem().Underlying().(*types.Pointer); !ok {
		return nil
	}
	return v
}

// collectedUnder is the class of the lock that is held wherever out appends to the list, each time
// what it has found in a container of something else than the list, and that container.
func (s *search) collectedUnder(out *accesses.Body, list types.Object, o *occurrence) (class string, lock accesses.Place, container types.Object) {
	if list.Pos() < out.Block.Pos() || out.Block.End() <= list.Pos() {
		return "", accesses.Place{}, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[out]
	ok := true
	s.locks.Walk(out, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, isCall := ev.Node.(*ast.CallExpr)
		if !isCall || !ok || len(call.Args) < 2 {
			return
		}
		id, isIdent := ast.Unparen(call.Fun).(*ast.Ident)
		if !isIdent || id.Name != "append" || !s.isObject(call.Args[0], list) {
			return
		}
		own := locksOf(held)
		from := s.containerOf(call.Args[1])
		if len(call.Args) != 2 || call.Ellipsis.IsValid() || len(own) == 0 || from == nil || class != "" && !slices.ContainsFunc(own, func(l accesses.Place) bool { return locks.ClassOf(l) == class }) {
			ok = false
			return
		}
		for _, l := range own {
			if class == "" && held[l] > locks.Possible && l.Root != nil {
				class, lock, container = locks.ClassOf(l), l, from
			}
			if owner := s.shared.Owner(from.(*types.Var)); owner != nil && owner == accesses.TypeName(l.Root.Type()) {
				class, lock, container = locks.ClassOf(l), l, from // that of the object with the container
			}
		}
	})
	if !ok {
		return "", accesses.Place{}, nil
	}
	return class, lock, container
}

// containerOf is the field whose map or slice the local was found in by a loop or by its key.
func (s *search) containerOf(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	defs := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	if len(defs) != 1 {
		return nil
	}
	x := ast.Unparen(defs[0].value)
	if index, ok := x.(*ast.IndexExpr); ok {
		x = ast.Unparen(index.X)
	}
	sel, ok := x.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if v, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); ok && v.IsField() && isContainer(v.Type()) {
		return v
	}
	return nil
}

// takenOutFirst says whether out takes something out of the container, or replaces it, before o.
func (s *search) takenOutFirst(out *accesses.Body, container types.Object, o *occurrence) bool {
	return slices.ContainsFunc(s.states[out].order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && types.Object(w.Var.Obj) == container && s.pkg.Order(w.Pos()) < s.pkg.Order(o.Pos())
	})
}
