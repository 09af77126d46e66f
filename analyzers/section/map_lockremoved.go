package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockRemoved finds mutexes of keys that are taken out of their map by who unlocks them, whoever waits:
//
//	func (k *keys) Lock(key string) {
//		k.mu.Lock(); l := k.locks[key]; if l == nil { l = new(sync.Mutex); k.locks[key] = l }; k.mu.Unlock()
//		l.Lock()
//	}
//	func (k *keys) Unlock(key string) { k.mu.Lock(); l := k.locks[key]; delete(k.locks, key); k.mu.Unlock(); l.Unlock() }
//
// One who waits goes on with the mutex that is gone, and the next one makes another: both have the lock of one key.
// Those that are counted are deleted by the last one; who looks again after the Lock sees that it is gone.
func (s *search) lockRemoved() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, del := range s.order {
		if !removesEntry(del.Access) || del.via != nil || !mayHoldMutex(del.Var.Obj.Type(), del.Access) || !s.presenceDecides(del) {
			continue
		}
		lock, in := s.lockedByKey(del)
		if lock == nil {
			continue
		}
		c := s.direct("testuse", "use-after-unlock", del.Access, del.Pos(), lock.Pos())
		if del.Kind == access.SyncMap {
			c.Category = "sync-map"
		}
		c.Roles = [2]string{"removed", "locked"}
		c.Message = fmt.Sprintf("the mutex is taken out of %s here while others wait for it, as %s does: who comes next makes another one for the same key, and both go on at the same time; count those that have it, and let the last one delete it",
			s.pkg.Name(del.Var), in.Fn.Name)
		s.tell(c, del, del.Access)
		return
	}
}

// mayHoldMutex says whether the entries of the map, of the type, are mutexes, or may be, as those of a sync.Map.
func mayHoldMutex(t types.Type, del *access.Access) bool {
	return del.Kind == access.SyncMap || isMutex(elementOf(t)) || isMutex(elementOf(elementOf(t)))
}

// presenceDecides says whether nothing but the look whether the key is there decides about the deletion.
func (s *search) presenceDecides(del *occurrence) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, del.block); !decides || test == del.block {
			continue
		}
		for _, cond := range conds {
			e := ast.Unparen(cond)
			if not, ok := e.(*ast.UnaryExpr); ok && not.Op == token.NOT {
				e = ast.Unparen(not.X)
			}
			if b, ok := e.(*ast.BinaryExpr); ok && s.pkg.Info.Types[b.Y].IsNil() {
				e = ast.Unparen(b.X)
			}
			if _, isLocal := e.(*ast.Ident); !isLocal {
				return false
			}
			for a := range s.values.of(e) {
				if a.Var.Obj != del.Var.Obj {
					return false
				}
			}
		}
	}
	return true
}

// lockedByKey is where a function locks, or returns, a mutex that it has found in the map, with no lock held that is
// held at the deletion, and does not look into the map again.
func (s *search) lockedByKey(del *occurrence) (at ast.Node, in *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if at != nil {
			break
		}
		if s.shared.Constructing(b) || s.states[b] == nil {
			continue
		}
		s.inState(b, func() {
			s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
				var mutex ast.Expr
				switch n := ev.Node.(type) {
				case *ast.CallExpr:
					if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && ev.Kind == accesses.OnCall && sel.Sel.Name == "Lock" {
						mutex = sel.X
					}
				case *ast.ReturnStmt:
					if len(n.Results) > 0 && ev.Kind == accesses.OnReturn {
						mutex, held = n.Results[0], nil // which are released now
					}
				}
				if at == nil && mutex != nil && s.foundIn(mutex, del, held) {
					at, in = ev.Node, b
				}
			})
		})
	}
	return at, in
}

// foundIn says whether the mutex is one that a look into the map has found, which is the last one of the body.
func (s *search) foundIn(mutex ast.Expr, del *occurrence, held locks.Set) bool {
	t := s.pkg.Info.TypeOf(mutex)
	if t == nil || deref(t) == t || !isMutex(t) {
		return false
	}
	found := false
	for a := range s.values.of(mutex) {
		found = found || a.Var.Obj == del.Var.Obj && looksUp(a)
	}
	if !found {
		return false
	}
	for _, o := range s.order {
		if o.Var.Obj == del.Var.Obj && looksUp(o.Access) && o.Pos() > mutex.Pos() {
			return false
		}
	}
	for _, l := range locksOf(held) {
		if at := del.lockOf(locks.ClassOf(l)); at.Valid() {
			return false
		}
	}
	return true
}
