package section

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// fallsAsleep finds waits for a channel on which another function sends only to those who have said,
// by an atomic flag, that they sleep, where this is said after the release of the lock under which
// there was nothing to do:
//
//	q.mu.Lock(); next := q.take(); q.mu.Unlock()
//	if next == nil {
//		q.sleeping.Store(true)
//		<-q.wake
//	}
//	…
//	q.mu.Lock(); q.items = append(q.items, x); q.mu.Unlock()
//	if q.sleeping.CompareAndSwap(true, false) { q.wake <- struct{}{} }
//
// What is put there in between is told to nobody. Who looks again after the flag is set misses nothing.
func (s *search) fallsAsleep() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Atomic || w.via != nil || w.later || !w.Var.Obj.IsField() || w.place.Root == nil || w.held.Any() || s.reachOf(w) == shared.Private {
			continue
		}
		values := stored(w.Access)
		if len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil {
			continue
		}
		ch := s.fallsInto(w)
		if ch == nil {
			continue
		}
		looks := s.looksDeciding(w)
		for _, of := range slices.SortedFunc(maps.Keys(looks), func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
			put, in := s.wakesSleeper(w.Var, ch.Var, of)
			if put == nil {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{in: true}); !strong {
				continue
			}
			c := s.direct("testuse", "lost-wakeup", w.Access, looks[of].Pos(), w.Pos())
			c.Roles = [2]string{"looked at", "marked"}
			c.Message = fmt.Sprintf("what %s puts into %s between the look at it and here is told to nobody: the lock is released, and %s is set too late to be seen",
				in.Fn.Name, of.Name(), w.place)
			s.tell(c, w, w.Access)
			return
		}
	}
}

// fallsInto is the channel of the object of w that the body waits for, without an end to its patience,
// next after the statement of w.
func (s *search) fallsInto(w *occurrence) *occurrence {
	var ch *occurrence
	of := func(e ast.Expr) {
		if o := s.occurrenceOf(e); e != nil && o != nil && isChannelRead(o) && o.place.Root == w.place.Root && ch == nil {
			ch = o
		}
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for i := 0; i+1 < len(list); i++ {
			if list[i].Pos() > w.Pos() || w.Pos() >= list[i].End() {
				continue
			}
			switch next := list[i+1].(type) {
			case *ast.ExprStmt:
				of(received(&ast.CommClause{Comm: next}))
			case *ast.SelectStmt:
				for _, clause := range next.Body.List {
					if !s.givesUp(next) {
						of(received(clause.(*ast.CommClause)))
					}
				}
			}
		}
		return true
	})
	return ch
}

// looksDeciding are the fields of the object of w that the body has looked at under a lock of it, and
// not after w, where what it has found there decides whether it comes to w.
func (s *search) looksDeciding(w *occurrence) map[*types.Var]ast.Node {
	looks := map[*types.Var]ast.Node{}
	for block, conds := range s.body.Conds {
		if decides, _ := s.decides(block, w.block); !decides {
			continue
		}
		for _, cond := range conds {
			from := []ast.Expr{cond}
			ast.Inspect(cond, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
						from = append(from, d.value)
					}
				}
				return true
			})
			for _, e := range from {
				for field, at := range s.namedUnder(w.place.Root, e.Pos(), e.End(), false) {
					looks[field] = at
				}
			}
		}
	}
	for again := range s.namedUnder(w.place.Root, w.Pos(), s.body.Block.End(), true) {
		delete(looks, again)
	}
	return looks
}

// namedUnder are the fields of the object that are named in what lies from one position to the other,
// by an access, or in a call, with a lock held or, if bare, with none too.
func (s *search) namedUnder(object types.Object, from, to token.Pos, bare bool) map[*types.Var]ast.Node {
	fields := map[*types.Var]ast.Node{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || sel.Pos() < from || sel.End() > to {
			return true
		}
		if id := identOf(sel.X); id == nil || s.pkg.Info.ObjectOf(id) != object {
			return true
		}
		field, ok := s.pkg.Info.ObjectOf(sel.Sel).(*types.Var)
		if ok && field.IsField() && (bare || s.heldAround(sel)) {
			fields[field.Origin()] = sel
		}
		return true
	})
	return fields
}

// heldAround says whether a lock is held where the expression is accessed, or at the call around it.
func (s *search) heldAround(e ast.Expr) bool {
	if slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.via == nil && ast.Unparen(o.Expr) == e && o.held.Any()
	}) {
		return true
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if ok && ev.Kind == accesses.OnCall && call.Pos() <= e.Pos() && e.End() <= call.End() && s.heldAtCall(call).Any() {
				return true
			}
		}
	}
	return false
}

// wakesSleeper is the function, and the access to the flag there, which puts something into the field
// under a lock, by itself or as append and heap.Push do, and then sends on the channel if the flag is
// set, and not otherwise.
func (s *search) wakesSleeper(flag, ch access.Var, field *types.Var) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.stateOf(b)
		for _, asked := range s.order {
			if asked.Var != flag || asked.via != nil || asked.Mode == atomicity.Write && !rmw(asked.Access) || asked.place.Root == nil {
				continue
			}
			tests := s.testsOf(asked.Access, false)
			sends := slices.ContainsFunc(s.order, func(o *occurrence) bool {
				return o.Var == ch && s.sentOn(o) && s.decided(tests, o.block)
			})
			if sends && s.putsUnder(asked, field) {
				return asked, b
			}
		}
	}
	return nil, nil
}

// sentOn says whether the body sends on the channel that o reads.
func (s *search) sentOn(o *occurrence) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			if send, ok := ev.Node.(*ast.SendStmt); ok && ev.Kind == accesses.OnSend && s.occurrenceOf(send.Chan) == o {
				return true
			}
		}
	}
	return false
}

// putsUnder says whether the body puts something into the field, under a lock, before it asks.
func (s *search) putsUnder(asked *occurrence, field *types.Var) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || n.Pos() < asked.Pos() && s.variable(l) == field && slices.ContainsFunc(s.order, func(o *occurrence) bool {
					return o.Mode == atomicity.Write && o.Expr == l && o.held.Any() && s.isGrowth(o)
				})
			}
		case *ast.CallExpr:
			fn := s.locks.Callee(n)
			if fn == nil || n.Pos() > asked.Pos() || fn.Name() != "Push" && fn.Name() != "PushBack" && fn.Name() != "PushFront" {
				break
			}
			for named := range s.namedUnder(asked.place.Root, n.Pos(), n.End(), false) {
				found = found || named == field
			}
		}
		return !found
	})
	return found
}
