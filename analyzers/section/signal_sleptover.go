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

// sleptOver finds what is tested before a wait for a sync.Cond, which gives the lock up
// meanwhile, and acted upon afterwards without another look, though those change it who
// wake the waiters: if q.closed { return }; for len(q.items) == q.max { q.room.Wait() };
// q.items = append(q.items, x).
func (s *search) sleptOver() {
	if len(s.condUses()) == 0 || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, use := range s.conds {
		for _, w := range use.waits {
			if w.body != s.body {
				continue
			}
			wait := &occurrence{Access: &access.Access{}, block: w.block, index: w.index, held: w.held, outer: w.held}
			for _, e := range s.order {
				if use.told[e.Var] && s.sleepsAfter(e, wait) && (s.sleptOverAt(e, wait, w.call, false) || s.sleptBeside(e, wait, w.call)) {
					break
				}
			}
		}
	}
}

// sleepsAfter says whether a test of e decides, in the critical section of the wait, whether
// it is come to, and nobody looks again after it.
func (s *search) sleepsAfter(e, wait *occurrence) bool {
	if e.Mode != atomicity.Read || e.place.Root == nil || e.later || s.reachOf(e) == shared.Private || !s.decided(s.testsOf(e.Access, false), wait.block) || !s.oneHold(e, wait) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(p *occurrence) bool {
		return p.Mode == atomicity.Read && p.sameInstance(e) && s.leadsTo(wait, p) && (len(s.testsOf(p.Access, false)) > 0 || s.carriedBack(p) || s.returns(p))
	})
}

// carriedBack says whether a condition of a loop looks at what o has read in the last turn.
func (s *search) carriedBack(o *occurrence) bool {
	for _, conds := range s.body.Conds {
		for _, cond := range conds {
			if s.values.carried(cond)[o.Access] {
				return true
			}
		}
	}
	return false
}

// returns says whether what o reads is returned: the caller looks.
func (s *search) returns(o *occurrence) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn && ret.Pos() <= o.Pos() && o.Pos() < ret.End() {
				return true
			}
		}
	}
	return false
}

// sleptBeside reports what is tested together with e, of which the signal tells, and changed after
// the wait: if len(q.items)-q.next >= q.max { q.room.Wait() }; q.items = append(q.items, x). Another
// one that puts something there may have come first.
func (s *search) sleptBeside(e, wait *occurrence, call *ast.CallExpr) bool {
	tests := s.testsOf(e.Access, false)
	return slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Var != e.Var && r.place.Root == e.place.Root && s.sleepsAfter(r, wait) &&
			slices.ContainsFunc(s.testsOf(r.Access, false), func(test int) bool { return slices.Contains(tests, test) }) && s.sleptOverAt(r, wait, call, true)
	})
}

// sleptOverAt reports the first access after the wait that relies on the test of e, which another
// function changes, or the next call of this one if it may.
func (s *search) sleptOverAt(e, wait *occurrence, call *ast.CallExpr, itself bool) bool {
	for _, o := range s.order {
		if o.via != nil && o.Mode != atomicity.Write || !s.leadsTo(wait, o) || !s.oneHold(wait, o) || o.place.Root != e.place.Root {
			continue
		}
		if !o.sameInstance(e) && (o.Mode != atomicity.Write || o.Var == e.Var) {
			continue
		}
		setter, in := s.another(e.Var, s.body, func(k *occurrence) bool {
			return k.Mode == atomicity.Write && k.held.Any() && !s.shared.Constructing(s.pkg.ByNode[k.Func.Node])
		})
		if setter == nil && itself && o.Mode == atomicity.Write && o.via == nil && o.sameInstance(e) {
			setter, in = o, s.body.Fn
		}
		if setter == nil || !o.sameInstance(e) && !(isFlag(e.Var) && s.endsOf(in, o.Var)) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{s.pkg.ByNode[in.Node]: true}); !strong {
			return false
		}
		c := s.direct("testuse", "unlock-relock", e.source(), e.Pos(), o.Pos())
		c.Via, c.EndVia = e.via, o.via
		c.EndName = s.pkg.Name(o.source().Var)
		c.Roles = [2]string{"tested", "acted upon"}
		c.Message = fmt.Sprintf("%s is tested before %s, which gives %s up, and not again before %s is acted upon: %s can change it meanwhile",
			e.place, types.ExprString(call.Fun), lockNames(wait.held), o.place, in.Name)
		s.tell(c, e, o.source())
		return true
	}
	return false
}

// endsOf says whether the function writes the variable itself, or ends the object.
func (s *search) endsOf(fn *access.Function, v access.Var) bool {
	if b := s.pkg.ByNode[fn.Node]; b != nil && b.Func != nil && endings.MatchString(b.Func.Name()) {
		return true
	}
	return slices.ContainsFunc(fn.Accesses, func(a *access.Access) bool { return a.Mode == atomicity.Write && a.Var == v })
}

func lockNames(held locks.Set) string {
	for _, l := range held.Places() {
		if held.Holds(l) {
			return l.String()
		}
	}
	return "the lock"
}
