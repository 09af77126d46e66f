package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closeCall is a call of close at its place in the control-flow graph.
type closeCall struct {
	call    *ast.CallExpr
	channel *occurrence
	held    locks.Set
	block   int
}

// closing finds channels that two goroutines can close: after a select with a
// default case, or a method that wraps one, has told that it is open; and in a
// method such as Close without any look. The spec cannot express such a
// sequence, since no variable changes; it is a diagnostic only.
func (s *search) closing() {
	if s.recoversItself() {
		return // the panic of a second close never leaves the function
	}
	for _, c := range s.closesBelow() {
		if test := s.lookedAt(c); test != nil && !c.held.Any() {
			s.doubleClose(test, c, "two goroutines can both find %s open and close it twice: the look and close are two operations")
		}
	}
	for _, c := range s.deferredCloses() {
		if test := s.lookedAt(c); test != nil && !c.held.Any() {
			s.doubleClose(test, c, "two goroutines can both find %s open and close it twice: the look and close are two operations")
		}
	}
	for _, c := range s.closesStarted() {
		if test := s.lookedAt(c); test != nil {
			s.doubleClose(test, c, "%s can be found open once more and closed twice: a goroutine closes it that is started after the look")
		}
	}
	for _, c := range s.closeCalls() {
		if test := s.lookedAt(c); test != nil {
			if !c.held.Any() {
				s.doubleClose(test, c, "two goroutines can both find %s open and close it twice: the look and close are two operations")
			} else if !c.held.Excludes() {
				s.doubleClose(test, c, "two goroutines can both find %s open and close it twice: the look and close are two operations, and RLock does not keep others out")
			} else if o := s.occurrenceOf(test); o != nil && o.via == nil && !o.held.Any() && !s.recovers() {
				s.doubleClose(test, c, "two goroutines can both find %s open and close it twice: "+c.held.Places()[0].String()+" is taken only afterwards")
			} else if lock, other, in := s.underAnother(c); in != nil {
				s.doubleClose(test, closeCall{call: other, channel: c.channel}, "two goroutines can both find %s open and close it twice: here "+lock+", and another lock in "+in.Name)
			}
		} else if test := s.flagged(c); test != nil {
			s.closedOnAnother(test, c, "two goroutines can both pass this test and close %s twice: nothing is changed that it looks at")
		} else if test := s.polledAnother(c); test != nil {
			s.closedOnAnother(test, c, "two goroutines can both pass this test and close %s twice: it looks at another channel, which is closed elsewhere")
		} else if test := s.flaggedLater(c); test != nil {
			s.closedOnAnother(test, c, "two goroutines can both pass this test and close %s twice: the flag is set afterwards, and no lock is held")
		} else if call, in := s.othersLook(c); call != nil {
			s.doubleClose(c.call, closeCall{call: call, channel: c.channel}, "%s is closed here without a look whether it is closed already, as "+in.Name+" looks before it closes it")
		} else if call, in, through := s.pastOnce(c); call != nil {
			s.doubleClose(c.call, closeCall{call: call, channel: c.channel}, "%s is closed here whatever its state: "+through.Fn.Name+" comes here only once, and "+in.Fn.Name+" comes besides, past its sync.Once: the second close panics")
			s.found[len(s.found)-1].Roles = [2]string{"closed", "closed again"}
		} else if test := s.nilAlone(c); test != nil {
			s.doubleClose(test, c, "%s is closed whenever it is not nil, and it is not set to nil: a second call closes it twice, and panics")
		} else if s.onEachRequest(c) {
			s.doubleClose(c.call, c, "%s is closed without a look whether it is closed already, on each request: the second one panics")
		} else if s.closedByBoth(c) {
			s.bothClose(c)
		} else if s.unlooked(c) {
			s.doubleClose(c.call, c, "%s is closed without a look whether it is closed already: a second call panics")
		} else if call, in := s.closedAsWell(c); call != nil {
			s.doubleClose(c.call, closeCall{call: call, channel: c.channel}, "%s is closed here without a look whether it is closed already, and "+closesToo(s.shared.Spawned(in))+" closes it too (in "+in.Fn.Name+"): the second close panics")
			s.found[len(s.found)-1].Roles = [2]string{"closed", "closed as well"}
		} else if other := s.repeatable(c); other != nil {
			s.unrepeatable(c, other)
		} else if arm := s.besideItsArm(c); arm != nil {
			s.doubleClose(arm, c, "two goroutines can both close %s: a select that finds both arms ready takes either, and the arm for the channel keeps nobody out")
		} else if used := s.closedAgain(c); used.IsValid() {
			s.endedAgain(c, used)
		}
	}
	for _, c := range slices.Concat(s.deferredCloses(), s.closesOfGiven()) {
		if s.lookedAt(c) == nil && s.closedByBoth(c) {
			s.bothClose(c)
		}
	}
	for _, c := range s.closesLast() {
		if s.lookedAt(c) == nil {
			if used := s.closedAgain(c); used.IsValid() {
				s.endedAgain(c, used)
			}
		}
	}
}

