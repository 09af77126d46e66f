package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// addedLate finds functions that look at the flag for the end, and put something on a list
// later, under the lock, without another look, where who sets the flag then walks through the
// list to end all that is on it: what is added in between is never ended.
func (s *search) addedLate() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, reg := range s.order {
		if reg.Mode != atomicity.Write || reg.lit || reg.later || !reg.Var.Obj.IsField() || !s.ownLockOf(reg, reg.held) || !s.adds(reg) || s.reachOf(reg) == shared.Private || s.inFlight(reg.Pos()) {
			continue
		}
		for _, look := range s.order {
			if look.Mode != atomicity.Read || look.lit || look.Var.Obj == reg.Var.Obj || look.place.Root != reg.place.Root || !s.letsBy(look, reg) || s.oneHold(look, reg) || s.readFrom(reg, look.Var.Obj) {
				continue
			}
			if set, in := s.endsAll(look.Var, reg.Var.Obj); set != nil {
				s.isAddedLate(look, reg, set, in)
				return
			}
		}
		if look, set, in := s.askedBefore(reg); set != nil {
			s.isAddedLate(look, reg, set, in)
			return
		}
	}
}

func (s *search) isAddedLate(look, reg, set *occurrence, in *accesses.Body) {
	if !s.nothingToEnd(reg, in, reg.Var.Obj) {
		s.isTooLate(look, reg, in, "added to", "%s can be %s by %s after it was tested here and before %s is added to, which %s has walked through by then: what is added is never ended")
	}
}

// isTooLate reports that the body acts on look at reg, where the body in has set the flag, and
// been through with the other variable, before.
func (s *search) isTooLate(look, reg *occurrence, in *accesses.Body, role, format string) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, look.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	category := "unlock-relock"
	if look.Kind == access.Atomic && !look.held.Any() {
		category = "atomic-check-then-act"
	}
	done := "set"
	if _, ok := look.Var.Obj.Type().Underlying().(*types.Chan); ok {
		if done = "closed"; !look.held.Any() {
			category = "test-before-lock"
		}
	}
	c := s.direct("testuse", category, look.source(), look.Pos(), reg.Pos())
	c.Via, c.EndVia = look.via, reg.via
	c.EndName = s.pkg.Name(reg.source().Var)
	c.Roles = [2]string{"tested", role}
	c.Message = fmt.Sprintf(format, look.place, done, in.Fn.Name, reg.place, in.Fn.Name)
	s.tell(c, look, reg.source())
}

// letsBy says whether look, at a flag or in a select at a channel that is closed in the end,
// decides whether the body comes to reg.
func (s *search) letsBy(look, reg *occurrence) bool {
	if isSwitch(look) {
		return (look.Kind == access.Atomic || s.ownLockOf(look, look.held)) && s.decided(s.testsOf(look.Access, true), reg.block)
	}
	if _, ok := look.Var.Obj.Type().Underlying().(*types.Chan); !ok || look.Kind != access.Cell || look.via != nil {
		return false
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if ok && sel.Pos() < look.Pos() && look.Pos() < sel.End() {
			received, leaving, fallback := s.poll(sel, look.place)
			found = received != nil && look.Pos() == received.Pos() && (leaving && sel.End() < reg.Pos() || fallback.Pos() < reg.Pos() && reg.Pos() < fallback.End())
		}
		return !found
	})
	return found
}

// isSwitch says whether the variable is a flag, or an atomic one.
func isSwitch(o *occurrence) bool {
	if isFlag(o.Var) || o.Kind == access.Atomic && isNumber(o.Var) {
		return true
	}
	tn := accesses.TypeName(o.Var.Obj.Type())
	return o.Kind == access.Atomic && tn != nil && (tn.Name() == "Bool" || tn.Name() == "Int32" || tn.Name() == "Uint32" || tn.Name() == "Int64")
}

// ownEndings are the names of functions of a package's own that end something, as shutdown and
// closeWithError.
var ownEndings = pattern.New(`^(close|stop|shut[dD]own|cancel|terminate|destroy|disconnect|quit|halt|kill|abort|tear[dD]own|dispose|fail)(All|Conn|Connection|Now|Locked|With[A-Z]\w*|Internal|Err|Error|Session|Client|Stream|Subscribers|Self)*$`)

