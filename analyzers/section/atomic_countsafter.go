package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// countsAfter says whether o is a plain look at a counter that decides about setting it plainly,
// here or in what is called, before the body adds to it by sync/atomic:
//
//	if c.next == 0 { c.next = c.load() }
//	n := atomic.AddUint64(&c.next, 1)
//
// Who stores second takes back what the first has added already.
func (s *search) countsAfter(o *occurrence) bool {
	if o.Mode != atomicity.Read {
		return false
	}
	tests := s.testsOf(o.Access, true)
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Kind == access.Cell && len(w.held) == 0 && w.sameInstance(o) && s.decided(tests, w.block) &&
			slices.ContainsFunc(s.order, func(a *occurrence) bool {
				return a.Kind == access.Atomic && a.via == nil && adds(a.Access) && a.sameInstance(o) && s.leadsTo(w, a) && !s.decided(tests, a.block)
			})
	})
}

// readsCount says whether o reads plainly what the body has just counted by sync/atomic, without the result
// of that, with no lock held:
//
//	atomic.AddUint64(&lastID, 1)
//	return fmt.Sprint("session", lastID)
//
// Two that count at once both read the second number.
func (s *search) readsCount(o *occurrence) bool {
	if o.Mode != atomicity.Read || len(o.held) > 0 || s.waitedBefore(o) {
		return false
	}
	return slices.ContainsFunc(s.order, func(a *occurrence) bool {
		if a.Kind != access.Atomic || a.via != nil || !adds(a.Access) || !a.sameInstance(o) || !s.leadsTo(a, o) || s.leadsTo(o, a) {
			return false
		}
		_, alone := a.Stmt.(*ast.ExprStmt)
		return alone
	})
}
