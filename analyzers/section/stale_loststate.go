package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// overState are the names of states in which nothing goes on any more: that one goroutine
// stores such a state over what another has asked for is how things end.
var overState = pattern.New(`(?i)stop|clos|done|finish|exit|terminat|dead|died|idle|init|none|fail|cancel|complet|end|shut|halt|kill|unknown|down|inactive|disconnect|abort|err|new|empty|zero|reset|unset|default`)

// lostStates finds functions that set a state under a lock, release it to do something, and
// set the next state under the lock taken anew without another look, where another
// function can set a third one meanwhile, which is then lost: s.state = dialing; …;
// s.state = open, and Close sets closed.
func (s *search) lostStates() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) || s.shared.SetsGoing(s.body) {
		return
	}
	for _, first := range s.order {
		from := s.stateSet(first)
		if from == nil || ownHold(first) != locks.Exclusive || s.reachOf(first) == shared.Private || s.alone(first) {
			continue
		}
		for _, then := range s.walk(first).hits {
			to := s.stateSet(then.occurrence)
			if to == nil || then.later || ownHold(then.occurrence) != locks.Exclusive || len(then.kept) > 0 || s.sameConstant(from, to) || overState.MatchString(constName(to)) || s.looksBetween(first, then.occurrence) {
				continue
			}
			if w, in := s.thirdState(first, from, to); w != nil {
				s.losesState(first, then.occurrence, w, in)
				return
			}
		}
	}
}

func (s *search) losesState(first, then, w *occurrence, in *accesses.Body) {
	c := s.direct("testuse", "unlock-relock", first.source(), first.Pos(), then.Pos())
	c.Via, c.EndVia = first.via, then.via
	c.Roles = [2]string{"set", "set again"}
	c.Message = fmt.Sprintf("what %s stores in %s while %s is released after this is overwritten, without another look: with %s",
		in.Fn.Name, first.place, anyOf(first.held), types.ExprString(s.givenTo(then)))
	s.tell(c, first, then.source())
}

// givenTo is what the write stores; nil if that is not one value.
func (s *search) givenTo(w *occurrence) ast.Expr {
	values := stored(w.Access)
	if w.via != nil {
		values = w.stores
	}
	if w.Mode != atomicity.Write || len(values) != 1 {
		return nil
	}
	return values[0]
}

// stateSet is the named constant, other than true and false, that the write stores in a
// field; or nil.
func (s *search) stateSet(w *occurrence) ast.Expr {
	v := s.givenTo(w)
	if v == nil || w.Kind != access.Cell || w.Var.Obj == nil || !w.Var.Obj.IsField() || w.Var.Contents || constName(v) == "" {
		return nil
	}
	if tv := s.pkg.Info.Types[v]; tv.Value == nil || tv.Value.Kind() == constant.Bool {
		return nil
	}
	return v
}

func constName(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

func (s *search) sameConstant(a, b ast.Expr) bool {
	x, y := s.pkg.Info.Types[a].Value, s.pkg.Info.Types[b].Value
	return x != nil && y != nil && constant.Compare(x, token.EQL, y)
}

// looksBetween says whether the body reads the state between the two writes, or asks for
// something else of the object under a lock and decides by that about the second.
func (s *search) looksBetween(first, then *occurrence) bool {
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.Var == first.Var && s.leadsTo(first, r) && s.leadsTo(r, then) {
			return true
		}
	}
	return s.decidedBy(then, func(r *occurrence) bool { return r.place.Root == first.place.Root && s.leadsTo(first, r) }) || s.asksInCallee(then)
}

// decidedBy says whether something that is read under a lock, and is one of those, decides
// about the occurrence in the body.
func (s *search) decidedBy(o *occurrence, one func(*occurrence) bool) bool {
	for block, conds := range s.body.Conds {
		if ok, _ := s.decides(block, o.block); !ok {
			continue
		}
		for _, c := range conds {
			for a := range s.values.of(c) {
				if r := s.occ[a]; r != nil && r.held.Any() && one(r) {
					return true
				}
			}
		}
	}
	return false
}

// asksInCallee says whether the function that the write is made in asks for something else
// of the object first: if !s.active { return }; s.state = next.
func (s *search) asksInCallee(w *occurrence) bool {
	if w.origin == nil {
		return false
	}
	b := s.pkg.ByNode[w.origin.Scope]
	if b == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	o := s.occ[w.origin]
	return o != nil && o.via == nil && s.decidedBy(o, func(r *occurrence) bool { return r.place.Root == o.place.Root })
}

// thirdState is a write of another function that sets a state other than the two under the
// lock, and can do so in the first of them; it does not end what the function does.
func (s *search) thirdState(first *occurrence, from, to ast.Expr) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || s.endsOthers(b) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(current.body, first.Var, map[*accesses.Body]bool{b: true}); !strong {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Var != first.Var || w.later || ownHold(w) != locks.Exclusive {
				continue
			}
			if third := s.stateSet(w); third != nil && !s.sameConstant(third, from) && !s.sameConstant(third, to) && !s.setBefore(w) && s.possibleIn(w, from) {
				return w, b
			}
		}
	}
	return nil, nil
}

// setBefore says whether the body sets the state on the way to the write: then it has work
// of its own to do, and is no request.
func (s *search) setBefore(w *occurrence) bool {
	for _, o := range s.order {
		if o != w && o.Var == w.Var && o.Mode == atomicity.Write && s.leadsTo(o, w) {
			return true
		}
	}
	return false
}

// endsOthers says whether the body closes a channel or cancels a context, which tells
// others to go no further.
func (s *search) endsOthers(b *accesses.Body) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			t := s.pkg.Info.TypeOf(call.Fun)
			found = found || s.closeOf(call) != nil || t != nil && types.TypeString(t, nil) == "context.CancelFunc"
		}
		return !found
	})
	return found
}

// possibleIn says whether the body can come to the write when the state is the given one,
// as far as it looks at it.
func (s *search) possibleIn(w *occurrence, state ast.Expr) bool {
	reads := func(e ast.Expr) bool {
		for a := range s.values.of(e) {
			if a.Var == w.Var {
				return true
			}
		}
		return false
	}
	possible := true
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if sw, ok := n.(*ast.SwitchStmt); ok && sw.Tag != nil && reads(sw.Tag) {
			possible = false
		}
		return possible
	})
	for block, conds := range s.body.Conds {
		decides, edge := s.decides(block, w.block)
		if !decides {
			continue
		}
		for _, c := range conds {
			if !reads(c) {
				continue
			}
			b, ok := ast.Unparen(c).(*ast.BinaryExpr)
			if !ok || b.Op != token.EQL && b.Op != token.NEQ {
				return false
			}
			value := b.Y
			if s.pkg.Info.Types[b.X].Value != nil {
				value = b.X
			}
			if s.pkg.Info.Types[value].Value == nil {
				return false
			}
			if equal := (b.Op == token.EQL) == (edge == 0); equal != s.sameConstant(value, state) {
				return false
			}
		}
	}
	return possible
}
