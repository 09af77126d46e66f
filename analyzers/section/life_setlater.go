package section

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// setLater finds goroutines that are started where an atomic flag is not set, and that
// set it themselves: until one has come so far, who tests the flag finds it unset, and
// starts another. That holds for one goroutine alone which comes to the test again.
func (s *search) setLater() {
	if s.shared.Constructing(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			stmt, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo || s.waitsNext(block, index) {
				continue
			}
			s.setBy(stmt, &occurrence{Access: &access.Access{}, block: block, index: index})
		}
	}
}

// setBy is setLater for one go statement, at start.
func (s *search) setBy(stmt *ast.GoStmt, start *occurrence) {
	fn, lit := s.locks.Callee(stmt.Call), s.pkg.ByNode[ast.Unparen(stmt.Call.Fun)]
	callee := lit
	if callee == nil {
		callee = s.pkg.ByFunc[fn]
	}
	if callee == nil || s.doesOnce(callee) {
		return
	}
	for _, look := range s.order {
		if look.Kind != access.Atomic || look.Mode != atomicity.Read || !look.place.Valid() ||
			!s.decided(s.testsOf(look.Access, true), start.block) || s.setHere(look) {
			continue
		}
		again := s.leadsTo(start, look)
		if _, strong, _ := s.rivals(look.Var); !again && (!strong || s.shared.Single(s.body) || s.reachOf(look) < shared.Meant) {
			continue
		}
		set := s.setFirst(callee, look, func(pl accesses.Place) accesses.Place {
			if lit != nil {
				return pl
			}
			return s.locks.ToCaller(stmt.Call, fn, pl)
		})
		if set == nil {
			continue
		}
		c := s.direct("testuse", "atomic-check-then-act", look.source(), look.Pos(), stmt.Pos())
		c.Via, c.Within = look.via, look.where()
		c.Roles = [2]string{"tested", "set by the goroutine that is started"}
		c.Message = fmt.Sprintf("%s is set by the goroutine that is started here when it was found unset: until that has come so far, another can be started; set it before the go statement",
			look.place)
		c.Ends = []*access.Access{set.source()}
		c.Sure = true
		s.found = append(s.found, c)
		return
	}
}

// doesOnce says whether the body does something by a sync.Once: to start it twice is to
// do that once.
func (s *search) doesOnce(b *accesses.Body) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
				if fn := s.locks.Callee(call); fn != nil && fn.FullName() == "(*sync.Once).Do" {
					return true
				}
			}
		}
	}
	return false
}

// waitsNext says whether the block goes on from the go statement with waiting for
// something, such as an answer of the goroutine.
func (s *search) waitsNext(block, index int) bool {
	for _, ev := range s.body.Events[block][index+1:] {
		switch ev.Kind {
		case accesses.OnReceive:
			return true
		case accesses.OnCall:
			if _, name := methodOn(ev.Node.(*ast.CallExpr)); name == "Wait" || name == "Sleep" {
				return true
			}
		}
	}
	return false
}

// setHere says whether the body writes what it has looked at itself.
func (s *search) setHere(look *occurrence) bool {
	for _, o := range s.order {
		if o.Mode == atomicity.Write && !o.later && o.sameInstance(look) {
			return true
		}
	}
	return false
}

// setFirst is the Store by which the callee, or a setter that it calls, sets the variable
// to a constant before it looks at it in any way, or nil.
func (s *search) setFirst(callee *accesses.Body, look *occurrence, toCaller func(accesses.Place) accesses.Place) *occurrence {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[callee]
	var first *occurrence
	s.locks.Walk(callee, func(block, index int, ev accesses.Event, _ locks.Set) {
		if first != nil || ev.Kind != accesses.OnAccess && ev.Kind != accesses.OnCall {
			return
		}
		for _, o := range s.order {
			if o.block == block && o.index == index && o.Var == look.Var && !o.later && toCaller(o.place) == look.place {
				first = o
				return
			}
		}
	})
	if first == nil || first.Mode != atomicity.Write || !strings.HasPrefix(first.Method, "Store") {
		return nil
	}
	values := stored(first.Access)
	if first.via != nil {
		if values = first.stores; len(values) == 0 {
			values = first.via.Args
		}
	}
	if len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil || s.zero(values[0]) {
		return nil
	}
	return first
}
