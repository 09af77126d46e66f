package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// forGood are the names of states that an object does not leave again.
var forGood = pattern.New(`(?i)clos|stop|shut|dead|terminat|destroy|kill|halt|cancel|abort`)

// storedOver finds atomic states that a function takes by CompareAndSwap and then sets to
// another one by a plain Store, where a third function sets one for good whatever it finds,
// as Close does: of the two that are stored the later one stays.
//
//	if !c.state.CompareAndSwap(idle, dialing) { … }
//	c.state.Store(idle)                             // and Close: c.state.Swap(closed)
func (s *search) storedOver() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	for _, taken := range s.order {
		busy := s.swappedIn(taken)
		if busy == nil || s.reachOf(taken) == shared.Private || taken.held.Any() {
			continue
		}
		tests := s.testsOf(taken.Access, false)
		for _, store := range s.order {
			next := s.stateStored(store)
			if next == nil || store.via != nil || !strings.HasPrefix(store.Method, "Store") || !store.sameInstance(taken) || store.held.Any() ||
				forGood.MatchString(constName(next)) || !s.leadsTo(taken, store) || !s.decided(tests, store.block) || s.seenAgain(taken, store) {
				continue
			}
			w, in := s.another(store.Var, s.body, func(w *occurrence) bool {
				v := s.stateStored(w)
				return v != nil && w.via == nil && !s.sameConstant(v, next) && !s.sameConstant(v, busy) && forGood.MatchString(constName(v)) &&
					!w.held.Any() && s.unconditional(w) && !s.belongsTo(s.pkg.ByNode[w.Func.Node], s.body)
			})
			if w == nil {
				continue
			}
			if ok, _, _ := s.rivals(store.Var); !ok {
				continue
			}
			c := s.direct("testuse", "atomic-check-then-act", taken.Access, taken.Pos(), store.Pos())
			c.Roles = [2]string{"taken", "stored over"}
			c.Message = fmt.Sprintf("%s is set here whatever it is by now: %s in %s, stored since this was taken by CompareAndSwap, is lost; CompareAndSwap sees it",
				types.ExprString(store.Cell), constName(s.stateStored(w)), in.Name)
			s.tell(c, taken, store.Access)
			return
		}
	}
}

// swappedIn is the named constant that a CompareAndSwap of this very body puts in; or nil.
func (s *search) swappedIn(o *occurrence) ast.Expr {
	if o.Kind != access.Atomic || o.via != nil || !strings.HasPrefix(o.Method, "CompareAndSwap") {
		return nil
	}
	values := stored(o.Access)
	if len(values) != 2 {
		return nil
	}
	return s.stateConstant(values[1])
}

// stateStored is the named constant that a Store or Swap puts in; or nil.
func (s *search) stateStored(o *occurrence) ast.Expr {
	values := stored(o.Access)
	if o.Kind != access.Atomic || o.Mode != atomicity.Write || !strings.HasPrefix(o.Method, "Store") && !strings.HasPrefix(o.Method, "Swap") || len(values) != 1 {
		return nil
	}
	return s.stateConstant(values[0])
}

// stateConstant is the named constant that e is, converted or not, other than true and
// false; or nil.
func (s *search) stateConstant(e ast.Expr) ast.Expr {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !s.pkg.Info.Types[call.Fun].IsType() {
			break
		}
		e = call.Args[0]
	}
	if tv := s.pkg.Info.Types[e]; tv.Value == nil || tv.Value.Kind() == constant.Bool || constName(e) == "" {
		return nil
	}
	return e
}

// seenAgain says whether the body reads the state between the two, or swaps it.
func (s *search) seenAgain(taken, store *occurrence) bool {
	for _, o := range s.order {
		if o.Var == taken.Var && o.Access != taken.Access && o.Access != store.Access && s.leadsTo(taken, o) && s.leadsTo(o, store) {
			return true
		}
	}
	return false
}

// unconditional says whether no look at the variable decides that the write comes, but for
// what a swap answers.
func (s *search) unconditional(w *occurrence) bool {
	b := s.pkg.ByNode[w.Func.Node]
	if b == nil {
		return false
	}
	st := s.states[b]
	if st == nil {
		return false
	}
	current := s.bodyState
	s.bodyState = st
	defer func() { s.bodyState = current }()
	for _, o := range st.order {
		if o.Var == w.Var && o.Access != w.Access && s.before(o, w) && s.decided(s.testsOf(o.Access, true), w.block) {
			return false
		}
	}
	return true
}
