package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// writtenLate finds functions that take a picture of a variable under a lock and write it to a file after its
// release:
//
//	t.mu.RLock()
//	text, err := json.Marshal(t.installed)
//	t.mu.RUnlock()
//	…
//	return os.WriteFile(path, text, 0o644)
//
// Of two goroutines the one with the older picture can be the last to write, and what the other one has stored is
// lost when the file is read again. It is right where another lock is held for the writing, by the function or by those
// that call it, or where one goroutine alone does it.
func (s *search) writtenLate() {
	fn := s.body.Func
	if fn == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.SetsGoing(s.body) || endings.MatchString(fn.Name()) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	var call *ast.CallExpr
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		c, ok := ev.Node.(*ast.CallExpr)
		if ok && ev.Kind == accesses.OnCall && call == nil && !held.Any() && len(c.Args) >= 2 && calledName(c) == "WriteFile" && s.pkg.ByFunc[s.locks.Callee(c)] == nil {
			call = c
		}
	})
	if call == nil || s.calledLocked(fn, 0) {
		return
	}
	for a := range s.values.of(call.Args[1]) {
		o := s.occ[a]
		if o == nil || o.Mode != atomicity.Read || !o.Var.Obj.IsField() || !s.ownLockOf(o, o.held) {
			continue
		}
		if _, itself, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{s.body: true}); !itself || !s.changedByOther(o) {
			continue
		}
		c := s.direct("multivar", "multi-variable", o.source(), o.Pos(), call.Pos())
		c.Via = o.via
		c.EndName = "the file"
		c.Roles = [2]string{"looked at", "written"}
		c.Message = fmt.Sprintf("what %s is at this time is written to a file after the release of the lock: another goroutine can write a newer state first, which is lost then", o.place)
		s.tell(c, o, o.source())
		return
	}
}

// changedByOther says whether another function, which is no constructor, changes what o reads, or something in it, under a lock.
func (s *search) changedByOther(o *occurrence) bool {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body || s.shared.Constructing(b) || s.shared.SetsGoing(b) {
			continue
		}
		for _, w := range s.states[b].order {
			if w.Mode == atomicity.Write && w.Var.Obj == o.Var.Obj && w.via == nil && w.held.Any() {
				return true
			}
		}
	}
	return false
}

// calledLocked says whether some function of the package calls this one with a lock held, or from within a sync.Once.
func (s *search) calledLocked(fn *types.Func, depth int) bool {
	if depth > 2 {
		return false
	}
	for _, b := range s.callersOf(fn) {
		locked := false
		s.inState(b, func() {
			s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
				if call, ok := ev.Node.(*ast.CallExpr); ok && s.locks.Callee(call) == fn {
					locked = locked || len(held) > 0
				}
			})
		})
		if locked || b.Func != nil && b.Func != fn && s.calledLocked(b.Func, depth+1) {
			return true
		}
	}
	return false
}
