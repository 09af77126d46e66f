package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// raisedAgain finds channels that are made once, with their object, and closed by the one that wins
// a flag, where the flag is set again after that:
//
//	func (c *conn) down() { if c.up.CompareAndSwap(true, false) { close(c.gone) } }
//	func (c *conn) run() {
//		for { c.dial(); c.up.Store(true); c.read(); c.down() }
//	}
//
// The second one that wins closes a closed channel. Some function goes from the one to the other,
// for one and the same object: that a method Start could be called after Stop is not enough.
func (s *search) raisedAgain() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.recovers() {
		return
	}
	for _, c := range s.closeCalls() {
		if c.channel.Var.Obj == nil || !c.channel.Var.Obj.IsField() || s.isElement(c.channel.place) || s.lookedAt(c) != nil || s.replacedLater(c.channel.Var) {
			continue
		}
		for _, won := range s.order {
			if value := s.wins(won, c); value != nil {
				if raised := s.raisedAfter(c, won, value); raised.occurrence != nil {
					at := s.claimOf(won, c)
					d := s.direct("testuse", "double-close", won.Access, at.Pos(), c.call.Pos())
					d.EndName = s.pkg.Name(c.channel.Var)
					d.Roles = [2]string{"won", "closed"}
					d.Message = fmt.Sprintf("%s is closed by whoever changes %s, which %s sets again after that, and no new channel is made: the second close panics",
						types.ExprString(c.channel.Expr), won.place, raised.body.Outermost().Fn.Name)
					s.tell(d, c.channel, c.channel.Access)
					return
				}
			}
		}
	}
}

// isElement says whether the place is within an element of a list or map.
func (s *search) isElement(pl accesses.Place) bool {
	return slices.Contains([]byte(pl.Path), '[')
}

// replacedLater says whether some function other than a constructor stores into the variable.
func (s *search) replacedLater(v access.Var) bool {
	return slices.ContainsFunc(s.ownAccesses(v), func(p placed) bool { return p.Mode == atomicity.Write })
}

// wins is the constant that the write stores into a flag beside the channel, if control comes to the
// close only for the one that has changed the flag to it.
func (s *search) wins(won *occurrence, c closeCall) constant.Value {
	if won.Mode != atomicity.Write || won.via != nil || won.lit || !won.Var.Obj.IsField() || won.Var == c.channel.Var || won.place.Root == nil || won.place.Root != c.channel.place.Root {
		return nil
	}
	values := stored(won.Access)
	if len(values) == 0 {
		return nil
	}
	value := s.pkg.Info.Types[values[len(values)-1]].Value
	if value == nil || s.claimOf(won, c) == nil {
		return nil
	}
	return value
}

// claimOf is the condition that lets one through to the close: it asks for the outcome of the write,
// or it looks at the flag in the critical section in which the write and the close are.
func (s *search) claimOf(won *occurrence, c closeCall) ast.Expr {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, c.block); !decides {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				if a == won.Access && rmw(a) {
					return cond
				}
				r := s.occ[a]
				if r != nil && r.Mode == atomicity.Read && r.via == nil && won.Kind == access.Cell && r.sameInstance(won) && r.held.Excludes() && s.oneHold(r, won) && c.held.Excludes() {
					return cond
				}
			}
		}
	}
	return nil
}

// raisedAfter is a write of another constant to the flag, by a function to which some body comes,
// for the same object, after one that leads to the close.
func (s *search) raisedAfter(c closeCall, won *occurrence, value constant.Value) placed {
	from := s.body
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, w := range s.ownAccesses(won.Var) {
		if w.Mode != atomicity.Write || w.Access == won.Access {
			continue
		}
		values := stored(w.Access)
		if len(values) == 0 || strings.HasPrefix(w.Method, "Add") {
			continue
		}
		other := s.pkg.Info.Types[values[len(values)-1]].Value
		if other == nil || other.Kind() != value.Kind() || constant.Compare(other, token.EQL, value) {
			continue
		}
		if s.oneAfterOther(placed{c.channel, from}, w) {
			return w
		}
	}
	return placed{}
}

