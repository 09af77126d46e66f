package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// calledWithout finds calls, with nothing held, of a method that takes no lock itself and changes what is
// guarded elsewhere, where all its other callers hold that lock of the object:
//
//	func (c *cache) Put(k key)   { c.mu.Lock(); defer c.mu.Unlock(); c.touch(k) }
//	func (c *cache) Get(k key)   { c.mu.Lock(); defer c.mu.Unlock(); c.touch(k); … }
//	func (c *cache) Open(k key)  { return &file{onRead: func() { c.touch(k) }} }
//
// It is the caller's lock, as with a name that ends in Locked.
func (s *search) calledWithout() {
	if s.shared.Sequential(s.body) || s.shared.Constructing(s.body) || s.body.Func != nil && s.shared.SetsGoing(s.body) {
		return
	}
	all := s.lockedCalls()
	for _, here := range s.bareCalls() {
		fn := s.locks.Callee(here)
		class, keeper := s.callersLock(fn, here, all[fn])
		if class == "" {
			continue
		}
		w := s.changesGuarded(s.pkg.ByFunc[fn], class)
		if w == nil || s.saidHere(w) {
			continue
		}
		callers := map[*accesses.Body]bool{}
		for _, c := range all[fn] {
			callers[c.body] = c.call != here
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, callers); !strong && !s.besideSibling(all[fn]) {
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, here.Pos(), keeper.call.Pos())
		c.Via = here
		c.Within = w.where()
		c.Roles = [2]string{"changed without the lock", "changed with it"}
		c.Message = fmt.Sprintf("%s, which changes %s, is called here without the lock that all its other callers hold: %s in %s",
			types.ExprString(here.Fun), s.pkg.Name(w.Var), locksOf(keeper.held)[0], keeper.body.Fn.Name)
		s.tell(c, w, w.Access)
		return
	}
}

// bareCalls lists the calls that the body makes of methods which are not exported, on an object that
// several goroutines have, with nothing held and before it waits for anything.
func (s *search) bareCalls() (list []*ast.CallExpr) {
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || len(held) > 0 {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || fn.Exported() || fn.Signature().Recv() == nil || saysLocked(fn) || s.pkg.ByFunc[fn] == nil {
			return
		}
		v, ok := s.receiverOf(call).Root.(*types.Var)
		if !ok || s.shared.Object(s.body, v) < shared.Meant || s.waitedBefore(&occurrence{Access: &access.Access{Expr: call}, block: block, index: index}) {
			return
		}
		list = append(list, call)
	})
	return list
}

// callersLock is the class of the lock of the object that all callers of the method hold but the one here,
// and one of them; there are two other functions at least that call it.
func (s *search) callersLock(fn *types.Func, here *ast.CallExpr, calls []lockedCall) (class string, keeper *lockedCall) {
	from := map[*accesses.Body]bool{}
	common := map[string]bool{}
	for i, c := range calls {
		if c.call == here {
			continue
		}
		on := accesses.Place{}
		s.inState(c.body, func() { on = s.receiverOf(c.call) })
		classes := map[string]bool{}
		for _, l := range locksOf(c.held) {
			if c.held[l] == locks.Exclusive && l.Root == on.Root && l.Object() == on.Whole() {
				classes[locks.ClassOf(l)] = true
			}
		}
		if keeper == nil {
			keeper, common = &calls[i], classes
		}
		maps.DeleteFunc(common, func(l string, _ bool) bool { return !classes[l] })
		if len(common) == 0 {
			return "", nil
		}
		if c.body.Outermost() != s.body.Outermost() {
			from[c.body.Outermost()] = true
		}
	}
	if len(from) < 2 {
		return "", nil
	}
	return slices.Sorted(maps.Keys(common))[0], keeper
}

// changesGuarded is a write of the method, which takes and releases no lock itself, to a field of its object that is
// accessed under one in all other functions, of which there is one at least; or nil.
func (s *search) changesGuarded(b *accesses.Body, class string) *occurrence {
	for _, events := range b.Events {
		for _, ev := range events {
			if len(s.locks.Ops(ev)) > 0 {
				return nil
			}
		}
	}
	recv := types.Object(b.Func.Signature().Recv())
	for _, w := range s.states[b].order {
		if w.via != nil || w.Mode != atomicity.Write || w.Kind == access.Atomic || w.Kind == access.SyncMap || w.place.Root != recv || !w.Var.Obj.IsField() {
			continue
		}
		guarded := false
		free := slices.ContainsFunc(s.ownAccesses(w.Var), func(k placed) bool {
			if k.body == b || s.privateIn(k) {
				return false
			}
			guarded = guarded || k.lockOf(class).Valid()
			return !k.lockOf(class).Valid()
		})
		if guarded && !free {
			return w
		}
	}
	return nil
}

// besideSibling says whether the body is a literal, and another one of the same function makes the call with the
// lock that it takes for it: both are called by whoever has got them.
func (s *search) besideSibling(calls []lockedCall) bool {
	if s.body.Func != nil {
		return false
	}
	return slices.ContainsFunc(calls, func(c lockedCall) bool {
		return c.body != s.body && c.body.Func == nil && c.body.Parent == s.body.Parent && c.held.Any()
	})
}
