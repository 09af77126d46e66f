package section

import (
	"go/ast"
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

const heldByOwner = "who owns the object calls it with a lock held"

// underOwners says whether the candidate lies in a method that the package calls by a field of an
// interface's type alone, always with a lock held of the object that has the field, and whatever
// else writes the variables is called with that lock, too:
//
//	type Replica struct { mu sync.Mutex; log Log } // *fileLog or *memLog
//	func (r *Replica) Last() uint64 { r.mu.Lock(); defer r.mu.Unlock(); return r.log.Last() }
//	func (r *Replica) Reset()       { r.mu.Lock(); defer r.mu.Unlock(); r.log.Reset() }
//
// The locks of a fileLog are for what it starts itself.
func (s *search) underOwners(c *Candidate) bool {
	around := s.around(c.Pos)
	if c.Entry == nil || c.Via != nil || c.EndVia != nil || len(around) != 1 || around[0].Func == nil {
		return false
	}
	mine := s.ownersHold(around[0].Func, 0)
	if len(mine) == 0 {
		return false
	}
	if c.Category == "double-close" {
		closers := s.closersOf(c.Variable)
		return len(closers) == 1 && closers[around[0]].call != nil && s.droppedByOwners(around[0].Func)
	}
	vars := map[access.Var]bool{c.Variable: true}
	for _, end := range c.Ends {
		vars[end.Var] = true
	}
	writers := 0
	for _, b := range s.pkg.Bodies {
		writes := false
		for _, o := range s.states[b].order {
			writes = writes || o.Mode == atomicity.Write && o.via == nil && vars[o.Var]
		}
		if !writes || s.shared.Constructing(b) {
			continue
		}
		writers++
		if b.Func == nil {
			return false
		}
		excluded := false
		for class, m := range s.ownersHold(b.Func, 0) {
			excluded = excluded || m > locks.Possible && mine[class] > locks.Possible && (m == locks.Exclusive || mine[class] == locks.Exclusive)
		}
		if !excluded {
			return false
		}
	}
	return writers > 0
}

// ownersHold are the classes of the locks of the owner that are held whenever the package calls
// the method, by interfaces or from another method of the object; none if somebody calls it
// otherwise, or nobody does.
func (s *search) ownersHold(fn *types.Func, depth int) map[string]locks.Mode {
	if fn.Signature().Recv() == nil || depth > 2 {
		return nil
	}
	var all map[string]locks.Mode
	calls := 0
	s.eachCallTo(fn, func(b *accesses.Body, ev accesses.Event, held locks.Set) {
		var here map[string]locks.Mode
		call := callOf(ev.Node)
		if s.locks.Callee(call) == fn && b.Func != nil && s.receiverOf(call) == (accesses.Place{Root: b.Func.Signature().Recv()}) {
			here = s.ownersHold(b.Func, depth+1)
		} else if ev.Kind == accesses.OnCall && s.locks.Callee(call) != fn {
			here = ofOwner(held, s.calledBy(call))
		}
		if calls++; calls == 1 {
			all = here
			return
		}
		maps.DeleteFunc(all, func(class string, _ locks.Mode) bool { return here[class] == locks.Possible })
		for class := range all {
			all[class] = min(all[class], here[class])
		}
	})
	if s.asValue(fn) {
		return nil
	}
	return all
}

// eachCallTo visits the calls in the package that reach the method, directly or by an interface.
func (s *search) eachCallTo(fn *types.Func, visit func(b *accesses.Body, ev accesses.Event, held locks.Set)) {
	for _, b := range s.pkg.Bodies {
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			if call := callOf(ev.Node); call != nil && (ev.Kind == accesses.OnCall || ev.Kind == accesses.OnGo || ev.Kind == accesses.OnDefer) {
				if s.locks.Callee(call) == fn || reachedBy(fn, typeutil.Callee(s.pkg.Info, call)) {
					visit(b, ev, held)
				}
			}
		})
	}
}

// reachedBy says whether a call of the method of an interface can be one of fn.
func reachedBy(fn *types.Func, called types.Object) bool {
	method, ok := called.(*types.Func)
	if !ok || method == fn || method.Name() != fn.Name() || method.Signature().Recv() == nil {
		return false
	}
	of, ok := method.Signature().Recv().Type().Underlying().(*types.Interface)
	return ok && types.Implements(fn.Signature().Recv().Type(), of)
}

// asValue says whether the method is used otherwise than to call it, so that it may run anywhere.
func (s *search) asValue(fn *types.Func) bool {
	for id, obj := range s.pkg.Info.Uses {
		if (obj == types.Object(fn) || reachedBy(fn, obj)) && !s.locks.InCallPosition(id) {
			return true
		}
	}
	return false
}

// callOf is the call that the node of an event is, starts or defers, or nil.
func callOf(n ast.Node) *ast.CallExpr {
	switch n := n.(type) {
	case *ast.CallExpr:
		return n
	case *ast.GoStmt:
		return n.Call
	case *ast.DeferStmt:
		return n.Call
	}
	return nil
}

// calledBy is the place of what the method is called of.
func (s *search) calledBy(call *ast.CallExpr) accesses.Place {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return s.pkg.PlaceOf(sel.X)
	}
	return accesses.Place{}
}

// ofOwner are the classes of the locks held that are part of the object in which the field lies.
func ofOwner(held locks.Set, field accesses.Place) map[string]locks.Mode {
	list := map[string]locks.Mode{}
	if strings.Count(field.Path, ".") != 1 {
		return list
	}
	for l, m := range held {
		if m > locks.Possible && l.Root == field.Root && l.Object() == field.Object() {
			list[locks.ClassOf(l)] = m
		}
	}
	return list
}

// droppedByOwners says whether whoever calls the method sets the field that it calls it by to nil
// afterwards, in the hold of the lock: nobody calls it again.
func (s *search) droppedByOwners(fn *types.Func) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	all := true
	s.eachCallTo(fn, func(b *accesses.Body, ev accesses.Event, held locks.Set) {
		s.bodyState = s.states[b]
		call := callOf(ev.Node)
		field, dropped := s.calledBy(call), false
		for _, o := range s.order {
			values := stored(o.Access)
			if o.Mode == atomicity.Write && o.via == nil && o.place == field && len(values) == 1 && s.pkg.Info.Types[values[0]].IsNil() && s.pkg.Order(o.Pos()) > s.pkg.Order(call.Pos()) {
				for l, m := range ofOwner(held, field) {
					dropped = dropped || m == locks.Exclusive && o.held[o.lockOf(l)] == locks.Exclusive
				}
			}
		}
		all = all && dropped && nilTested(b.Block, call, s.pkg, field)
	})
	return all
}

// nilTested says whether the call lies in a branch of if x.f != nil.
func nilTested(block *ast.BlockStmt, call *ast.CallExpr, pkg *accesses.Package, field accesses.Place) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		test, ok := n.(*ast.IfStmt)
		if !ok || call.Pos() < test.Body.Pos() || test.Body.End() <= call.Pos() {
			return !found
		}
		if b, ok := ast.Unparen(test.Cond).(*ast.BinaryExpr); ok && pkg.Info.Types[b.Y].IsNil() && pkg.PlaceOf(b.X) == field {
			found = true
		}
		return !found
	})
	return found
}
