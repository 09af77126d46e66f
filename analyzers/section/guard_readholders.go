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

// readHolders finds writes in a function that some of its callers call with the lock of the
// object held for writing, and others, perhaps by several calls, with it held for reading
// only: two of these write at the same time.
func (s *search) readHolders() {
	fn := s.body.Func
	if fn == nil || fn.Exported() || s.shared.SetsGoing(s.body) || s.shared.Constructing(s.body) {
		return
	}
	reported := map[string]bool{} // by lock: a second write beside the first says nothing new
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.via != nil || w.inner || w.heaped() || w.held.Any() || !w.place.Valid() || s.reachOf(w) < shared.Meant ||
			w.Kind != access.Cell && w.Kind != access.MapElement && w.Kind != access.MapWhole {
			continue
		}
		for _, l := range w.held.Places() {
			if w.held[l] != locks.Possible || reported[locks.ClassOf(l)] || l.Root == nil || l.Root != w.place.Root && !(accesses.IsGlobal(l.Root) && accesses.IsGlobal(w.place.Root)) || s.handles(s.body, l) {
				continue
			}
			by := s.calledReading(s.body, l, w.Var, map[*accesses.Body]bool{})
			if by == nil || !by.writes && s.writersLock(w) != locks.ClassOf(l) {
				continue
			}
			reported[locks.ClassOf(l)] = true
			c := s.direct("discipline", "write-under-rlock", w.Access, w.Pos(), by.call.Pos())
			c.Roles = [2]string{"written", "reached with the lock held for reading"}
			c.Alike = fmt.Sprint(c.Category, c.Name, locks.ClassOf(l))
			c.Message = fmt.Sprintf("%s is written here with %s held for reading only, which others can do at the same time, where %s calls %s",
				types.ExprString(w.Expr), l, by.in.At(by.call.Pos()).Name, types.ExprString(by.call.Fun))
			s.tell(c, w, w.Access)
			break
		}
	}
}

// readHold is a call by which control comes to a function with a lock held for reading only.
type readHold struct {
	call   *ast.CallExpr
	in     *accesses.Body
	writes bool // another one comes with the lock held for writing
}

// calledReading is a call that leads to b with its lock l held for reading, and nothing that
// is held for writing. One that knows of the variable v by a look, or that says by a
// constant what is to be done, may not lead to the write.
func (s *search) calledReading(b *accesses.Body, l accesses.Place, v access.Var, seen map[*accesses.Body]bool) *readHold {
	if seen[b] || b.Func == nil {
		return nil
	}
	seen[b] = true
	var found *readHold
	writes := false
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, in := range s.callersOf(b.Func) {
		if s.shared.Constructing(in) || s.states[in] == nil {
			continue
		}
		s.bodyState = s.states[in]
		s.locks.Walk(in, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != b.Func {
				return
			}
			for _, at := range held.Places() {
				m := held[at]
				if at.Root == nil || s.locks.ToCallee(call, b.Func, at) != l {
					continue
				}
				writes = writes || m == locks.Exclusive
				if found != nil || held.Excludes() || s.saysWhat(call) || s.hasLooked(v, block) {
					continue
				}
				switch {
				case m == locks.Shared && !s.takesEither(in, at):
					found = &readHold{call: call, in: in}
				case m == locks.Possible && !s.handles(in, at):
					if found = s.calledReading(in, at, v, seen); found != nil {
						writes = writes || found.writes
					}
				}
			}
		})
	}
	if found != nil {
		found.writes = writes
	}
	return found
}

// handles says whether the body itself takes or releases the lock.
func (s *search) handles(b *accesses.Body, l accesses.Place) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if slices.ContainsFunc(s.locks.Ops(ev), func(op locks.Op) bool { return op.Lock == l }) {
				return true
			}
		}
	}
	return false
}

// takesEither says whether the function around the body takes the lock for writing on one of
// its branches and for reading on another: which, depends on what it is about to do, and what
// writes has the one for writing.
func (s *search) takesEither(b *accesses.Body, l accesses.Place) bool {
	writes, reads := false, false
	for _, part := range s.pkg.Bodies {
		if part.Outermost() != b.Outermost() {
			continue
		}
		for _, events := range part.Events {
			for _, ev := range events {
				for _, op := range s.locks.Ops(ev) {
					if op.Kind == locks.Acquire && op.Lock == l {
						writes, reads = writes || op.Mode == locks.Exclusive, reads || op.Mode == locks.Shared
					}
				}
			}
		}
	}
	return writes && reads
}

// saysWhat says whether an argument of the call is true, false or nil.
func (s *search) saysWhat(call *ast.CallExpr) bool {
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		tv := s.pkg.Info.Types[a]
		return tv.IsNil() || tv.Value != nil && isBoolean(tv.Type)
	})
}

// hasLooked says whether a read of the variable decides whether control comes to the block.
func (s *search) hasLooked(v access.Var, block int) bool {
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Var.Obj == v.Obj && r.Mode == atomicity.Read && s.decided(s.testsOf(r.Access, false), block)
	})
}

// readersUnder are the other functions that read the variable with a lock of the class held for reading.
func (s *search) readersUnder(o *occurrence, class string) map[*accesses.Body]bool {
	readers := map[*accesses.Body]bool{}
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		if slices.ContainsFunc(s.states[b].order, func(r *occurrence) bool {
			return r.Var == o.Var && r.via == nil && r.heldAs(class) == locks.Shared
		}) {
			readers[b] = true
		}
	}
	return readers
}

// readsGuard says whether a lock is held for reading at the write o with which another function comes to the
// variable, and those that are held for writing as well are none of that one's.
func (s *search) readsGuard(o *occurrence) bool {
	guards, others := map[string]bool{}, map[string]bool{}
	for l, m := range o.held {
		switch {
		case m == locks.Shared:
			guards[locks.ClassOf(l)] = true
		case m == locks.Exclusive && l != locks.Caller && l != locks.Once && l.Root != nil:
			others[locks.ClassOf(l)] = true
		default:
			return false
		}
	}
	if len(others) == 0 {
		return false
	}
	for class := range guards {
		holds := func(k *occurrence) bool {
			return k.lockOf(class).Valid() && !slices.ContainsFunc(k.held.Places(), func(l accesses.Place) bool { return others[locks.ClassOf(l)] })
		}
		if with, _ := s.another(o.Var, s.body, holds); with != nil {
			return true
		}
	}
	return false
}