// endsAll is where a function that ends something sets the flag, and goes on to a walk
// through the list which calls each that is on it. A flag that is called closed, and is never
// taken back, is set by one whatever that is called.
func (s *search) endsAll(flag access.Var, list *types.Var) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	forEver := s.setForEver(flag)
	for _, b := range s.pkg.Bodies {
		fn := b.Outermost().Func
		if b.Outermost() == current.body.Outermost() || fn == nil {
			continue
		}
		named := endings.MatchString(fn.Name()) || ownEndings.MatchString(fn.Name())
		if !named && !forEver {
			continue
		}
		s.bodyState = s.states[b]
		for _, set := range s.thrown(flag) {
			if slices.ContainsFunc(s.order, func(walk *occurrence) bool {
				return (named || !s.leadsTo(walk, set)) && (walk.Mode == atomicity.Read || walk.via != nil) && walk.Var.Obj == list && !s.waitsBetween(b.Outermost(), set.Pos(), walk.Pos()) && (s.leadsTo(set, walk) || s.oneHold(walk, set)) && s.tellsEach(walk)
			}) || named && s.tellsEachOf(list, set) {
				return set, b
			}
		}
	}
	return nil, nil
}

// setForEver says whether the flag is called after an end, and nobody takes it back.
func (s *search) setForEver(flag access.Var) bool {
	if !ends.MatchString(flag.Obj.Name()) {
		return false
	}
	for b, st := range s.states {
		if s.shared.Constructing(b) {
			continue
		}
		for _, w := range st.order {
			if w.Var == flag && w.Mode == atomicity.Write && w.via == nil && !s.switches(w) {
				return false
			}
		}
	}
	return true
}

// thrown are the places where the body sets the flag, or closes the channel.
func (s *search) thrown(flag access.Var) []*occurrence {
	var list []*occurrence
	for _, set := range s.order {
		if set.Mode == atomicity.Write && set.Var == flag && s.switches(set) {
			list = append(list, set)
		}
	}
	for _, c := range s.closeCalls() {
		if c.channel.Var == flag {
			list = append(list, c.channel)
		}
	}
	return append(list, s.closedInLiteral(flag)...)
}

// closedInLiteral are the calls to which the body hands a literal that closes the channel, as in
// once.Do(func() { close(c.done) }).
func (s *search) closedInLiteral(ch access.Var) []*occurrence {
	if _, ok := ch.Obj.Type().Underlying().(*types.Chan); !ok {
		return nil
	}
	var list []*occurrence
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		for i, arg := range call.Args {
			lit := s.pkg.ByNode[ast.Unparen(arg)]
			if lit == nil || s.locks.Spawns(s.locks.Callee(call), i) {
				continue
			}
			current := s.bodyState
			s.bodyState = s.states[lit]
			for _, c := range s.closeCalls() {
				if c.channel.Var == ch {
					list = append(list, &occurrence{Access: c.channel.Access, block: block, index: index, held: held, outer: held, place: c.channel.place})
				}
			}
			s.bodyState = current
		}
	})
	return list
}

// tellsEachOf says whether a loop after set walks through what a method of this package has
// copied out of the list, to call each.
func (s *search) tellsEachOf(list *types.Var, set *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || found || loop.Pos() < set.Pos() {
			return !found
		}
		call, ok := ast.Unparen(s.values.original(loop.X)).(*ast.CallExpr)
		if !ok {
			return true
		}
		b := s.pkg.ByFunc[s.locks.Callee(call)]
		if b == nil || b.Func.Signature().Recv() == nil || len(b.CFG.Blocks) > maxBlocks {
			return true
		}
		found = s.callsEach(loop) && slices.ContainsFunc(s.stateOf(b).order, func(o *occurrence) bool {
			return o.Mode == atomicity.Read && o.via == nil && o.Var.Obj == list && o.held.Any()
		})
		return true
	})
	return found
}

// switches says whether the write stores a constant other than false and 0, or nothing that
// can be seen.
func (s *search) switches(set *occurrence) bool {
	values := stored(set.Access)
	if call, ok := set.Expr.(*ast.CallExpr); ok && set.via == nil && len(call.Args) > 0 {
		values = call.Args[len(call.Args)-1:]
	}
	if len(values) != 1 {
		return set.via != nil
	}
	v := s.pkg.Info.Types[values[0]].Value
	return v != nil && v.String() != "false" && v.String() != "0"
}
