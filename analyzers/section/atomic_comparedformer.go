package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// comparedFormer finds atomic variables that are stored whatever is there, where what was loaded
// before is compared with what is stored to find out whether something has changed:
//
//	old := m.route.Load()
//	m.route.Store(next)      // old := m.route.Swap(next)
//	if old != next { m.tell(next) }
//
// Of two that do so at once both compare with the same one, and neither with what the other has
// stored: a change is told of twice, or not at all.
func (s *search) comparedFormer() {
	for load, store := range s.loadThenStores() {
		value := stored(store.Access)[0]
		if s.pkg.Info.Types[value].Value != nil || !s.writtenByOthers(load) || !s.comparesAfter(load, store, value) {
			continue
		}
		if f := (finding{search: s, entry: load, trail: s.walk(load)}); f.singleWriter() || f.ownedType() {
			continue
		}
		s.tellOfSwap(load, store, fmt.Sprintf("two goroutines can both compare with the same one from %s, and neither with what the other has stored: Swap gives each its own", load.place))
		return
	}
}

// comparesAfter says whether a test of whether what was loaded equals the value decides, after the
// store, about a call.
func (s *search) comparesAfter(load, store *occurrence, value ast.Expr) bool {
	id := identOf(value)
	if id == nil {
		return false
	}
	next := s.pkg.Info.ObjectOf(id)
	for block, conds := range s.body.Conds {
		if !s.leadsTo(store, &occurrence{Access: &access.Access{}, block: block, index: len(s.body.Events[block])}) {
			continue
		}
		for _, cond := range conds {
			if s.comparesWith(cond, load, next) && s.decidesCall(block) {
				return true
			}
		}
	}
	return false
}

// comparesWith says whether the condition is that the value of the load equals the other one, or a
// local that was set to that.
func (s *search) comparesWith(cond ast.Expr, load *occurrence, next types.Object) bool {
	if e, _ := asked(cond); identOf(e) != nil {
		list := s.values.assigns[s.pkg.Info.ObjectOf(identOf(e))]
		if len(list) != 1 || !isBoolean(s.pkg.Info.TypeOf(e)) || list[0].value == nil {
			return false
		}
		cond = list[0].value
	}
	found := false
	ofLoad := func(e ast.Expr) bool {
		for {
			if _, mine := s.values.of(e)[load.Access]; mine {
				return true
			}
			switch x := ast.Unparen(e).(type) {
			case *ast.StarExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			default:
				return false
			}
		}
	}
	ast.Inspect(cond, func(n ast.Node) bool {
		var pair [2]ast.Expr
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				pair = [2]ast.Expr{n.X, n.Y}
			}
		case *ast.CallExpr:
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			switch {
			case !ok || !isBoolean(s.pkg.Info.TypeOf(n)):
			case len(n.Args) == 1:
				pair = [2]ast.Expr{sel.X, n.Args[0]}
			case len(n.Args) == 2:
				pair = [2]ast.Expr{n.Args[0], n.Args[1]}
			}
		}
		for i, e := range pair {
			if e != nil && ofLoad(e) && s.mentions(pair[1-i], next) {
				found = true
			}
		}
		return !found
	})
	return found
}

// decidesCall says whether a call, send or goroutine follows on one way from the test alone.
func (s *search) decidesCall(test int) bool {
	for block, events := range s.body.Events {
		if ok, _ := s.decides(test, block); !ok {
			continue
		}
		for _, ev := range events {
			if call, isCall := ev.Node.(*ast.CallExpr); ev.Kind == accesses.OnSend || ev.Kind == accesses.OnGo || ev.Kind == accesses.OnCall && isCall && !isPanic(call) {
				return true
			}
		}
	}
	return false
}
