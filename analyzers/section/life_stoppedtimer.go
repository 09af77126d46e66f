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

// stoppedTimers finds timers whose function takes a lock and deletes the entry of a key,
// whatever entry that is, where another critical section stops the timer of the entry,
// does not ask whether it had fired, and puts a new entry there:
//
//	time.AfterFunc(d, func() { s.mu.Lock(); delete(s.m, k); s.mu.Unlock() })
//	s.mu.Lock(); old.timer.Stop(); s.m[k] = s.newEntry(k); s.mu.Unlock()
//
// The timer's function can wait for the lock already, and deletes the new entry.
func (s *search) stoppedTimers() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		stmt, ok := n.(*ast.ExprStmt)
		if !ok {
			return true
		}
		call, ok := stmt.X.(*ast.CallExpr)
		if !ok || !stopsTimer(s.locks.Callee(call)) {
			return true
		}
		for _, put := range s.order {
			if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.Method == "delete" || put.Update != nil || put.later || put.depth > 1 || s.before(put, stmt) || s.reachOf(put) < shared.Implied {
				continue
			}
			look := s.timerFrom(call, put)
			if look == nil || !s.oneHold(look, put) || !look.sameInstance(put) && look.key != put.key {
				continue
			}
			if slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Pos == put.Pos() }) {
				continue
			}
			if del, in := s.deletedByTimer(put); del != nil {
				c := s.direct("testuse", "unlock-relock", put.source(), stmt.Pos(), put.Pos())
				c.Roles = [2]string{"stopped", "put anew"}
				if put.via != nil {
					c.EndVia, c.EndWithin = put.via, put.where()
				}
				c.Message = fmt.Sprintf("the timer can have fired before it is stopped here, and its function in %s wait for the lock: it then deletes from %s what is put there now", in.Fn.Name, s.pkg.Name(put.Var))
				s.tell(c, put, del.Access)
				return false
			}
		}
		return true
	})
}

// stopsTimer says whether the function is (*time.Timer).Stop.
func stopsTimer(fn *types.Func) bool {
	if fn == nil || fn.Name() != "Stop" || fn.Pkg() == nil || fn.Pkg().Path() != "time" || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	return tn != nil && tn.Name() == "Timer"
}

// timerFrom is the read of an entry of the map of put by which the function has the timer
// that the call stops.
func (s *search) timerFrom(call *ast.CallExpr, put *occurrence) *occurrence {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	pl := s.pkg.PlaceOf(sel.X)
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.Var != put.Var || look.via != nil || s.pkg.Order(look.Pos()) > s.pkg.Order(call.End()) || look.held[s.writeLock(look)] != locks.Exclusive {
			continue
		}
		if sel.X.Pos() <= look.Pos() && look.End() <= sel.X.End() {
			return look
		}
		for _, d := range s.values.assigns[pl.Root] {
			if ast.Unparen(d.value) == look.Expr {
				return look
			}
		}
	}
	return nil
}

// writeLock is a lock that is held for writing at o, if there is one.
func (s *search) writeLock(o *occurrence) accesses.Place {
	for _, l := range locksOf(o.held) {
		if o.held[l] == locks.Exclusive {
			return l
		}
	}
	return accesses.Place{}
}

// deletedByTimer is where the function of a timer deletes an entry of the map under a lock
// of put, by a key from outside, and does not look which entry it is.
func (s *search) deletedByTimer(put *occurrence) (*occurrence, *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || len(call.Args) != 2 {
					continue
				}
				if fn := s.locks.Callee(call); fn == nil || fn.Name() != "AfterFunc" || fn.Pkg() == nil || fn.Pkg().Path() != "time" {
					continue
				}
				lit := s.pkg.ByNode[ast.Unparen(call.Args[1])]
				if lit == nil {
					continue
				}
				if del := s.deletesWhatever(lit, put); del != nil {
					return del, b.Outermost()
				}
			}
		}
	}
	return nil, nil
}

// deletesWhatever is the deletion in the literal, or in what it calls, if that does not
// look into the map.
func (s *search) deletesWhatever(lit *accesses.Body, put *occurrence) *occurrence {
	st := s.stateOf(lit)
	at := slices.IndexFunc(st.order, func(o *occurrence) bool {
		return o.Var == put.Var && o.source().Method == "delete" && o.depth <= 1
	})
	if at < 0 {
		return nil
	}
	del := st.order[at]
	if slices.ContainsFunc(st.order, func(o *occurrence) bool { return o.Var == put.Var && o.Mode == atomicity.Read }) {
		return nil
	}
	for _, l := range locksOf(put.held) {
		if put.held[l] == locks.Exclusive && del.held[del.lockOf(locks.ClassOf(l))] == locks.Exclusive {
			return del
		}
	}
	return nil
}
