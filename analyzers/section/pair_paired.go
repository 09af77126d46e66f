package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// paired finds two atomic variables of one object that are loaded one after the other and
// used together, where another function stores the parts of one value in both, one after
// the other: the new one of the first is met with the old one of the second. A lock that
// is held while they are stored does not help who takes none to load them.
func (s *search) paired() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	var loads []*occurrence
	for _, o := range s.order {
		if o.Kind == access.Atomic && o.Mode == atomicity.Read && o.depth <= 1 && !o.lit && o.place.Valid() && o.Var.Obj.IsField() && !isSwitchType(o.Var) && s.reachOf(o) >= shared.Meant {
			loads = append(loads, o)
		}
	}
	for _, e := range loads {
		for _, o := range loads {
			if e.Var == o.Var || !e.place.Beside(o.place) || !s.leadsTo(e, o) || e.held.Any() && s.oneHold(e, o) ||
				s.loadedTwice(loads, e) || !s.usedTogether(e, o) && !s.madeOfBoth(e, o) {
				continue
			}
			first, second, in := s.storedInTurn(e, o)
			if first == nil {
				continue
			}
			c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), first.Pos())
			c.Via = e.via
			c.EndName = s.pkg.Name(first.Var)
			c.Roles = [2]string{"loaded", "stored before " + lastOf(second.place.Path)}
			c.Message = fmt.Sprintf("%s and %s are loaded one after the other and used together; %s stores both in two steps, and can come in between",
				s.pkg.Name(e.Var), s.pkg.Name(o.Var), in.Fn.Name)
			s.tell(c, e, o.source())
			return
		}
	}
}

// isSwitchType says whether the variable is an atomic boolean.
func isSwitchType(v access.Var) bool {
	tn := accesses.TypeName(v.Obj.Type())
	return isFlag(v) || tn != nil && tn.Name() == "Bool"
}

// loadedTwice says whether an atomic variable of the object is loaded twice: the second
// time tells whether something has come in between.
func (s *search) loadedTwice(loads []*occurrence, e *occurrence) bool {
	seen := map[access.Var]bool{}
	for _, o := range loads {
		if o.place.Root == e.place.Root {
			if seen[o.Var] {
				return true
			}
			seen[o.Var] = true
		}
	}
	return false
}

// madeOfBoth says whether a difference, quotient or product is made of the one and the
// other.
func (s *search) madeOfBoth(e, o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok {
			switch b.Op {
			case token.SUB, token.QUO, token.REM, token.MUL:
				found = found || s.apartIn([]ast.Expr{b.X, b.Y}, e, o)
			}
		}
		return !found
	})
	return found
}

// storedInTurn is where another function stores the parts of one value in the two, one
// after the other whatever happens, if nobody stores one of them alone, or counts in it.
func (s *search) storedInTurn(e, o *occurrence) (first, second *occurrence, in *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	stores := map[*accesses.Body]map[access.Var]*occurrence{}
	for _, v := range []access.Var{e.Var, o.Var} {
		for _, k := range s.ownAccesses(v) {
			if k.Mode != atomicity.Write {
				continue
			}
			if k.Kind != access.Atomic || !strings.HasPrefix(k.Method, "Store") {
				return nil, nil, nil
			}
			if stores[k.body] == nil {
				stores[k.body] = map[access.Var]*occurrence{}
			}
			stores[k.body][v] = k.occurrence
		}
	}
	for _, b := range s.pkg.Bodies {
		both := stores[b]
		if both == nil {
			continue
		}
		x, y := both[e.Var], both[o.Var]
		if x == nil || y == nil {
			return nil, nil, nil
		}
		if b.Outermost() == current.body.Outermost() || first != nil || s.shared.Sequential(b) {
			continue
		}
		s.bodyState = s.states[b]
		if x.block == y.block && x.place.Root == y.place.Root && s.ofOneValue(x, y) && s.isPart(x) && s.isPart(y) {
			if s.before(y, x) {
				x, y = y, x
			}
			if _, strong, _ := s.shared.RivalsAmong(current.body, e.Var, map[*accesses.Body]bool{b: true}); strong {
				first, second, in = x, y, b
			}
		}
	}
	return first, second, in
}

// isPart says whether the Store stores something other than a constant.
func (s *search) isPart(w *occurrence) bool {
	v := s.given(w)
	return v != nil && s.pkg.Info.Types[v].Value == nil && !s.unsets(v) && !slices.ContainsFunc(stored(w.Access), func(x ast.Expr) bool { return s.pkg.Info.Types[x].IsNil() })
}
