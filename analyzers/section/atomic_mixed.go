package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// atomics are the variables that the package accesses through functions of
// sync/atomic, with the locks held at every atomic write.
func (s *search) atomics() map[access.Var]map[string]int {
	if s.atomicVars != nil {
		return s.atomicVars
	}
	s.atomicVars = map[access.Var]map[string]int{}
	for _, b := range s.pkg.Bodies {
		for _, o := range s.states[b].order {
			if o.Kind != access.Atomic || o.via != nil || o.Pointer || !isPlainType(o.Var.Obj.Type()) {
				continue
			}
			classes := s.atomicVars[o.Var]
			if classes == nil {
				classes = map[string]int{}
				s.atomicVars[o.Var] = classes
			}
			classes[instance(o)]++
			if o.Mode == atomicity.Write {
				classes[""]++ // all writes
				for l := range o.held {
					classes[locks.ClassOf(l)]++
				}
			}
		}
	}
	return s.atomicVars
}

// instance is the way by which o reaches the variable: the type it starts from
// and the fields on the way.
func instance(o *occurrence) string { return "at " + locks.ClassOf(o.place) }

// isPlainType says whether the type can also be accessed without sync/atomic.
func isPlainType(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Basic, *types.Pointer:
		return true
	}
	return false
}

// mixed finds plain accesses to variables that are accessed by sync/atomic
// elsewhere: the atomic operations protect nothing from a plain one.
func (s *search) mixed() {
	reported := map[access.Var]bool{}
	lines := map[int]bool{} // a second report on one line says nothing new
	alone := s.shared.Constructing(s.body) || s.shared.SetsGoing(s.body) || s.body.Func != nil && unshared.MatchString(s.body.Func.Name())
	for _, o := range s.order {
		if o.Kind != access.Cell || o.via != nil || reported[o.Var] || o.held.Holds(locks.Once) || o.Mode == atomicity.Read && s.storesItself(o) {
			continue
		}
		classes, ok := s.atomics()[o.Var]
		if !ok {
			continue
		}
		counted := s.readsCount(o)
		byAll := counted && accesses.IsGlobal(o.Var.Obj) // whoever makes an object comes here
		if alone && !byAll {
			continue // others do not have the object yet, or no more
		}
		if s.shared.Sequential(s.body) || s.reachOf(o) < shared.Meant && !s.meetsItself(o) {
			continue
		}
		if o.Mode == atomicity.Read && s.logged(o) {
			continue
		}
		if (o.Mode == atomicity.Read || !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj)) && s.waitedBefore(o) {
			continue // the goroutines that share it are over
		}
		others := o.held.Any() && len(locksOf(o.held)) == len(o.held) && s.onlyAdded(o.Var) // the lock is for others
		if classes[instance(o)] == 0 && o.held.Any() && !others {
			continue // one owner of the type uses atomics, the other a lock
		}
		if o.Update == nil && !(o.Mode == atomicity.Read && s.shows(o)) && !s.takes(o) && !s.countsAfter(o) && !counted {
			continue // who stores afresh or looks inside the package may well be alone by then
		}
		if o.Mode == atomicity.Read && classes[""] == 0 || len(o.held) > 0 && !others && !s.writtenBeside(o) {
			continue // a lock may keep the other writers out, perhaps the caller's; readers take what they get
		}
		if rivals, strong, _ := s.shared.Rivals(s.body, o.Var); !strong && !(rivals && others) && !byAll {
			continue // callbacks that add atomically run at any time, as the lock here says of its own body
		}
		reported[o.Var] = true
		if line := s.pkg.Fset.Position(o.Pos()).Line; lines[line] {
			continue
		} else {
			lines[line] = true
		}
		at := o
		if a, _ := s.another(o.Var, s.body, func(a *occurrence) bool { return a.Kind == access.Atomic }); a != nil {
			at = a
		}
		c := s.direct("discipline", "mixed-atomic-plain", o.Access, o.Pos(), at.Pos())
		c.Roles = [2]string{"accessed without sync/atomic", "accessed with it"}
		if o.Mode == atomicity.Read {
			c.Alike = fmt.Sprint(c.Category, c.Name) // one plain reader tells about the others
		}
		c.Ends = []*access.Access{o.Access}
		f := finding{search: s, entry: o}
		c.Sure = !f.excused(c) && !f.holdsSemaphore(f.semaphores())
		c.Message = fmt.Sprintf("%s is accessed without sync/atomic here and with it elsewhere: the atomic operations do not protect it from this one", types.ExprString(o.Expr))
		s.found = append(s.found, c)
	}
	s.mixedByPointer()
}