// endedAgain reports what closedAgain has found.
func (s *search) endedAgain(c closeCall, used token.Pos) {
	s.doubleClose(c.call, c, "%s is closed without a look whether it is closed already: a second call panics, and those that share the object can each make one")
	d := s.found[len(s.found)-1]
	d.EndPos, d.Roles = used, [2]string{"closed", "of an object used by others"}
}

// underAnother is a function that closes the same channel, after a look too, while it holds
// other locks of the object than those that are held at c.
func (s *search) underAnother(c closeCall) (lock string, call *ast.CallExpr, in *access.Function) {
	own := locksOf(c.held)
	ofObject := func(held locks.Set, root types.Object) bool {
		return len(held) > 0 && len(locksOf(held)) == len(held) && !slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return l.Root != root || held[l] != locks.Exclusive })
	}
	if !ofObject(c.held, c.channel.place.Root) || s.recovers() {
		return "", nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(current.body, c.channel.Var, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		s.bodyState = s.states[b]
		for _, other := range s.closeCalls() {
			if other.channel.Var != c.channel.Var || !ofObject(other.held, other.channel.place.Root) || s.lookedAt(other) == nil || s.recovers() {
				continue
			}
			if !slices.ContainsFunc(locksOf(other.held), func(l accesses.Place) bool {
				return slices.ContainsFunc(own, func(o accesses.Place) bool { return locks.ClassOf(o) == locks.ClassOf(l) })
			}) {
				return own[0].String() + " is held", other.call, b.Fn
			}
		}
	}
	return "", nil, nil
}

// closeCalls lists the calls of close in the body, of channels that others have.
func (s *search) closeCalls() []closeCall {
	var list []closeCall
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind != accesses.OnCall {
			return
		}
		if ch := s.closeOf(ev.Node); ch != nil {
			if o := s.occurrenceOf(ch); o != nil && o.place.Valid() && s.reachOf(o) != shared.Private {
				list = append(list, closeCall{ev.Node.(*ast.CallExpr), o, held, block})
			}
		}
	})
	return list
}

// unlooked says whether c closes a channel of the receiver on every call of a
// method, where the package itself shows that there may be more calls than one:
// two exported methods lead to it, of its own type or of one that holds such an object, its
// comment says so, or it is a connection.
func (s *search) unlooked(c closeCall) bool {
	if !s.always(c) {
		return false
	}
	fn := s.body.Func
	d, _ := s.body.Node.(*ast.FuncDecl)
	if fn.Exported() && endings.MatchString(fn.Name()) && d != nil && d.Doc != nil && idempotentDoc.MatchString(d.Doc.Text()) {
		return !strings.Contains(strings.ToLower(d.Doc.Text()), "not") && !strings.Contains(d.Doc.Text(), "panic")
	}
	return s.exportedWays(fn) > 1 || s.endedByTwo(fn) || fn.Exported() && endings.MatchString(fn.Name()) && s.endedByGoroutine(fn, false) || fn.Name() == "Close" && s.isConnection(fn.Signature().Recv().Type())
}

// isConnection says whether the type is a net.Conn, net.Listener or net.PacketConn: those are
// closed by whoever gives up first, a server and a deferred call, a reader and a writer.
func (s *search) isConnection(t types.Type) bool {
	for _, imported := range s.pkg.Types.Imports() {
		if imported.Path() != "net" {
			continue
		}
		for _, name := range []string{"Conn", "Listener", "PacketConn"} {
			if tn, ok := imported.Scope().Lookup(name).(*types.TypeName); ok {
				if i, ok := tn.Type().Underlying().(*types.Interface); ok && types.Implements(t, i) {
					return true
				}
			}
		}
	}
	return false
}

// always says whether c closes a channel of the receiver on every call of a method.
func (s *search) always(c closeCall) bool {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) {
		return false
	}
	if s.anyDecides(c.block) || c.held.Holds(locks.Once) || s.inSelect(c.call) || inLoop(s.body.Block, c.call) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.place == c.channel.place && o.Mode != c.channel.Mode // it is replaced
	})
}

