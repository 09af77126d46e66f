package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// An entryField is a field of an entry of a map of the receiver that a method reads or writes
// under a lock of it, at a key that it is given.
type entryField struct {
	o      *occurrence
	in     access.Var // the map
	key    int        // the parameter
	result int        // that is the value read
}

// entryFields finds a field of an entry that one method returns and another one sets, each in a
// critical section of its own, where what the first has returned decides that the second is called
// at the same key:
//
//	if m.stateOf(id) == alive && idle(id) {
//		m.setState(id, suspect) // elsewhere, by others: n.state = left
//	}
//
// What others have set in between is overwritten.
func (s *search) entryFields() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.guardsByCall() {
		return
	}
	type asking struct {
		call *ast.CallExpr
		at   *occurrence
		got  []entryField
	}
	var asked []asking
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() || !s.receiverOf(call).Valid() {
			return
		}
		fn := s.locks.Callee(call)
		at := &occurrence{Access: &access.Access{}, block: block, index: index}
		for _, set := range s.entryFieldsOf(fn, atomicity.Write) {
			for _, first := range asked {
				for _, got := range first.got {
					if got.o.Var != set.o.Var || got.in != set.in || s.receiverOf(first.call) != s.receiverOf(call) || !s.leadsTo(first.at, at) ||
						!s.sameArgument(first.call, got.key, call, set.key) || !s.answerDecides(first.call, got.result, block) || s.fieldSetBetween(first.call, call, set.o.Var) {
						continue
					}
					if s.entryOverwritten(first.call, call, got, set) {
						return
					}
				}
			}
		}
		if got := s.entryFieldsOf(fn, atomicity.Read); len(got) > 0 {
			asked = append(asked, asking{call, at, got})
		}
	})
}

// entryFieldsOf are those that the method returns, or sets whatever they are.
func (s *search) entryFieldsOf(fn *types.Func, mode atomicity.AccessSet) []entryField {
	b := s.pkg.ByFunc[fn]
	if b == nil || fn.Signature().Recv() == nil || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	recv, params := types.Object(fn.Signature().Recv()), fn.Signature().Params()
	var list []entryField
	for _, o := range s.order {
		if o.Mode != mode || o.Kind != access.Cell || o.via != nil || o.later || !o.Var.Obj.IsField() {
			continue
		}
		in := s.foundFor(o)
		if in == nil || in.via != nil || in.Kind != access.MapElement || in.place.Root != recv || !s.oneHold(in, o) ||
			!slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool { return l.Root == recv && s.acquires(l) }) {
			continue
		}
		key, ok := keyIdent(in)
		if !ok {
			continue
		}
		f := entryField{o: o, in: in.Var, key: -1, result: -1}
		for i := range params.Len() {
			if types.Object(params.At(i)) == s.pkg.Info.ObjectOf(key) {
				f.key = i
			}
		}
		if mode == atomicity.Read {
			f.result = s.returnedAs(o)
		}
		if f.key >= 0 && (mode == atomicity.Read && f.result >= 0 || mode == atomicity.Write && !s.looksForItself(o)) {
			list = append(list, f)
		}
	}
	return list
}

// looksForItself says whether the setter computes what it stores from the field, or comes to it
// only where it has found something in the object, other than that the field is, or is not, what it
// is set to.
func (s *search) looksForItself(o *occurrence) bool {
	values := stored(o.Access)
	if o.Update != nil || s.testedBefore(o) || len(values) != 1 {
		return true
	}
	owner := s.shared.Owner(o.Var.Obj)
	asksTheObject := func(e ast.Expr) bool {
		for _, reads := range []map[*access.Access]bool{s.values.of(e), s.values.carried(e)} {
			for a := range reads {
				if a.Var.Obj.IsField() && owner != nil && s.shared.Owner(a.Var.Obj) == owner {
					return true
				}
			}
		}
		return false
	}
	if asksTheObject(values[0]) {
		return true
	}
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, o.block); !ok {
			continue
		}
		for _, part := range partsOfConds(conds, token.LOR) {
			if b, ok := part.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && (types.ExprString(b.X) == types.ExprString(values[0]) || types.ExprString(b.Y) == types.ExprString(values[0])) {
				continue
			}
			if asksTheObject(part) {
				return true
			}
		}
	}
	return false
}