// oneAfterOther says whether some body comes to the second access after it has come to the first
// one, on the same object, which is not one that it makes: itself, or by methods of that.
func (s *search) oneAfterOther(first, then placed) bool {
	toFirst, toThen := s.methodsTo(first), s.methodsTo(then)
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		if s.shared.Sequential(b) {
			return false
		}
		s.bodyState = s.states[b]
		ends := s.comings(first, toFirst)
		for _, again := range s.comings(then, toThen) {
			for _, end := range ends {
				if end.on != again.on {
					continue
				}
				if end.call == again.call && end.call != nil {
					if inLoop(b.Block, end.call) && s.leads(end, end) {
						return true
					}
				} else if s.leads(end, again) {
					return true
				}
			}
		}
		return false
	})
}

// coming is where a body comes to an access, by a call or itself.
type coming struct {
	on           types.Object
	call         *ast.CallExpr
	block, index int
}

// methodsTo are the methods that come to the access on their receiver, at most four calls away, be
// it in a literal or a goroutine.
func (s *search) methodsTo(p placed) map[*types.Func]bool {
	methods := map[*types.Func]bool{}
	add := func(b *accesses.Body, on types.Object) bool {
		fn := b.Outermost().Func
		if fn == nil || fn.Signature().Recv() == nil || types.Object(fn.Signature().Recv()) != on || methods[fn] {
			return false
		}
		methods[fn] = true
		return true
	}
	add(p.body, p.place.Root)
	for range 4 {
		more := false
		for _, b := range s.pkg.Bodies {
			for _, events := range b.Events {
				for _, ev := range events {
					if call := calledBy(ev); call != nil && methods[s.locks.Callee(call)] {
						if on := s.receiverOf(call); on.Path == "" && on.Root != nil {
							more = add(b, on.Root) || more
						}
					}
				}
			}
		}
		if !more {
			break
		}
	}
	return methods
}

// calledBy is the call that the event makes now, later or in a goroutine.
func calledBy(ev accesses.Event) *ast.CallExpr {
	switch n := ev.Node.(type) {
	case *ast.CallExpr:
		if ev.Kind == accesses.OnCall {
			return n
		}
	case *ast.DeferStmt:
		return n.Call
	case *ast.GoStmt:
		return n.Call
	}
	return nil
}

// comings lists where the body searched comes to the access on an object that it was given, other
// than by a deferred call.
func (s *search) comings(p placed, methods map[*types.Func]bool) []coming {
	var list []coming
	if s.body == p.body && s.fromCaller(p.place.Root) {
		list = append(list, coming{p.place.Root, nil, p.block, p.index})
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			call := calledBy(ev)
			if call == nil || ev.Kind == accesses.OnDefer || !methods[s.locks.Callee(call)] {
				continue
			}
			if on := s.receiverOf(call); on.Path == "" && s.fromCaller(on.Root) {
				list = append(list, coming{on.Root, call, block, index})
			}
		}
	}
	return list
}

// fromCaller says whether the object is the receiver or a parameter of the function searched, or of one
// around it, which does not put another one in its place.
func (s *search) fromCaller(object types.Object) bool {
	if object == nil || len(s.values.assigns[object]) > 0 {
		return false
	}
	for b := s.body; b != nil; b = b.Parent {
		sig := b.Type(s.pkg.Info)
		if v, ok := object.(*types.Var); ok && sig != nil && (sig.Recv() == v || slices.Contains(slices.Collect(sig.Params().Variables()), v)) {
			return true
		}
	}
	return false
}

// leads says whether control can go from the one to the other.
func (s *search) leads(from, to coming) bool {
	return s.leadsTo(&occurrence{block: from.block, index: from.index}, &occurrence{block: to.block, index: to.index})
}
