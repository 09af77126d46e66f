package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// channelUse is what the package does with a channel that a field or
// package-level variable holds.
type channelUse struct {
	// closedWith are the flags written in the bodies that close it.
	closedWith map[access.Var]map[*accesses.Body]bool
	// toldWith are the variables written, under a lock that is still held, in
	// the bodies that send without waiting for a receiver.
	toldWith map[access.Var]map[*accesses.Body]bool
	buffered bool
}

// channels sums up the channels of the package.
func (s *search) channels() map[access.Var]*channelUse {
	if s.chans != nil {
		return s.chans
	}
	s.chans = map[access.Var]*channelUse{}
	use := func(v access.Var) *channelUse {
		if s.chans[v] == nil {
			s.chans[v] = &channelUse{map[access.Var]map[*accesses.Body]bool{}, map[access.Var]map[*accesses.Body]bool{}, false}
		}
		return s.chans[v]
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		note := func(to map[access.Var]map[*accesses.Body]bool, ch *occurrence, locked bool) {
			for _, w := range s.order {
				if w.Mode == atomicity.Write && w.place.Root == ch.place.Root && (w.Var != ch.Var || s.shared.Use(w.Var).ClearedBy(b)) && (!locked || w.held.Any()) {
					if to[w.Var] == nil {
						to[w.Var] = map[*accesses.Body]bool{}
					}
					to[w.Var][b] = true
				}
			}
		}
		for _, c := range s.closeCalls() {
			closed := use(c.channel.Var)
			note(closed.closedWith, c.channel, false)
			s.flaggedByCallers(c, closed.closedWith)
			s.flaggedAround(c, closed.closedWith)
			s.flaggedByMessage(c, closed.closedWith)
		}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.SelectStmt:
				if send := sendOrNot(n); send != nil {
					if o := s.occurrenceOf(send.Chan); o != nil {
						note(use(o.Var).toldWith, o, true)
					}
				}
			}
			return true
		})
	}
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok && makesBuffer(n.Value) {
					if v, ok := s.pkg.Info.ObjectOf(id).(*types.Var); ok {
						use(access.Var{Obj: v.Origin()}).buffered = true
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if len(n.Lhs) != len(n.Rhs) || !makesBuffer(n.Rhs[i]) {
						continue
					}
					if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok {
						if v, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var); ok {
							use(access.Var{Obj: v.Origin()}).buffered = true
						}
					}
				}
			}
			return true
		})
	}
	return s.chans
}

// flaggedByCallers adds the flags that the callers of a method set which closes a channel
// of its receiver, as in c.closed = true; c.closeAll().
func (s *search) flaggedByCallers(c closeCall, flags map[access.Var]map[*accesses.Body]bool) {
	fn := s.body.Func
	if fn == nil || fn.Exported() || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) {
		return
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.callersOf(fn) {
		s.bodyState = s.stateOf(b)
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn {
					continue
				}
				on := s.receiverOf(call)
				for _, w := range s.order {
					if on.Valid() && w.Mode == atomicity.Write && w.via == nil && w.place.Root == on.Root && (isFlag(w.Var) || w.Kind == access.Atomic) {
						if flags[w.Var] == nil {
							flags[w.Var] = map[*accesses.Body]bool{}
						}
						flags[w.Var][b] = true
					}
				}
			}
		}
	}
}

func makesBuffer(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "make"
}

// sendOrNot matches select { case ch <- v: default: }.
func sendOrNot(n *ast.SelectStmt) *ast.SendStmt {
	var send *ast.SendStmt
	fallback := false
	for _, clause := range n.Body.List {
		comm, ok := clause.(*ast.CommClause)
		if !ok {
			continue
		}
		if comm.Comm == nil {
			fallback = true
		} else if c, ok := comm.Comm.(*ast.SendStmt); ok {
			send = c
		}
	}
	if !fallback {
		return nil
	}
	return send
}

