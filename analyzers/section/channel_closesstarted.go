package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// closesStarted lists the calls of close with which goroutines begin, or which they come to in any case, that
// the body starts, as if they were made where it starts them:
//
//	select {
//	case <-s.closing:
//		return alreadyStopped
//	default:
//	}
//	go func() { close(s.closing); s.wg.Wait(); done <- s.conn.Close() }()
//
// Whoever looks before the goroutine has come to it finds the channel open, whatever lock is held for the look.
func (s *search) closesStarted() (list []closeCall) {
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		start, ok := ev.Node.(*ast.GoStmt)
		if !ok || ev.Kind != accesses.OnGo {
			return
		}
		lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
		b := s.pkg.ByNode[lit]
		if !ok || s.states[b] == nil || held.Any() && s.waitsAfter(s.body, start) {
			return
		}
		for _, st := range lit.Body.List {
			n := ast.Node(st)
			if st, ok := st.(*ast.ExprStmt); ok {
				n = ast.Unparen(st.X)
			}
			call := callOf(n)
			if _, starts := n.(*ast.GoStmt); call == nil || starts {
				return // what follows may not come
			}
			ch := s.closeOf(call)
			if ch == nil {
				continue
			}
			s.inState(b, func() {
				if o := s.occurrenceOf(ch); o != nil && o.place.Valid() && s.reachOf(o) != shared.Private && !s.recoversItself() {
					list = append(list, closeCall{call, o, held, block})
				}
			})
		}
	})
	return list
}
