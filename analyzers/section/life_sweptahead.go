package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sweptAhead finds functions that end all which is in a map or list, and only then wait for the
// goroutine which puts more there:
//
//	s.listener.Close()
//	s.mu.Lock(); for _, c := range s.conns { c.Close() }; s.mu.Unlock()
//	<-s.accepting // for { c, err := s.listener.Accept(); …; s.add(c) }; close(s.accepting)
//
// What that one has accepted by then, and adds after the walk, is never ended. It must not be told
// before the walk, by a flag or channel, that it, or what it adds, is to come to an end.
func (s *search) sweptAhead() {
	if s.body.Outermost() != s.body || s.body.Func == nil || s.body.Func.Signature().Recv() == nil {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return true
		}
		swept := s.variable(loop.X)
		if swept == nil || !swept.IsField() || !s.endsEach(loop) {
			return true
		}
		waits := s.waitedForAfter(loop)
		if len(waits) == 0 || !s.shared.Entered(s.body) || s.shared.Sequential(s.body) || s.waitsBetween(s.body, s.body.Block.Pos(), loop.Pos()) || s.walksLater(swept, loop) {
			return true
		}
		told, cancelled := s.toldAhead(loop.Pos())
		if cancelled {
			return true
		}
		for _, b := range s.pkg.Bodies {
			if !s.tellsEndOn(b, waits) {
				continue
			}
			if put, in := s.putsMore(b, swept, told); put != nil {
				s.isSweptAhead(loop, swept, put, in)
				return false
			}
		}
		return true
	})
}

func (s *search) isSweptAhead(loop *ast.RangeStmt, swept *types.Var, put *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, put.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	a := &access.Access{Var: access.Var{Obj: swept}, Mode: atomicity.Read, Func: s.body.Fn, Expr: loop.X, Cell: loop.X}
	c := s.direct("testuse", "use-after-unlock", a, loop.Pos(), put.Pos())
	c.Roles = [2]string{"walked through", "added to"}
	c.Message = fmt.Sprintf("what %s puts into %s after this walk is never ended: %s waits for the goroutine that does so only afterwards",
		in.Fn.Name, swept.Name(), s.body.Fn.Name)
	s.tell(c, &occurrence{Access: a, place: s.pkg.PlaceOf(loop.X)}, put.Access)
}

// endsEach says whether the loop calls a method of each that it meets by which that comes to an end, or
// closes it or a channel of it.
func (s *search) endsEach(loop *ast.RangeStmt) bool {
	met := map[types.Object]bool{}
	for _, e := range []ast.Expr{loop.Key, loop.Value} {
		if e != nil && identOf(e) != nil {
			met[s.pkg.Info.ObjectOf(identOf(e))] = true
		}
	}
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		if ch := s.closeOf(call); ch != nil {
			root, _ := s.channelIn(call.Args[0])
			found = met[root]
		} else if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && (endings.MatchString(sel.Sel.Name) || ownEndings.MatchString(sel.Sel.Name)) {
			id, ok := baseOf(sel.X).(*ast.Ident)
			found = ok && met[s.pkg.Info.ObjectOf(id)]
		}
		return !found
	})
	return found
}

// waitedForAfter are the channels and WaitGroups of the receiver that the body waits for after the loop,
// whatever comes.
func (s *search) waitedForAfter(loop *ast.RangeStmt) map[*types.Var]bool {
	list := map[*types.Var]bool{}
	recv := types.Object(s.body.Func.Signature().Recv())
	for _, st := range s.body.Block.List {
		x, ok := st.(*ast.ExprStmt)
		if !ok || st.Pos() < loop.End() {
			continue
		}
		var pl accesses.Place
		switch x := ast.Unparen(x.X).(type) {
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				pl = s.pkg.PlaceOf(x.X)
			}
		case *ast.CallExpr:
			pl = s.ofWaitGroup(x, "Wait")
		}
		if pl.Root == recv && pl.Field() != nil {
			list[pl.Field()] = true
		}
	}
	return list
}

// walksLater says whether the body walks through the variable again after the loop.
func (s *search) walksLater(v *types.Var, loop *ast.RangeStmt) bool {
	again := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		other, ok := n.(*ast.RangeStmt)
		again = again || ok && other.Pos() > loop.End() && s.variable(other.X) == v
		return !again
	})
	return again
}

