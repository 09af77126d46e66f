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
)

// markedInside finds what is looked up in a map of that which is in work, and is put into it
// only by the goroutine that is started because it was not there, which takes it out again
// when it is done. Until that goroutine comes so far, the next look finds nothing either.
//
//	if busy.has(id) { continue }    // under busy.mu
//	go func() {
//		busy.add(id)                // under busy.mu
//		work(id)
//		busy.remove(id)
//	}()
func (s *search) markedInside() {
	if s.shared.Constructing(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			var lits []*accesses.Body
			switch n := ev.Node.(type) {
			case *ast.GoStmt:
				if lit := s.pkg.ByNode[ast.Unparen(n.Call.Fun)]; ev.Kind == accesses.OnGo && lit != nil {
					lits = []*accesses.Body{lit}
				}
			case *ast.CallExpr:
				if ev.Kind == accesses.OnCall {
					lits = s.startedLits(n)
				}
			}
			for _, lit := range lits {
				s.marksOnly(lit, &occurrence{Access: &access.Access{}, block: block, index: index})
			}
		}
	}
}

// marksOnly reports the look that lets the literal be started, if nothing but the literal
// marks what was looked for.
func (s *search) marksOnly(lit *accesses.Body, start *occurrence) {
	inner := s.stateOf(lit)
	for _, put := range inner.order {
		if put.Mode != atomicity.Write || put.Kind != access.MapElement || put.source().Method != "" || put.source().Update != nil || put.later || put.depth > 1 ||
			!put.place.Valid() || !put.Var.Obj.IsField() || declaredIn(lit, put.place.Root) || !put.held.Any() || inner.testedBefore(put) {
			continue
		}
		if !slices.ContainsFunc(inner.order, func(gone *occurrence) bool {
			return gone.Mode == atomicity.Write && gone.source().Method == "delete" && gone.sameInstance(put)
		}) {
			continue
		}
		look := s.letsStart(put, start)
		if look == nil || s.reachOf(look) == shared.Private || !s.comesAgain(start.block) || s.marksBefore(look, start) {
			continue
		}
		c := s.direct("testuse", "unlock-relock", look.source(), look.Pos(), put.Pos())
		c.Via = look.via
		c.Protected = anyOf(look.held)
		c.Roles = [2]string{"looked up", "put there only then"}
		c.Message = fmt.Sprintf("%s is put there only by the goroutine that is started because it was not: until then the next look does not find it either, and starts another", text(look, put))
		s.tell(c, look, put.source())
		return
	}
}

// text names the entry.
func text(look, put *occurrence) string {
	if put.key == look.key {
		return look.place.String() + "[" + look.key + "]"
	}
	return look.place.String() + "[" + put.key + "]"
}

// letsStart is the read of the entry that decides about the start, by the body or by a
// function of the package that returns what it has not found there.
func (s *search) letsStart(put, start *occurrence) *occurrence {
	for _, o := range s.order {
		if o.Mode == atomicity.Read && o.Var == put.Var && o.place == put.place && o.key == put.key && !o.later && o.held.Any() && s.leadsTo(o, start) && s.decided(s.testsOf(o.Access, false), start.block) {
			return o
		}
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			if !ok || ev.Kind != accesses.OnCall || len(s.values.taken[call]) == 0 || !s.leadsTo(at, start) {
				continue
			}
			if look := s.returnsMissing(call, put); look != nil {
				look.block, look.index = block, index
				return look
			}
		}
	}
	return nil
}

// returnsMissing is the look of the function that the call is of, as the call makes it, if
// the function returns only what it has not found in the map, and the key is made of that.
func (s *search) returnsMissing(call *ast.CallExpr, put *occurrence) *occurrence {
	fn := s.locks.Callee(call)
	b := s.pkg.ByFunc[fn]
	id, ok := s.values.taken[call][0].(*ast.Ident)
	if b == nil || !ok || put.Key == nil || !s.madeOf(put.Key, s.pkg.Info.ObjectOf(id)) {
		return nil
	}
	st := s.stateOf(b)
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = st
	for _, r := range st.order {
		if r.Mode != atomicity.Read || r.via != nil || r.Var != put.Var || r.Key == nil || !r.held.Any() || st.writes(r) || s.locks.ToCaller(call, fn, r.place) != put.place {
			continue
		}
		tests := s.testsOf(r.Access, false)
		found := false
		for block, events := range b.Events {
			for _, ev := range events {
				ret, ok := ev.Node.(*ast.ReturnStmt)
				if !ok || ev.Kind != accesses.OnReturn || len(ret.Results) == 0 {
					continue
				}
				what, ok := ast.Unparen(ret.Results[0]).(*ast.Ident)
				found = found || ok && s.decided(tests, block) && s.madeOf(r.Key, s.pkg.Info.ObjectOf(what))
			}
		}
		if found {
			a := *r.Access
			a.Expr = call
			return &occurrence{Access: &a, origin: r.Access, via: call, depth: 1, place: put.place, key: put.key, held: r.held, outer: locks.Set{}, at: r.Pos()}
		}
	}
	return nil
}

// madeOf says whether e is the variable, or is made of it by way of locals.
func (s *search) madeOf(e ast.Expr, obj types.Object) bool {
	seen := map[types.Object]bool{}
	var from func(e ast.Expr, depth int) bool
	from = func(e ast.Expr, depth int) bool {
		found := false
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || found {
				return !found
			}
			x := s.pkg.Info.ObjectOf(id)
			if found = x != nil && x == obj; found || x == nil || seen[x] || depth > 3 {
				return !found
			}
			seen[x] = true
			for _, d := range s.values.assigns[x] {
				found = found || from(d.value, depth+1)
			}
			return !found
		})
		return found
	}
	return obj != nil && from(e, 0)
}

// marksBefore says whether the body changes the map itself between the look and the start.
func (s *search) marksBefore(look, start *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && !w.later && w.Var == look.Var && s.leadsTo(look, w) && s.leadsTo(w, start) && w.source().Method != "delete"
	})
}

// comesAgain says whether control can come to the block a second time with the same things
// to do: in a goroutine of which there are several, or a call from outside, or in a loop that
// is not over one list.
func (s *search) comesAgain(block int) bool {
	if s.shared.Launched(s.body) || s.shared.Several(s.body) {
		return true
	}
	if s.shared.Entered(s.body) && !s.shared.Single(s.body) {
		return true
	}
	if !s.comesRound(block) {
		return false
	}
	again := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			for _, ev := range s.body.Events[block] {
				again = again || ev.Node != nil && n.Pos() <= ev.Node.Pos() && ev.Node.End() <= n.End()
			}
		}
		return !again
	})
	return again
}
