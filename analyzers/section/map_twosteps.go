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
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// mapRemoves are the names of methods that remove the entry of a key.
var mapRemoves = pattern.New(`^(Remove|Delete|Del|Invalidate|Evict)$`)

// A step is a call of a method of a container with locks of its own, for a key.
type step struct {
	*occurrence
	call *ast.CallExpr
	name string
}

// twoSteps finds functions that look a key up in a container of another package, which has
// locks of its own, and change the entry by a second call, where the answer decides what is
// to happen once:
//
//   - an error, or false, tells the caller that the key is there already, and is stored
//     otherwise: two find nothing, and both store;
//   - what is found is removed and returned: two get the same;
//   - what is found is counted up and stored: one of two is lost.
//
// A cache that is filled with what everybody computes alike is none of these.
func (s *search) twoSteps() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) || s.shared.UsedByOne(s.body) || forTests(s.pkg.Types) {
		return
	}
	steps := s.stepsOf(s.body)
	for _, second := range steps {
		if mapGets.MatchString(second.name) {
			continue
		}
		for _, first := range steps {
			if !mapGets.MatchString(first.name) || first.place != second.place || first.key != second.key || s.before(second.call, first.call) || !s.leadsTo(first.occurrence, second.occurrence) || shares(first.held, second.held) || s.knows(first.call) && s.knows(second.call) {
				continue
			}
			if what := s.happensOnce(first, second); what != "" && !s.lookedUnder(steps, second) && s.metBy(first) {
				s.twice(first, second, what)
				return
			}
		}
	}
}

// knows says whether it is known which variables the call reads or writes: then sections
// over these tell.
func (s *search) knows(call *ast.CallExpr) bool {
	return slices.ContainsFunc(s.calls[call], func(o *occurrence) bool { return !o.like })
}

func (s *search) twice(first, second step, what string) {
	if slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Pos == first.call.Pos() }) {
		return
	}
	c := s.direct("testuse", "sync-map", first.Access, first.call.Pos(), second.call.Pos())
	c.Roles = [2]string{"looked into", "changed"}
	c.Message = fmt.Sprintf("two goroutines can both come from %s to %s, and %s: each of the two locks for itself",
		types.ExprString(first.call.Fun), types.ExprString(second.call.Fun), what)
	s.tell(c, first.occurrence, second.Access)
}

// stepsOf lists the calls of the body that look keys up, store or remove them.
func (s *search) stepsOf(b *accesses.Body) []step {
	var list []step
	st := s.states[b]
	s.locks.Walk(b, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || len(call.Args) == 0 {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return
		}
		selection, name := s.pkg.Info.Selections[sel], sel.Sel.Name
		if selection == nil || selection.Kind() != types.MethodVal || !mapGets.MatchString(name) && !mapPuts.MatchString(name) && !mapRemoves.MatchString(name) || mapPuts.MatchString(name) && len(call.Args) < 2 {
			return
		}
		pl := s.pkg.PlaceOf(sel.X)
		v := s.locks.Globals().Variable(pl)
		if !pl.Valid() || v == nil || !s.looksAndStores(selection.Recv()) {
			return
		}
		a := &access.Access{Kind: access.SyncMap, Func: b.Fn, Expr: call, Cell: sel.X, Key: call.Args[0], Method: name, Var: access.Var{Obj: v, Contents: true}}
		a.Base, _ = pl.Root.(*types.Var)
		o := &occurrence{Access: a, block: block, index: index, held: held, outer: held, place: pl, key: types.ExprString(st.values.original(a.Key))}
		list = append(list, step{o, call, name})
	})
	return list
}

// shares says whether some lock is held at both.
func shares(a, b locks.Set) bool {
	for l := range a {
		if _, both := b[l]; both {
			return true
		}
	}
	return false
}

// lookedUnder says whether a look under a lock that is held at the change decides about it.
func (s *search) lookedUnder(steps []step, second step) bool {
	for _, o := range steps {
		if mapGets.MatchString(o.name) && o.place == second.place && o.key == second.key && s.leadsTo(o.occurrence, second.occurrence) && shares(o.held, second.held) {
			return true
		}
	}
	return false
}

// metBy says whether another goroutine can change the container meanwhile.
func (s *search) metBy(o step) bool {
	if s.shared.Object(s.body, o.Base) == shared.Private {
		return false
	}
	changers := map[*accesses.Body]bool{}
	for _, b := range s.pkg.Bodies {
		for _, other := range s.stepsOf(b) {
			if other.Var == o.Var && !mapGets.MatchString(other.name) {
				changers[b] = true
			}
		}
	}
	_, strong, _ := s.shared.RivalsAmong(s.body, o.Var, changers)
	return strong
}

// happensOnce says what happens twice when two goroutines come from the first call to the
// second, where that does harm, or "".
func (s *search) happensOnce(first, second step) string {
	value, found := s.answerOf(first)
	key := types.ExprString(first.Key)
	if mapPuts.MatchString(second.name) && value != nil && s.countsUp(second.call.Args[1], value, 0) {
		return "one of what both store for " + key + " is lost"
	}
	test, edge := s.askedFor(found, first, second)
	if test < 0 {
		return ""
	}
	if mapPuts.MatchString(second.name) {
		if s.refuses(s.body.CFG.Blocks[test].Succs[1-edge].Nodes, second) {
			return "both store " + key + " as if it were not there"
		}
		return ""
	}
	if value != nil && s.isStatement(second.call) && s.handsOver(value, second) {
		return "both return the same " + value.Name() + ", which each of them has removed"
	}
	return ""
}

