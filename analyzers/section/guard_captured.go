package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// capturedBare finds locals that a literal which the function has started as a goroutine, or with a timer, changes
// while the function, or another such literal, uses them, or the other way round:
//
//	n := 0
//	go func() { for work() { n++ } }()
//	for range time.Tick(time.Second) { log.Print(n) }
//
// Neither holds a lock, and nothing that could wait for the other one lies between the start and the use, nor in the
// literal ahead of it; a call of whatever is not known could, where the function itself goes on.
func (s *search) capturedBare() {
	var started []startedLit
	for block, events := range s.body.Events {
		for index, ev := range events {
			if lit, handler := s.startsLiteral(ev); lit != nil {
				if b := s.pkg.ByNode[lit]; b != nil && s.states[b] != nil {
					started = append(started, startedLit{b, ev.Node, block, index, handler, s.openIn(b)})
				}
			}
		}
	}
	told := map[types.Object]bool{}
	for i, l := range started {
		if !l.handler {
			s.usedBeside(l, told)
		}
		for _, k := range started[:i] {
			if k.body != l.body && (k.handler && !s.runsHandlers(l) || l.handler && !s.runsHandlers(k) || !k.handler && !l.handler && (s.atOnceAfter(k, l) || s.atOnceAfter(l, k))) {
				s.usedInBoth(k, l, told)
			}
		}
	}
}

// startedLit is a literal of the body that runs beside it from the place on, as a goroutine, by a timer, or as what is
// called when something has come.
type startedLit struct {
	body         *accesses.Body
	at           ast.Node
	block, index int
	handler      bool
	open         []*occurrence // to locals from outside, with no lock, and nothing that waits ahead of them
}

// runsHandlers says whether the literal is a handler too, or calls, by its name, what reads messages and calls the handlers:
// they run in its own goroutine then.
func (s *search) runsHandlers(l startedLit) bool {
	found := l.handler
	ast.Inspect(l.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && readingOn.MatchString(calledName(call))
		return !found
	})
	return found
}

var readingOn = pattern.New(`(?i)^(read|next|recv|receive|serve|run|listen|poll|loop|start|handle|process|consume|accept|dispatch)`)

// startsLiteral is the literal that the event starts, and whether it is one of those that a library calls for each
// message, by the name of the method that is given it.
func (s *search) startsLiteral(ev accesses.Event) (lit *ast.FuncLit, handler bool) {
	switch n := ev.Node.(type) {
	case *ast.GoStmt:
		lit, _ = ast.Unparen(n.Call.Fun).(*ast.FuncLit)
		return lit, false
	case *ast.CallExpr:
		fn := s.locks.Callee(n)
		if ev.Kind != accesses.OnCall || fn == nil || fn.Pkg() == nil || len(n.Args) == 0 {
			return nil, false
		}
		lit, _ = ast.Unparen(n.Args[len(n.Args)-1]).(*ast.FuncLit)
		if fn.Pkg().Path() == "time" && fn.Name() == "AfterFunc" || groups[fn.Pkg().Path()] && fn.Name() == "Go" && fn.Signature().Recv() != nil && !s.limitsGroups() {
			return lit, false
		}
		if fn.Pkg() != s.pkg.Types && fn.Signature().Recv() != nil && handlerSetting.MatchString(fn.Name()) {
			return lit, true
		}
	}
	return nil, false
}

// groups are packages with types whose method Go starts a goroutine, at once unless they have a limit.
var groups = map[string]bool{"golang.org/x/sync/errgroup": true, "sync": true}

// limitsGroups says whether the function sets the limit of a group, which may be one goroutine.
func (s *search) limitsGroups() bool {
	found := false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && calledName(call) == "SetLimit"
		return !found
	})
	return found
}

var handlerSetting = pattern.New(`^(Set|Add|Register)[A-Z]\w*(Handler|Callback|Listener)$`)