// toldAhead are the variables that the body sets, and the channels that it closes, before the position;
// and whether it cancels a context there, or sends somebody word.
func (s *search) toldAhead(at token.Pos) (told map[access.Var]bool, cancelled bool) {
	told = map[access.Var]bool{}
	for _, o := range s.order {
		if o.Mode == atomicity.Write && o.Pos() < at {
			told[o.Var] = true
		}
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || n.Pos() > at {
			return false
		}
		switch n := n.(type) {
		case *ast.SendStmt:
			cancelled = true
		case *ast.CallExpr:
			if ch := s.closeOf(n); ch != nil {
				if v := s.variable(ch); v != nil {
					told[access.Var{Obj: v}] = true
				}
				break
			}
			name := types.ExprString(n.Fun)
			name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
			cancelled = cancelled || strings.Contains(name, "cancel") || strings.Contains(name, "quit") || strings.Contains(name, "done")
			if b := s.pkg.ByFunc[s.locks.Callee(n)]; b != nil && b != s.body {
				cancelled = true // what it says is not followed
			}
		}
		return true
	})
	return told, cancelled
}

// tellsEndOn says whether the body tells of its end on one of the channels or WaitGroups.
func (s *search) tellsEndOn(b *accesses.Body, on map[*types.Var]bool) bool {
	if b.Outermost() == s.body || !s.shared.Spawned(b) {
		return false
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if pl := s.endTold(ev); pl.Root != nil && on[pl.Field()] {
				return true
			}
		}
	}
	return false
}

// putsMore is where the body, or a function of the package that it calls, adds to the variable in a loop,
// without being told before by what is set, and without a look at that when it has.
func (s *search) putsMore(b *accesses.Body, v *types.Var, told map[access.Var]bool) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	way := map[*accesses.Body]token.Pos{}
	put, in := s.addsBelow(b, v, told, false, way)
	if put == nil || s.heeds(b, way, told, map[*accesses.Body]bool{}) {
		return nil, nil
	}
	return put, in
}

// addsBelow is where b, or what it calls, adds to the variable, with a loop around; way is how it comes there.
func (s *search) addsBelow(b *accesses.Body, v *types.Var, told map[access.Var]bool, looped bool, way map[*accesses.Body]token.Pos) (put *occurrence, in *accesses.Body) {
	s.bodyState = s.stateOf(b)
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.via == nil && !w.later && w.Var.Obj == v && w.Method != "delete" && s.isGrowth(w) && (looped || inLoop(b.Block, w.Expr)) {
			if s.asksOnWay(w.block, told) {
				return nil, nil
			}
			way[b] = w.Pos()
			return w, b
		}
	}
	if len(way) > 2 {
		return nil, nil
	}
	for block, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			to := s.pkg.ByFunc[s.locks.Callee(call)]
			if to == nil || way[to] > 0 || to == b || s.shared.Constructing(to) || s.asksOnWay(block, told) {
				continue
			}
			way[b] = call.Pos()
			put, in = s.addsBelow(to, v, told, looped || inLoop(b.Block, call), way)
			if s.bodyState = s.stateOf(b); put != nil {
				return put, in
			}
			delete(way, b)
		}
	}
	return nil, nil
}

// asksOnWay says whether a condition about what is told decides whether control comes to the block, in the
// same turn of a loop: it comes there only by way of that.
func (s *search) asksOnWay(block int, told map[access.Var]bool) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides || !always(s.body, test, 0, block, 1) {
			continue
		}
		for _, cond := range conds {
			for a := range s.values.of(cond) {
				if isAmong(a.Var, told) {
					return true
				}
			}
			for a := range s.values.carried(cond) {
				if isAmong(a.Var, told) {
					return true
				}
			}
		}
	}
	return false
}

func isAmong(v access.Var, told map[access.Var]bool) bool {
	return told[v] || told[access.Var{Obj: v.Obj}]
}

// heeds says whether the goroutine b, or what it calls or starts, reads what is told before, other than on
// the way to where it adds.
func (s *search) heeds(b *accesses.Body, way map[*accesses.Body]token.Pos, told map[access.Var]bool, seen map[*accesses.Body]bool) bool {
	if seen[b] || len(seen) > 60 {
		return false
	}
	seen[b] = true
	for _, o := range s.stateOf(b).order {
		if o.Mode == atomicity.Read && o.via == nil && o.Pos() > way[b] && isAmong(o.Var, told) {
			return true
		}
	}
	for _, lit := range b.Lits {
		if s.heeds(lit, way, told, seen) {
			return true
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if call := callOf(ev.Node); call != nil {
				if to := s.pkg.ByFunc[s.locks.Callee(call)]; to != nil && s.heeds(to, way, told, seen) {
					return true
				}
			}
		}
	}
	return false
}