// answerOf are the locals that hold what the look has found, and whether: either may be nil.
func (s *search) answerOf(first step) (value, found types.Object) {
	object := func(e ast.Expr) types.Object {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			return s.pkg.Info.ObjectOf(id)
		}
		return nil
	}
	taken := s.values.taken[first.call]
	switch len(taken) {
	case 1:
		if found = object(taken[0]); found != nil && !isBoolean(found.Type()) {
			value, found = found, nil
		}
	case 2:
		value, found = object(taken[0]), object(taken[1])
	}
	return value, found
}

// askedFor is the block whose branch asks whether the look has found something, and which
// alone decides about the second call, errors aside; and the way from there to the call. The
// block is -1 if there is none.
func (s *search) askedFor(found types.Object, first, second step) (test, edge int) {
	test = -1
	for block, conds := range s.body.Conds {
		decides, way := s.decides(block, second.block)
		if !decides || len(conds) == 0 {
			continue
		}
		after := block == first.block || s.reaches(s.body.CFG.Blocks[first.block], -1)[block]
		switch cond, not := asked(conds[0]); {
		case !after:
		case len(conds) == 1 && (found != nil && s.isObject(cond, found) || cond == ast.Expr(first.call)):
			there := (way == 0) != not
			if there == mapPuts.MatchString(second.name) {
				return -1, 0
			}
			test, edge = block, way
		case s.asksForError(conds) && way == errorFree(conds[0]):
		default:
			return -1, 0 // more than the look decides
		}
	}
	return test, edge
}

// asked is the condition without its negation.
func asked(cond ast.Expr) (e ast.Expr, not bool) {
	e = ast.Unparen(cond)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.NOT {
		return ast.Unparen(u.X), true
	}
	return e, false
}

// errorFree is the way that a branch takes where there is no error.
func errorFree(cond ast.Expr) int {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.EQL {
		return 0
	}
	return 1
}

func (s *search) isObject(e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && s.pkg.Info.ObjectOf(id) == obj
}

// refuses says whether the nodes of a block end in a return of an error that is made there,
// or of true or false, where the function returns the opposite after the second call.
func (s *search) refuses(nodes []ast.Node, second step) bool {
	if len(nodes) == 0 {
		return false
	}
	ret, ok := nodes[len(nodes)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	last := ret.Results[len(ret.Results)-1]
	tv := s.pkg.Info.Types[last]
	if tv.Type == nil {
		return false
	}
	if isError(tv.Type) {
		return !tv.IsNil() && s.fixed(last)
	}
	if tv.Value == nil || len(ret.Results) != 1 {
		return false
	}
	opposite := false
	for _, node := range s.body.CFG.Blocks[second.block].Nodes {
		if r, ok := node.(*ast.ReturnStmt); ok && r.Pos() > second.call.Pos() && len(r.Results) == 1 {
			v := s.pkg.Info.Types[r.Results[0]].Value
			opposite = v != nil && v.String() != tv.Value.String()
		}
	}
	return isBoolean(tv.Type) && opposite
}

// isStatement says whether nobody takes what the call returns.
func (s *search) isStatement(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt:
			found = found || n.X == ast.Expr(call)
		case *ast.DeferStmt:
			found = found || n.Call == call
		}
		return !found
	})
	return found
}

// handsOver says whether the block of the second call returns the value.
func (s *search) handsOver(value types.Object, second step) bool {
	for _, node := range s.body.CFG.Blocks[second.block].Nodes {
		ret, ok := node.(*ast.ReturnStmt)
		if !ok || ret.Pos() < second.call.Pos() {
			continue
		}
		for _, e := range ret.Results {
			if a, ok := ast.Unparen(e).(*ast.TypeAssertExpr); ok {
				e = a.X
			}
			if s.isObject(e, value) {
				return true
			}
		}
	}
	return false
}

// countsUp says whether e is the value with something added.
func (s *search) countsUp(e ast.Expr, value types.Object, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB) && (s.isOld(e.X, value, 0) || s.isOld(e.Y, value, 0))
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		b, builtin := s.pkg.Info.Uses[id].(*types.Builtin)
		return ok && builtin && b.Name() == "append" && s.isOld(e.Args[0], value, 0)
	case *ast.Ident:
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(e)] {
			if depth < 2 && s.countsUp(d.value, value, depth+1) {
				return true
			}
		}
	}
	return false
}

// isOld says whether e is the value, perhaps by way of another local.
func (s *search) isOld(e ast.Expr, value types.Object, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return s.isOld(e.X, value, depth)
	case *ast.Ident:
		if s.pkg.Info.ObjectOf(e) == value {
			return true
		}
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(e)] {
			if depth < 2 && s.isOld(d.value, value, depth+1) {
				return true
			}
		}
	}
	return false
}
