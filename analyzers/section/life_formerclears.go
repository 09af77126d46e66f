package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// formerClears finds goroutines that take back, at their end, the flag by which they were
// started, where another function that ends them has taken it back as well, without waiting
// for them: by the time that the goroutine does so, the flag may be that of the next one.
//
//	if x.on.CompareAndSwap(false, true) {
//		go func() { defer x.on.Store(false); x.run(ctx) }()
//	}
//	// elsewhere
//	x.cancel()
//	x.on.Store(false)
func (s *search) formerClears() {
	for _, won := range s.order {
		if won.Kind != access.Atomic || won.via != nil || !strings.HasPrefix(won.Method, "CompareAndSwap") || !won.Var.Obj.IsField() || !s.setsTo(won, true) {
			continue
		}
		back := s.takenBackBy(won)
		if back == nil {
			continue
		}
		if end := s.takesBack(won, back); end != nil {
			c := s.direct("testuse", "atomic-check-then-act", won.Access, won.Pos(), back.Pos())
			c.Roles = [2]string{"set", "taken back by the goroutine"}
			c.Message = fmt.Sprintf("%s is taken back by the goroutine that is started then, and by %s as well, which does not wait for it: what the goroutine takes back may be that of the next one", won.place, end.body.Fn.Name)
			s.tell(c, won, back)
			return
		}
	}
}

// takenBackBy is where a goroutine that the body starts after it has won the flag stores false
// in it, in its literal or in the method that it runs.
func (s *search) takenBackBy(won *occurrence) *access.Access {
	for block, events := range s.body.Events {
		for index, ev := range events {
			g, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || !s.leadsTo(won, &occurrence{Access: &access.Access{}, block: block, index: index}) {
				continue
			}
			fn := s.locks.Callee(g.Call)
			b := s.pkg.ByFunc[fn]
			if fn == nil {
				b = s.pkg.ByNode[ast.Unparen(g.Call.Fun)]
			}
			if b == nil {
				continue
			}
			for _, back := range s.stateOf(b).order {
				if back.Var != won.Var || back.via != nil || !strings.HasPrefix(back.Method, "Store") || !s.setsTo(back, false) {
					continue
				}
				if at := back.place; at == won.place || fn != nil && s.locks.ToCaller(g.Call, fn, at) == won.place {
					return back.Access
				}
			}
		}
	}
	return nil
}

// setsTo says whether the access stores true, or a number that is not 0, as far as it does so;
// or false, or 0.
func (s *search) setsTo(o *occurrence, what bool) bool {
	call, ok := o.Expr.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	switch v := s.pkg.Info.Types[call.Args[len(call.Args)-1]].Value; {
	case v == nil:
		return false
	case v.Kind() == constant.Bool:
		return constant.BoolVal(v) == what
	default:
		return v.Kind() == constant.Int && (constant.Sign(v) != 0) == what
	}
}

// takesBack is where another function that is called from outside stores false in the flag, and does not wait for anybody
// before, nor after it with a lock held that the body holds.
func (s *search) takesBack(won *occurrence, back *access.Access) *placed {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(won.Var) {
		if !swaps.MatchString(k.Method) || k.body.Outermost() == current.body.Outermost() || k.body.Func == nil || k.Func == back.Func || !s.shared.Entered(k.body) || !s.setsTo(k.occurrence, false) {
			continue
		}
		s.bodyState = s.states[k.body]
		if !s.waitsFor(k.occurrence, won.held) {
			return &k
		}
	}
	return nil
}

// waitsFor says whether the body waits for something before the access, or after it as long as
// one of the locks is held.
func (s *search) waitsFor(o *occurrence, held locks.Set) bool {
	waits := false
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, now locks.Set) {
		at := &occurrence{Access: &access.Access{}, block: block, index: index, held: now}
		if !s.leadsTo(at, o) && !slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return at.lockOf(locks.ClassOf(l)).Valid() }) {
			return
		}
		switch ev.Kind {
		case accesses.OnReceive:
			waits = true
		case accesses.OnCall, accesses.OnDefer:
			ast.Inspect(ev.Node, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return !waits
				}
				_, name := methodOn(call)
				waits = waits || waiters.MatchString(name)
				if b := s.pkg.ByFunc[s.locks.Callee(call)]; b != nil {
					ast.Inspect(b.Block, func(m ast.Node) bool {
						switch m := m.(type) {
						case *ast.UnaryExpr:
							waits = waits || m.Op == token.ARROW
						case *ast.CallExpr:
							_, name := methodOn(m)
							waits = waits || waiters.MatchString(name)
						}
						return !waits
					})
				}
				return !waits
			})
		}
	})
	return waits
}

// swaps are the operations that store a value given.
var swaps = pattern.New(`^(Store|Swap|CompareAndSwap)`)

// waiters are the names of functions that return when something is over.
var waiters = pattern.New(`(?i)wait|join|^(close|shutdown)$`)