// openIn are the accesses of the literal to locals from outside of it that it comes to with no lock, and without
// having waited for anything.
func (s *search) openIn(b *accesses.Body) (list []*occurrence) {
	s.inState(b, func() {
		entry := &occurrence{Access: &access.Access{}, block: 0, index: -1}
		s.onward(entry, func(_, _ int, ev accesses.Event, _ locks.Set) bool {
			if s.mustWait(ev) {
				return true
			}
			if o := s.capturedAt(ev); o != nil && (o.place.Root.Pos() < b.Node.Pos() || b.Node.End() <= o.place.Root.Pos()) && !s.amongReceived(b.Block, b.Block.Pos(), o) {
				list = append(list, o)
			}
			return false
		})
	})
	return list
}

// capturedAt is the access at the event if it is one to a local, or an element of a local map, with no lock.
func (s *search) capturedAt(ev accesses.Event) *occurrence {
	if ev.Kind != accesses.OnAccess {
		return nil
	}
	o := s.occ[ev.Access]
	if o == nil || o.via != nil || o.later || len(o.held) > 0 {
		return nil
	}
	v, ok := o.place.Root.(*types.Var)
	if !ok || v != o.Var.Obj || v.IsField() || accesses.IsGlobal(v) || o.Pos() == v.Pos() {
		return nil
	}
	if _, isChan := v.Type().Underlying().(*types.Chan); isChan {
		return nil // what comes by it, or its end, may be what is waited for
	}
	if o.Kind != access.Cell && o.Kind != access.MapElement {
		return nil
	}
	return o
}

// usedBeside tells of a local that the function uses right after the start of the literal, which uses it too.
func (s *search) usedBeside(l startedLit, told map[types.Object]bool) {
	s.onward(&occurrence{Access: &access.Access{}, block: l.block, index: l.index}, func(_, _ int, ev accesses.Event, _ locks.Set) bool {
		if s.mustWait(ev) || s.mayWait(ev) {
			return true
		}
		if o := s.capturedAt(ev); o != nil && s.sameTurn(o, l.at) && !s.amongReceived(s.body.Block, l.at.End(), o) && !s.waitsBehind(o) {
			for _, k := range l.open {
				s.tellCaptured(k, o, "the function that has started it", told)
			}
		}
		return false
	})
}

// usedInBoth tells of a local that both literals use.
func (s *search) usedInBoth(k, l startedLit, told map[types.Object]bool) {
	for _, a := range k.open {
		for _, b := range l.open {
			s.tellCaptured(a, b, "another one that the function has started", told)
		}
	}
}

// waitsBehind says whether the statement of o goes on with a call or a receive that may wait, as in
// return x, group.Wait(): x is loaded when it is through, though the language does not say so.
func (s *search) waitsBehind(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || n.End() < o.Expr.End() || found {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.ExprStmt:
			if n.Pos() > o.Pos() {
				return false
			}
			for m := range ast.Preorder(n) {
				switch m := m.(type) {
				case *ast.CallExpr:
					found = found || m.Pos() >= o.Expr.End() && (s.mayWait(accesses.Event{Kind: accesses.OnCall, Node: m}) || s.mustWait(accesses.Event{Kind: accesses.OnCall, Node: m}))
				case *ast.UnaryExpr:
					found = found || m.Pos() >= o.Expr.End() && m.Op == token.ARROW
				}
			}
			return false
		}
		return true
	})
	return found
}

// atOnceAfter says whether the body starts l after k, and waits for nothing in between.
func (s *search) atOnceAfter(k, l startedLit) bool {
	found := false
	s.onward(&occurrence{Access: &access.Access{}, block: k.block, index: k.index}, func(block, index int, ev accesses.Event, _ locks.Set) bool {
		found = found || block == l.block && index == l.index
		return found || s.mustWait(ev) || s.mayWait(ev)
	})
	return found
}