// sending finds sends on a channel, and waits for one, that rely on a look at a
// variable which another function changes together with the channel:
//
//   - the flag says open, is no longer locked, and the channel is closed before
//     the send (send-after-check);
//   - the flag says that somebody will signal, is no longer locked, and the
//     signal is given, to nobody, before the wait for it begins (lost-wakeup).
func (s *search) sending() {
	channels := s.channels()
	for block, events := range s.body.Events {
		for index, ev := range events {
			switch ev.Kind {
			case accesses.OnSend:
				ch := s.occurrenceOf(ev.Node.(*ast.SendStmt).Chan)
				if ch != nil && channels[ch.Var] != nil && !s.recovers() {
					s.relies(ch, block, index, channels[ch.Var].closedWith, "send-after-check",
						"%s can be closed between the test of %s and the send on it, which then panics")
				}
			case accesses.OnReceive:
				u := ev.Node.(*ast.UnaryExpr)
				ch := s.occurrenceOf(u.X)
				if ch != nil && channels[ch.Var] != nil && !channels[ch.Var].buffered && !s.inSelect(u) {
					s.relies(ch, block, index, channels[ch.Var].toldWith, "lost-wakeup",
						"the signal on %s can be given, to nobody, between the test of %s and the wait for it, which then never ends")
				}
			}
		}
	}
}

// relies reports the event on ch at block and index if a read of one of the
// flags decides about it with no lock held from there to here.
func (s *search) relies(ch *occurrence, block, index int, flags map[access.Var]map[*accesses.Body]bool, category, format string) {
	if s.shared.Constructing(s.body) || s.assured(ch, block, index, flags) || s.inFlight(ch.Pos()) {
		return
	}
	for _, e := range s.order {
		elsewhere := false
		for b := range flags[e.Var] {
			elsewhere = elsewhere || b != s.body
		}
		if !elsewhere || e.Mode != atomicity.Read || e.place.Root != ch.place.Root || s.reachOf(e) == shared.Private {
			continue
		}
		if e.Kind != access.Atomic && !e.held.Any() && (e.Var != ch.Var || s.reachOf(e) < shared.Meant) && !s.endedByOthers(flags[e.Var]) && !s.setUnderLock(e, flags[e.Var]) {
			continue // a plain flag has a reader of its own, or is a data race
		}
		if !s.decided(s.testsOf(e.Access, true), block) || s.isCloser(e, block) || s.endAwaited(ch.Var, flags[e.Var]) {
			continue
		}
		open := false
		s.onward(e, func(b, i int, _ accesses.Event, kept locks.Set) bool {
			if b == block && i == index {
				open = open || s.letsClose(e, kept, flags[e.Var])
				return true
			}
			return b == e.block && i == e.index // the next turn of a loop looks again
		})
		if open && s.closedUnder(ch, e, block, index) {
			continue
		}
		if now := s.heldAt(block, index); !open || now.Any() && e.Kind == access.Atomic && s.keepsOut(now, e.Var, flags[e.Var]) {
			continue
		}
		c := s.direct("testuse", category, e.source(), e.Pos(), ch.Pos())
		c.Via = e.via
		c.Ends = []*access.Access{ch.Access}
		f := finding{search: s, entry: e}
		c.Sure = (s.shared.Launched(s.body) || s.shared.Entered(s.body) || s.meanwhileElsewhere(e.Var, flags[e.Var])) && !f.excused(c)
		c.Message = fmt.Sprintf(format, types.ExprString(ch.Expr), e.place)
		s.found = append(s.found, c)
		return
	}
}

// meanwhileElsewhere says whether a goroutine runs the body while others run one of those
// that change the variable.
func (s *search) meanwhileElsewhere(v access.Var, writers map[*accesses.Body]bool) bool {
	if !s.shared.Spawned(s.body) {
		return false
	}
	_, strong, _ := s.shared.RivalsAmong(s.body, v, writers)
	return strong
}

// isCloser says whether control comes to the block only by a CompareAndSwap or Swap of the
// flag: who has won it is the one that closes.
func (s *search) isCloser(flag *occurrence, block int) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Kind == access.Atomic && o.via == nil && o.Var == flag.Var && o.sameInstance(flag) &&
			(strings.HasPrefix(o.Method, "CompareAndSwap") || strings.HasPrefix(o.Method, "Swap")) && s.decided(s.testsOf(o.Access, true), block)
	})
}

