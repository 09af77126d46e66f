package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// announced finds atomic flags that are set before what they tell of: x.ready.Store(true);
// x.conn = conn, or the same with CompareAndSwap, while another function finds the flag
// set and goes on to the other field, which need not be there yet. A lock that is held from
// the one to the other helps only who takes it, and the flag is there for those who do not.
func (s *search) announced() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || s.body.Func == nil {
		return
	}
	for _, w := range s.order {
		value := s.setTo(w)
		if value == nil || w.via != nil || !w.place.Valid() || !w.Var.Obj.IsField() || s.reachOf(w) == shared.Private {
			continue
		}
		for _, d := range s.order {
			if !s.announces(w, d) || !s.apart(w, d.block, d.index) && len(locksOf(w.held)) != len(w.held) {
				continue
			}
			if r, in := s.believer(w, d, value); r != nil {
				s.premature(w, d, r, in)
				return
			}
		}
	}
}

func (s *search) premature(w, d, r *occurrence, in *access.Function) {
	c := s.direct("multivar", "multi-variable", w.Access, w.Pos(), d.Pos())
	c.EndName = s.pkg.Name(d.Var)
	c.Roles = [2]string{"set", "stored"}
	c.Message = fmt.Sprintf("%s is set before %s is stored: %s can find it set and go on to the other, which is not there yet",
		types.ExprString(w.Cell), types.ExprString(d.Cell), in.Name)
	s.tell(c, w, d.Access)
}

// setTo is the constant, other than zero or false, that the atomic write leaves in a
// variable, or nil.
func (s *search) setTo(w *occurrence) constant.Value {
	if w.Kind != access.Atomic || w.Mode != atomicity.Write || !strings.HasPrefix(w.Method, "Store") && !strings.HasPrefix(w.Method, "CompareAndSwap") && !strings.HasPrefix(w.Method, "Swap") {
		return nil
	}
	values := stored(w.Access)
	if len(values) == 0 || s.unsets(values[len(values)-1]) {
		return nil
	}
	return s.pkg.Info.Types[values[len(values)-1]].Value
}

// announces says whether d gives a value to another field of w's object after w, where
// nothing keeps others out from the one to the other.
func (s *search) announces(w, d *occurrence) bool {
	if d.Mode != atomicity.Write || d.Kind != access.Cell || d.via != nil || d.Update != nil || d.Var == w.Var || !d.Var.Obj.IsField() ||
		!d.place.In(w.place.Object()) || !s.leadsTo(w, d) || s.leadsTo(d, w) {
		return false
	}
	values := stored(d.Access)
	if len(values) == 0 || len(values) == 1 && s.pkg.Info.Types[values[0]].Value != nil || s.unsets(values[0]) {
		return false
	}
	if tests := s.testsOf(w.Access, true); !strings.HasPrefix(w.Method, "Store") && !s.decided(tests, d.block) {
		return false
	}
	for _, o := range s.order {
		if o.Var == d.Var && o.Mode == atomicity.Write && s.leadsTo(o, w) {
			return false // it was there before
		}
		if o.Var == w.Var && o != w && o.Mode == atomicity.Write && s.leadsTo(o, d) {
			if to := s.setTo(o); to == nil || s.leadsTo(w, o) || constant.Compare(to, token.EQL, s.setTo(w)) {
				return false // the flag has several steps, of which this is not the last
			}
		}
	}
	return true
}

// believer is a read of d's variable that is made where the flag was found to have the value,
// and not tested in its turn, by a function that has no lock which is held at both.
func (s *search) believer(w, d *occurrence, value constant.Value) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	beside := strings.TrimPrefix(d.place.Path, w.place.Object().Path)
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		if b != current.body && b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || s.shared.Sequential(b) || b != current.body && s.callsAlone(b, current.body.Func) {
			continue
		}
		for block, conds := range b.Conds {
			if len(conds) != 1 || len(b.CFG.Blocks[block].Succs) != 2 {
				continue
			}
			t := &telling{search: s, flag: w.Var, value: value}
			then, ok := t.holds(conds[0])
			if !ok || !t.on.Valid() {
				continue
			}
			r := s.readWhere(block, then, d.Var, beside, t.on)
			if r == nil || b == current.body && (s.leadsTo(w, r) || len(w.held) == 0) {
				continue
			}
			if !slices.ContainsFunc(w.held.Places(), func(l accesses.Place) bool { return r.lockOf(locks.ClassOf(l)).Valid() }) {
				return r, b.Fn
			}
		}
	}
	return nil, nil
}

// callsAlone says whether nobody but b calls the function, and not by a go statement: what b
// reads afterwards is there.
func (s *search) callsAlone(b *accesses.Body, fn *types.Func) bool {
	callers := s.callersOf(fn)
	return len(callers) > 0 && !fn.Exported() && !slices.ContainsFunc(callers, func(c *accesses.Body) bool { return c != b })
}

// readWhere is a read of the variable at the place where the test has come out as said: by
// the body itself, or by a method of the object that it calls.
func (s *search) readWhere(test int, then bool, v access.Var, beside string, on accesses.Place) *occurrence {
	edge := 1
	if then {
		edge = 0
	}
	comes := func(block int) bool {
		ok, from := s.decides(test, block)
		return ok && from == edge
	}
	for _, o := range s.order {
		if o.Var == v && o.Mode == atomicity.Read && o.place.In(on) && comes(o.block) &&
			(strings.HasSuffix(o.place.Path, beside) || strings.HasSuffix(beside, o.place.Path[len(on.Path):])) {
			if len(s.testsOf(o.Access, false)) > 0 && !isError(v.Obj.Type()) {
				return nil
			}
			return o
		}
	}
	for block, events := range s.body.Events {
		if !comes(block) {
			continue
		}
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.receiverOf(call).Whole() != on {
				continue
			}
			fn := s.locks.Callee(call)
			if fn.Exported() {
				continue // it may be called at any time
			}
			for _, o := range s.states[s.pkg.ByFunc[fn]].order {
				if o.Var == v && o.Mode == atomicity.Read && o.via == nil && o.place.Root == types.Object(fn.Signature().Recv()) {
					return o
				}
			}
		}
	}
	return nil
}
