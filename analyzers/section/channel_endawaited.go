package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// endAwaited says whether all of the closers of the channel receive, before they close it, from another one that is
// closed by a defer statement when what the body runs in comes to its end, and with it those that it has started and
// waits for: no send of the body is left by then.
//
//	func (s *server) serve() { defer close(s.served); for … { wg.Go(s.handle) }; wg.Wait() }
//	func (s *server) End()   { s.stopped.Store(true); <-s.served; close(s.input) }
func (s *search) endAwaited(ch access.Var, closers map[*accesses.Body]bool) bool {
	for b := range closers {
		heard := s.heardBeforeClose(b, ch)
		if len(heard) == 0 || !s.endsTold(s.body, heard, 0) {
			return false
		}
	}
	return len(closers) > 0
}

// heardBeforeClose are the channels in fields from which the body receives before it closes ch.
func (s *search) heardBeforeClose(b *accesses.Body, ch access.Var) map[*types.Var]bool {
	closed := token.NoPos
	for _, events := range b.Events {
		for _, ev := range events {
			if x := s.closeOf(ev.Node); x != nil && ev.Kind == accesses.OnCall && s.variable(x) == ch.Obj {
				closed = ev.Pos()
			}
		}
	}
	heard := map[*types.Var]bool{}
	for _, events := range b.Events {
		for _, ev := range events {
			u, ok := ev.Node.(*ast.UnaryExpr)
			if !ok || ev.Kind != accesses.OnReceive || closed == token.NoPos || s.pkg.Order(ev.Pos()) > s.pkg.Order(closed) || s.inSelect(u) {
				continue
			}
			if v := s.variable(u.X); v != nil && v.IsField() && v != ch.Obj {
				heard[v] = true
			}
		}
	}
	return heard
}

// endsTold says whether the function that the body is of closes one of the channels by a defer statement, or whether
// all that call it do, or wait for those that they start.
func (s *search) endsTold(b *accesses.Body, heard map[*types.Var]bool, depth int) bool {
	out := b.Outermost()
	told, waits := false, false
	ast.Inspect(out.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			if x := s.closeOf(n.Call); x != nil {
				told = told || heard[s.variable(x)]
			}
		case *ast.CallExpr:
			waits = waits || s.ofWaitGroup(n, "Wait").Root != nil
		}
		return true
	})
	if told && (depth == 0 && b == out || waits) {
		return true
	}
	if out.Func == nil || out.Func.Exported() || depth > 3 {
		return false
	}
	callers := s.callersOf(out.Func)
	for _, c := range callers {
		if !s.endsTold(c, heard, depth+1) {
			return false
		}
	}
	return len(callers) > 0
}