// endedByOthers says whether the body is an exported method and one of those that set
// the flag and close the channel is the exported method by which anybody ends an object:
// then the flag is there because others may have ended it.
func (s *search) endedByOthers(closers map[*accesses.Body]bool) bool {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || endings.MatchString(fn.Name()) {
		return false
	}
	for b := range closers {
		if b.Func != nil && b.Func.Exported() && b.Func.Signature().Recv() != nil && endings.MatchString(b.Func.Name()) {
			return true
		}
	}
	return false
}

// setUnderLock says whether all of those that set the flag and close the channel hold a lock of the
// object meanwhile, and others than the goroutine that looks at it without run them at the same time.
func (s *search) setUnderLock(e *occurrence, closers map[*accesses.Body]bool) bool {
	for b := range closers {
		for _, w := range s.states[b].order {
			if w.Var == e.Var && w.Mode == atomicity.Write && !slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool {
				return l.Root == w.place.Root && w.held[l] == locks.Exclusive
			}) {
				return false
			}
		}
	}
	return isFlag(e.Var) && s.meanwhileElsewhere(e.Var, closers)
}

// assured says whether one of the flags is looked at under a lock that is held
// until the event at block and index.
func (s *search) assured(ch *occurrence, block, index int, flags map[access.Var]map[*accesses.Body]bool) bool {
	for _, e := range s.order {
		if len(flags[e.Var]) == 0 || e.Mode != atomicity.Read || e.place.Root != ch.place.Root || !e.held.Any() || !s.decided(s.testsOf(e.Access, true), block) {
			continue
		}
		open, met := false, false
		s.onward(e, func(b, i int, _ accesses.Event, kept locks.Set) bool {
			if b == block && i == index {
				open, met = open || s.letsClose(e, kept, flags[e.Var]), true
				return true
			}
			return b == e.block && i == e.index
		})
		if met && !open {
			return true
		}
	}
	return false
}

// letsClose says whether those who set the flag that e has looked at, and close the channel,
// can do so although the locks are held: there is none, or none that they take.
func (s *search) letsClose(e *occurrence, kept locks.Set, closers map[*accesses.Body]bool) bool {
	switch {
	case len(kept) == 0:
		return true
	case e.Kind == access.Atomic:
		return !s.keepsOut(kept, e.Var, closers)
	case e.via == nil || len(locksOf(kept)) != len(kept):
		return false
	}
	for b := range closers {
		for _, w := range s.states[b].order {
			if w.Var != e.Var || w.Mode != atomicity.Write || b == s.body {
				continue
			}
			if len(locksOf(w.held)) != len(w.held) || slices.ContainsFunc(locksOf(kept), func(l accesses.Place) bool { return w.lockOf(locks.ClassOf(l)).Valid() }) {
				return false
			}
		}
	}
	return true
}

// keepsOut says whether some of those others who set the flag and close the channel do so
// with one of the locks held, or with one that is not known.
func (s *search) keepsOut(kept locks.Set, flag access.Var, closers map[*accesses.Body]bool) bool {
	for b := range closers {
		if b == s.body {
			continue
		}
		for _, w := range s.states[b].order {
			if w.Var != flag || w.Mode != atomicity.Write {
				continue
			}
			for l := range w.held {
				if l == locks.Once {
					continue
				}
				if slices.ContainsFunc(kept.Places(), func(k accesses.Place) bool { return perhapsOne(k, l) }) {
					return true
				}
			}
		}
	}
	return false
}

// perhapsOne says whether the two may be one lock: of locks that callers hold the class is known, or nothing.
func perhapsOne(k, l accesses.Place) bool {
	switch {
	case k == locks.Caller || l == locks.Caller:
		return true
	case k.Root == nil || l.Root == nil:
		return strings.TrimLeft(locks.ClassOf(k), "*") == strings.TrimLeft(locks.ClassOf(l), "*")
	}
	return lastOf(k.Path) == lastOf(l.Path)
}

// heldAt is what is held before the event of the body searched.
func (s *search) heldAt(block, index int) locks.Set {
	var set locks.Set
	s.locks.Walk(s.body, func(b, i int, _ accesses.Event, held locks.Set) {
		if b == block && i == index {
			set = held
		}
	})
	return set
}