// writtenBeside says whether a function that outsiders can call writes the variable by
// sync/atomic with no lock held: those that are held at o do not keep it out.
func (s *search) writtenBeside(o *occurrence) bool {
	if len(locksOf(o.held)) != len(o.held) {
		return false
	}
	w, _ := s.another(o.Var, s.body, func(a *occurrence) bool {
		b := s.pkg.ByNode[a.Func.Node]
		return a.Kind == access.Atomic && a.Mode == atomicity.Write && len(a.held) == 0 && adds(a.Access) && b != nil &&
			(s.shared.Entered(b) || s.shared.Launched(b)) && !s.shared.Constructing(b) && !s.shared.SetsGoing(b)
	})
	return w != nil
}

// onlyAdded says whether all that write the variable add to it by sync/atomic with no lock held, once the
// object is made: the lock that somebody holds who reads it plainly is then for something else.
func (s *search) onlyAdded(v access.Var) bool {
	added := false
	for _, b := range s.pkg.Bodies {
		for _, w := range s.states[b].order {
			if w.Var != v || w.Mode != atomicity.Write || w.via != nil || s.shared.Constructing(b) {
				continue
			}
			if w.Kind != access.Atomic || !adds(w.Access) || len(w.held) > 0 {
				return false
			}
			added = true
		}
	}
	return added
}

// shows says whether the body is a function or method for outside callers, who come
// at any time, and o a variable of its receiver or of the package.
func (s *search) shows(o *occurrence) bool {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || s.pkg.Types.Name() == "main" {
		return false
	}
	return accesses.IsGlobal(o.Var.Obj) || fn.Signature().Recv() != nil && o.place.Root == types.Object(fn.Signature().Recv())
}

// takes says whether o sets the variable back to zero after the body has read what it
// counted so far, both plainly: n := c.n; c.n = 0.
func (s *search) takes(o *occurrence) bool {
	values := stored(o.Access)
	if o.Mode != atomicity.Write || len(values) != 1 || !s.zero(values[0]) || s.pkg.Info.Types[values[0]].IsNil() {
		return false
	}
	counted := slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		return b.Outermost() != s.body.Outermost() && slices.ContainsFunc(s.states[b].order, func(a *occurrence) bool {
			return a.Var == o.Var && a.Kind == access.Atomic && adds(a.Access)
		})
	})
	return counted && slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Kind == access.Cell && r.Mode == atomicity.Read && r.via == nil && r.sameInstance(o) && s.leadsTo(r, o)
	})
}

// unshared are the names of methods that prepare an object for its first or next
// use, or show it to people.
var unshared = pattern.New(`^(?i:reset|init|clear|recycle|string|gostring|dump)$`)

// meetsItself says whether the body uses sync/atomic on the very instance too.
func (s *search) meetsItself(o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(a *occurrence) bool { return a.Kind == access.Atomic && a.sameInstance(o) })
}

// storesItself says whether the body sets the very instance by an atomic store:
// a single writer may read plainly what it alone has written. One that adds to it is not the only one.
func (s *search) storesItself(o *occurrence) bool {
	if slices.ContainsFunc(s.order, func(a *occurrence) bool {
		return a.Kind == access.Atomic && a.via == nil && adds(a.Access) && a.sameInstance(o) && s.leadsTo(a, o)
	}) {
		return false
	}
	return slices.ContainsFunc(s.order, func(a *occurrence) bool {
		return a.Kind == access.Atomic && a.via == nil && strings.HasPrefix(a.Method, "Store") && a.sameInstance(o)
	})
}