// othersLook is where an exported method closes the same channel, only after a look
// whether it is closed, or inside a sync.Once, while c, in one that is not exported,
// closes it whatever its state.
func (s *search) othersLook(c closeCall) (*ast.CallExpr, *access.Function) {
	fn := s.body.Func
	if fn == nil || fn.Exported() || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) ||
		s.anyDecides(c.block) || c.held.Holds(locks.Once) || s.inSelect(c.call) || s.recovers() {
		return nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		out := b.Outermost()
		if out == current.body || out.Func == nil || !out.Func.Exported() || slices.Contains(s.callersOf(fn), out) {
			continue
		}
		s.bodyState = s.states[b]
		for _, other := range s.closeCalls() {
			if other.channel.Var == c.channel.Var && (other.held.Holds(locks.Once) || s.lookedAt(other) != nil) {
				return other.call, out.Fn
			}
		}
	}
	return nil, nil
}

// endedByGoroutine says whether a goroutine of the package calls fn, which others
// can call as well; with a look at the object that it ends only if looking is true.
func (s *search) endedByGoroutine(fn *types.Func, looking bool) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		if b.Func == fn || !s.shared.Spawned(b) {
			continue
		}
		found := false
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || held.Holds(locks.Once) {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return
			}
			pl := s.pkg.PlaceOf(sel.X)
			v, isVar := pl.Root.(*types.Var)
			found = found || isVar && s.shared.Object(b, v) >= shared.Meant && (looking || !s.looksAt(pl, block))
		})
		if found {
			return true
		}
	}
	return false
}

// exportedWays counts the exported methods of the receiver's type whose call is
// a call of fn, whatever the state of the receiver: fn itself if it is exported,
// and those that call fn on their own receiver with nothing tested before.
func (s *search) exportedWays(fn *types.Func) int {
	ways := 0
	if fn.Exported() {
		ways++
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Func == fn || !b.Func.Exported() || b.Func.Signature().Recv() == nil {
			continue
		}
		s.bodyState = s.states[b]
		recv := types.Object(b.Func.Signature().Recv())
		always := false
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && s.pkg.PlaceOf(sel.X) == (accesses.Place{Root: recv}) && !s.anyDecides(block) && !held.Holds(locks.Once) && !s.inSelect(call) {
				always = true
			}
		})
		if always {
			ways++
		}
	}
	return ways
}

// endedByTwo says whether two exported methods of another type, of which one ends something,
// both call fn on the same field of theirs, whatever the state of that.
func (s *search) endedByTwo(fn *types.Func) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	ways, ends := map[string]*types.Func{}, map[string]bool{}
	for _, b := range s.callersOf(fn) {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil || s.shared.SetsGoing(b) {
			continue
		}
		s.bodyState = s.states[b]
		recv, found := b.Func.Signature().Recv(), ""
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || s.anyDecides(block) || held.Holds(locks.Once) || s.inSelect(call) || inLoop(b.Block, call) || s.recovers() {
				return
			}
			if on := s.receiverOf(call); on.Root == types.Object(recv) && on.Path != "" && !strings.Contains(on.Path, "[") {
				found = accesses.TypeName(recv.Type()).Name() + on.Path
			}
		})
		if found == "" {
			continue
		}
		ends[found] = ends[found] || endings.MatchString(b.Func.Name())
		if first := ways[found]; first != nil && first != b.Func && ends[found] {
			return true
		}
		ways[found] = b.Func
	}
	return false
}

func (s *search) doubleClose(test ast.Expr, c closeCall, format string) {
	d := s.direct("testuse", "double-close", c.channel.Access, test.Pos(), c.call.Pos())
	if o := s.occurrenceOf(test); o != nil {
		d.Entry = o.Access
	}
	d.Ends = []*access.Access{c.channel.Access}
	if test.Pos() == c.call.Pos() {
		d.Roles = [2]string{"closed", "closed again"}
	}
	f := finding{search: s, entry: c.channel}
	d.Sure = (s.shared.Launched(s.body) || s.shared.Entered(s.body) || s.shared.Several(s.body) || s.shared.Spawned(s.body) && !s.body.Encloses(c.call.Pos())) && !s.shared.Constructing(s.body) && !f.excused(d) &&
		!s.shared.InOneRun(maps.Keys(s.closersOf(c.channel.Var)))
	d.Message = fmt.Sprintf(format, types.ExprString(c.channel.Expr))
	s.found = append(s.found, d)
}

// closedOnAnother is doubleClose after a test of something else than the channel.
func (s *search) closedOnAnother(test ast.Expr, c closeCall, format string) {
	s.doubleClose(test, c, format)
	s.found[len(s.found)-1].Roles = [2]string{"decided about", "closed"}
}
