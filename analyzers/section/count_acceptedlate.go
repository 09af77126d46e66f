package section

import (
	"go/ast"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// acceptedLate finds loops that look whether the object is at its end, and only then count in a
// WaitGroup what they have accepted, where another function sets what they look at, and waits for
// the group then:
//
//	for {
//		c, err := ln.Accept()
//		…
//		s.mu.RLock(); on := s.started; s.mu.RUnlock()
//		if !on { return }
//		s.conns.Add(1)  // Shutdown: s.started = false …; s.conns.Wait()
//		go s.serve(c)
//	}
//
// The other one can have waited for the group by then. What it is called by tells nothing here, as
// it does for [search.uncounted]. A loop whose own end somebody may wait for is no such one: as long
// as it runs, the wait goes on.
func (s *search) acceptedLate(add groupCall) bool {
	if s.awaitedItself(s.body, 0) {
		return false
	}
	root := s.pkg.PlaceOf(add.on).Root
	for _, e := range s.order {
		if e.place.Root != root || e.Mode != atomicity.Read || e.Kind != access.Atomic && !e.held.Any() || s.reachOf(e) == shared.Private {
			continue
		}
		if s.setBeforeWait(e.Var, add) && s.decided(s.testsOf(e.Access, false), add.block) &&
			!s.looksAfter(e.Var, add) && s.apart(e, add.block, add.index) && !s.startsLooking(add, e.Var) {
			s.late(e, add.call, add.call, add.on)
			return true
		}
	}
	return false
}

// setBeforeWait says whether a function for outside callers, or for goroutines, sets the variable and
// waits for the group of the call then, by itself or in a goroutine that it starts.
func (s *search) setBeforeWait(v access.Var, add groupCall) bool {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for b := range s.shared.Use(v).Writers() {
		if b.Outermost() != b || b == current.body.Outermost() || s.shared.Constructing(b) || !s.shared.Entered(b) && !s.shared.Begins(b) {
			continue
		}
		var set *occurrence
		for _, o := range s.stateOf(b).order {
			if o.Var == v && o.Mode == atomicity.Write && set == nil {
				set = o
			}
		}
		if set == nil {
			continue
		}
		for _, in := range s.pkg.Bodies {
			if in.Outermost() != b {
				continue
			}
			s.bodyState = s.stateOf(in)
			for _, wait := range s.groupCalls("Wait") {
				if wait.group == add.group && wait.call.Pos() > set.Pos() {
					return true
				}
			}
		}
	}
	return false
}

// awaitedItself says whether what runs the body tells of its end: it counts itself out of a group,
// closes a channel, or is started by the Go of a group.
func (s *search) awaitedItself(b *accesses.Body, depth int) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if s.endTold(ev).Root != nil {
				return true
			}
		}
	}
	if s.goneByGroup(b) {
		return true
	}
	if b.Func == nil || depth > 3 {
		return false
	}
	for _, from := range s.callersOf(b.Func) {
		if from != b && s.awaitedItself(from, depth+1) {
			return true
		}
	}
	return false
}

// goneByGroup says whether a method called Go is given the body: g.Go(func() { … }), g.Go(s.loop).
func (s *search) goneByGroup(b *accesses.Body) bool {
	for _, from := range s.pkg.Bodies {
		for _, events := range from.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall {
					continue
				}
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); !ok || sel.Sel.Name != "Go" {
					continue
				}
				for _, arg := range call.Args {
					switch arg := ast.Unparen(arg).(type) {
					case *ast.FuncLit:
						if arg.Body == b.Block {
							return true
						}
					case *ast.SelectorExpr:
						if b.Func != nil && s.pkg.Info.Uses[arg.Sel] == b.Func {
							return true
						}
					}
				}
			}
		}
	}
	return false
}