func (s *search) tellCaptured(k, o *occurrence, who string, told map[types.Object]bool) {
	v := k.place.Root
	if o.place.Root != v || k.Mode == atomicity.Read && o.Mode == atomicity.Read || k.Kind == access.Cell != (o.Kind == access.Cell) || told[v] || s.toldOfFlag(k.Var) || s.toldOfFlag(o.Var) {
		return
	}
	told[v] = true
	does, use, role := "read", "reads", "read"
	if k.Mode == atomicity.Write {
		does = "changed"
	}
	if o.Mode == atomicity.Write {
		use, role = "changes", "changed"
	}
	c := s.direct("discipline", "unguarded-access", k.Access, k.Pos(), o.Pos())
	c.Name, c.EndName = v.Name(), v.Name()
	c.Roles = [2]string{does + " by the goroutine", role}
	c.Message = fmt.Sprintf("%s is %s here by a goroutine while %s %s it: nothing waits in between, and neither holds a lock", v.Name(), does, who, use)
	s.tell(c, k, o.Access)
}

// sameTurn says whether o, which may lie in the next turn of a loop around the start, is to the same local.
func (s *search) sameTurn(o *occurrence, start ast.Node) bool {
	if s.pkg.Order(o.Pos()) > s.pkg.Order(start.End()) {
		return true
	}
	same := true
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || n.Pos() > start.Pos() || n.End() < start.End() {
			return false
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= o.Pos() && o.Pos() < n.End() && n.Pos() <= o.place.Root.Pos() {
				same = false
			}
		}
		return true
	})
	return same
}

// mustWait says whether the event may let go on whom another goroutine has told to: a receive, other than from a
// timer, a send, and what package sync and those whose names say so do.
func (s *search) mustWait(ev accesses.Event) bool {
	switch ev.Kind {
	case accesses.OnSend:
		return true
	case accesses.OnReceive:
		return !s.isTick(ev.Node)
	case accesses.OnCall:
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok {
			return false
		}
		if tv := s.pkg.Info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
			return false
		}
		fn := s.locks.Callee(call)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		if fn.Pkg().Path() == "sync" {
			return !goesOn.MatchString(fn.Name())
		}
		return fn.Pkg().Path() == "sync/atomic" || waitingNames.MatchString(fn.Name())
	}
	return false
}

// goesOn are the methods of package sync by which one lets others go on and waits for nobody.
var goesOn = pattern.New(`^(Add|Done|Go|R?Unlock)$`)

var waitingNames = pattern.New(`(?i)wait|lock|acquire|join|rec(v|eive)|barrier|signal|sync|done`)

// mayWait says whether the event is a call of which it is not known that it waits for nobody.
func (s *search) mayWait(ev accesses.Event) bool {
	call, ok := ev.Node.(*ast.CallExpr)
	if !ok || ev.Kind != accesses.OnCall {
		return false
	}
	if tv := s.pkg.Info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
		return false
	}
	if lit, _ := s.startsLiteral(ev); lit != nil {
		return false
	}
	fn := s.locks.Callee(call)
	if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" {
		return false // see mustWait
	}
	return fn == nil || fn.Pkg() == nil || !waitsForNobody[fn.Pkg().Path()]
}

// waitsForNobody are packages whose functions and methods return whatever other goroutines do.
var waitsForNobody = map[string]bool{
	"bytes": true, "encoding/binary": true, "encoding/hex": true, "encoding/json": true, "errors": true, "fmt": true, "log": true, "maps": true, "math": true,
	"math/rand": true, "os/signal": true, "path": true, "path/filepath": true, "slices": true, "sort": true, "strconv": true, "strings": true, "time": true, "unicode": true,
}

// amongReceived says whether a loop over what comes on a channel, other than of times, begins ahead of o in the block
// and behind the start: whoever sends may have waited for others.
func (s *search) amongReceived(block ast.Node, from token.Pos, o *occurrence) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if loop, ok := n.(*ast.RangeStmt); ok && from <= loop.Pos() && loop.Pos() < o.Pos() {
			if ch, isChan := s.values.underlying(loop.X).(*types.Chan); isChan {
				found = found || !isTime(ch.Elem())
			}
		}
		return !found
	})
	return found
}