// mixedByPointer finds plain updates through a pointer parameter, *p += n, for
// which some caller passes the address of a variable that is accessed by
// sync/atomic.
func (s *search) mixedByPointer() {
	fn := s.body.Func
	if fn == nil {
		return
	}
	given := s.pointees()
	reported := map[types.Object]bool{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var l ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				l = n.Lhs[0]
			}
		case *ast.IncDecStmt:
			l = n.X
		}
		star, ok := ast.Unparen(l).(*ast.StarExpr)
		if !ok {
			return true
		}
		id, ok := ast.Unparen(star.X).(*ast.Ident)
		if !ok {
			return true
		}
		p := s.pkg.Info.ObjectOf(id)
		if reported[p] {
			return true
		}
		for _, v := range given[p] {
			if _, ok := s.atomics()[v]; !ok {
				continue
			}
			reported[p] = true
			c := s.direct("discipline", "mixed-atomic-plain", &access.Access{Var: v}, star.Pos(), star.Pos())
			c.Sure = true
			c.Message = fmt.Sprintf("%s is updated without sync/atomic here; it can be %s, which is accessed with it elsewhere, and an update is lost", types.ExprString(star), s.pkg.Name(v))
			s.found = append(s.found, c)
			break
		}
		return true
	})
}

// pointees are the fields and package-level variables whose addresses the
// package passes for each parameter, directly or through parameters of callers.
func (s *search) pointees() map[types.Object][]access.Var {
	if s.passed != nil {
		return s.passed
	}
	s.passed = map[types.Object][]access.Var{}
	type edge struct{ from, to types.Object }
	var edges []edge
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := s.locks.Callee(call)
			if s.pkg.ByFunc[fn] == nil {
				return true
			}
			params := fn.Signature().Params()
			for i, a := range call.Args {
				if i >= params.Len() {
					break
				}
				switch a := ast.Unparen(a).(type) {
				case *ast.UnaryExpr:
					if v := s.variable(a.X); a.Op == token.AND && v != nil {
						s.passed[params.At(i)] = append(s.passed[params.At(i)], access.Var{Obj: v})
					}
				case *ast.Ident:
					if _, isPointer := params.At(i).Type().Underlying().(*types.Pointer); isPointer {
						edges = append(edges, edge{s.pkg.Info.ObjectOf(a), params.At(i)})
					}
				}
			}
			return true
		})
		ast.Inspect(file, func(n ast.Node) bool { // p := &x.f
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
				for i, r := range a.Rhs {
					u, isAddr := ast.Unparen(r).(*ast.UnaryExpr)
					id, isID := a.Lhs[i].(*ast.Ident)
					if isAddr && isID && u.Op == token.AND {
						if v, obj := s.variable(u.X), s.pkg.Info.ObjectOf(id); v != nil && obj != nil {
							s.passed[obj] = append(s.passed[obj], access.Var{Obj: v})
						}
					}
				}
			}
			return true
		})
	}
	for range 5 { // levels of calls
		for _, e := range edges {
			for _, v := range s.passed[e.from] {
				if !slices.Contains(s.passed[e.to], v) {
					s.passed[e.to] = append(s.passed[e.to], v)
				}
			}
		}
	}
	return s.passed
}

// variable is the field or package-level variable that e is, or nil.
func (s *search) variable(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		v, _ := s.pkg.Info.ObjectOf(e.Sel).(*types.Var)
		if v != nil && v.Pkg() == s.pkg.Types {
			return v.Origin()
		}
	case *ast.Ident:
		v, _ := s.pkg.Info.ObjectOf(e).(*types.Var)
		if v != nil && isPackageLevel(v) {
			return v
		}
		if sel, ok := s.pkg.Target(e).(*ast.SelectorExpr); ok {
			return s.variable(sel)
		}
	}
	return nil
}