// guardsByCall says whether the body defers what a call has returned, as unlock := keys.lock(id);
// defer unlock(): a lock that the analysis does not know may be held.
func (s *search) guardsByCall() bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			switch fun := ast.Unparen(d.Call.Fun).(type) {
			case *ast.CallExpr:
				found = true
			case *ast.Ident:
				_, isVar := s.pkg.Info.Uses[fun].(*types.Var)
				found = found || isVar
			}
		}
		return !found
	})
	return found
}

// returnedAs is the result of the body that is what o reads, or -1.
func (s *search) returnedAs(o *occurrence) int {
	result := -1
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			if i := slices.IndexFunc(s.pkg.PlainReturn(ret).Results, func(e ast.Expr) bool { return ast.Unparen(e) == o.Expr }); i >= 0 {
				result = i
			}
		}
		return result < 0
	})
	return result
}

// sameArgument says whether both calls are given one local there.
func (s *search) sameArgument(a *ast.CallExpr, i int, b *ast.CallExpr, j int) bool {
	if i >= len(a.Args) || j >= len(b.Args) {
		return false
	}
	x, y := s.local(a.Args[i]), s.local(b.Args[j])
	return x != nil && x == y && len(s.values.assigns[x]) <= 1
}

// answerDecides says whether a condition on that result of the call decides about the block.
func (s *search) answerDecides(call *ast.CallExpr, result, block int) bool {
	var local types.Object
	if taken := s.values.taken[call]; result < len(taken) {
		local = s.local(taken[result])
	}
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok {
			continue
		}
		for _, c := range conds {
			if local != nil && s.mentions(c, local) || result == 0 && slices.Contains(callsIn(c), call) {
				return true
			}
		}
	}
	return false
}

// callsIn are the calls in the expression.
func callsIn(e ast.Expr) []*ast.CallExpr {
	var list []*ast.CallExpr
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			list = append(list, call)
		}
		return true
	})
	return list
}

// fieldSetBetween says whether the body has set the field itself between the two calls.
func (s *search) fieldSetBetween(first, then *ast.CallExpr, v access.Var) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.Var == v && s.before(first, w) && s.before(w, then)
	})
}

// deletesFrom says whether the body deletes an entry of the map.
func (s *search) deletesFrom(m access.Var) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Var == m && o.Mode == atomicity.Write && o.source().Method == "delete"
	})
}

// entryOverwritten reports it if others set the field of entries as well.
func (s *search) entryOverwritten(first, then *ast.CallExpr, got, set entryField) bool {
	others := map[*accesses.Body]bool{}
	current := s.bodyState
	for _, w := range s.ownAccesses(set.o.Var) {
		s.bodyState = s.states[w.body]
		if w.Mode != atomicity.Write || s.reachOf(w.occurrence) == shared.Private || s.testedBefore(w.occurrence) || s.deletesFrom(got.in) {
			continue // from another state to another one; or the entry is gone
		}
		if w.Func != set.o.Func {
			others[w.body] = true
			continue
		}
		for _, c := range s.callersOf(s.locks.Callee(then)) {
			if c.Outermost() != current.body.Outermost() {
				others[c] = true
			}
		}
	}
	s.bodyState = current
	delete(others, s.body)
	if _, strong, _ := s.shared.RivalsAmong(s.body, set.o.Var, others); !strong {
		return false
	}
	c := s.direct("testuse", "unlock-relock", got.o.Access, first.Pos(), then.Pos())
	c.Via, c.EndVia, c.Within, c.EndWithin = first, then, got.o.Pos(), set.o.Pos()
	c.Roles = [2]string{"looked at", "set"}
	c.Message = fmt.Sprintf("what %s has returned of %s can be out of date when %s sets it: the lock is released in between, and others set it too",
		types.ExprString(first.Fun), s.pkg.Name(set.o.Var), types.ExprString(then.Fun))
	s.tell(c, got.o, set.o.Access)
	return true
}
