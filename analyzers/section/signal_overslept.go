package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// What is awaited can come between a test and the registration of somebody who is to be
// told of it, as a picture can be outdated by then; see untold. Who is registered too late
// waits for ever.

func (s *search) overslept(look, reg, w *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "lost-wakeup", look.source(), look.Pos(), reg.Pos())
	c.Via, c.EndVia = look.via, reg.via
	c.EndName = s.pkg.Name(reg.source().Var)
	c.Roles = [2]string{"tested", "added to"}
	c.Message = fmt.Sprintf("%s was tested in an earlier critical section than the one that adds to %s: %s can change it in between and tell those who are there, and tells nobody afterwards",
		look.place, reg.place, in.Fn.Name)
	s.tell(c, look, reg.source())
}

// sleepsUnless says whether the test of look alone decides whether the registration is made,
// with something that is waited for, returned, or called later.
func (s *search) sleepsUnless(look, reg *occurrence) bool {
	if look.Kind != access.Cell || look.later || !s.decided(s.testsOf(look.Access, false), reg.block) {
		return false
	}
	if !awakens(elementOf(reg.Var.Obj.Type()), 0) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool { // it registers for what it has begun itself
		return o.Mode == atomicity.Write && o.Var.Obj == look.Var.Obj && o.place.Root == look.place.Root && s.leadsTo(look, o) && s.reachOf(o) != shared.Private
	})
}

// elementOf is the type of what a map or slice holds.
func elementOf(t types.Type) types.Type {
	switch t := t.Underlying().(type) {
	case *types.Map:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			return t.Key()
		}
		if st, ok := t.Elem().Underlying().(*types.Struct); ok && st.NumFields() == 0 {
			return t.Key()
		}
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	}
	return t
}

// awakens says whether an object of the type can be closed, sent to or called to tell
// somebody: a channel or function, or a struct that has one.
func awakens(t types.Type, depth int) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Chan, *types.Signature:
		return true
	case *types.Slice:
		return awakens(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if _, isChan := f.Type().Underlying().(*types.Chan); isChan && depth < 2 {
				return true
			}
			if _, isFunc := f.Type().Underlying().(*types.Signature); isFunc && depth < 2 {
				return true
			}
		}
	}
	return false
}

// overtakes says whether the registration would not be made once w is, and is not made
// again by a loop.
func (s *search) overtakes(w, look, reg *occurrence) bool {
	values := stored(w.source())
	if len(values) != 1 || s.loopsBack(reg) {
		return len(values) == 0 && w.Update != nil && !s.loopsBack(reg)
	}
	now := s.pkg.Info.Types[values[0]].Value
	if now == nil || now.Kind() != constant.Bool {
		return !s.unsets(values[0])
	}
	for _, test := range s.testsOf(look.Access, false) {
		if ok, edge := s.decides(test, reg.block); ok && len(s.body.Conds[test]) == 1 {
			_, not := asked(s.body.Conds[test][0])
			return (constant.BoolVal(now) != not) != (edge == 0)
		}
	}
	return false
}

// loopsBack says whether the body waits in a loop that looks again, or for a limited time.
func (s *search) loopsBack(reg *occurrence) bool {
	if s.leadsTo(reg, reg) {
		return true
	}
	timed := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && u.Pos() > reg.Pos() && s.isTick(u) {
			timed = true
		}
		return !timed
	})
	return timed
}
