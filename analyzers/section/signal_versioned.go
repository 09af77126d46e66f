package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// versioned finds atomic version numbers that are raised before what they are the version
// of is stored: x.version.Add(1); x.doc.Store(doc). Another function that finds a new
// version takes the old object for it, remembers the number, and never looks again.
func (s *search) versioned() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() {
		return
	}
	for _, w := range s.order {
		if !s.setsVersion(w) || s.reachOf(w) == shared.Private {
			continue
		}
		for _, d := range s.order {
			if !s.followsVersion(w, d) {
				continue
			}
			if load, in := s.rememberer(w, d); load != nil {
				s.raisedEarly(w, d, load, in)
				return
			}
		}
	}
}

func (s *search) raisedEarly(w, d, load *occurrence, in *access.Function) {
	c := s.direct("multivar", "multi-variable", w.source(), w.Pos(), d.Pos())
	c.Via, c.EndVia = w.via, d.via
	c.EndName = s.pkg.Name(d.Var)
	c.Roles = [2]string{"raised", "stored"}
	c.Message = fmt.Sprintf("%s is raised before %s is stored: %s can find the new number, take the old value for it, and not look again",
		w.place, d.place, in.Name)
	s.tell(c, w, d.source())
}

// setsVersion says whether the write gives an atomic number of an object another value, once in
// the body.
func (s *search) setsVersion(w *occurrence) bool {
	if w.Kind != access.Atomic || w.Mode != atomicity.Write || w.lit || w.later || !w.place.Valid() || !w.Var.Obj.IsField() {
		return false
	}
	if src := w.source(); s.step(&occurrence{Access: src}) <= 0 {
		values := stored(src)
		if !strings.HasPrefix(src.Method, "Store") || len(values) != 1 || s.pkg.Info.Types[values[0]].Value != nil || !isInteger(s.pkg.Info.TypeOf(values[0])) {
			return false
		}
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool { return o != w && o.Var == w.Var && o.Mode == atomicity.Write })
}

// followsVersion says whether d stores something in another field of the object after w,
// and nothing did before.
func (s *search) followsVersion(w, d *occurrence) bool {
	if d.Mode != atomicity.Write || d.lit || d.later || d.Var == w.Var || !d.Var.Obj.IsField() || d.Kind != access.Atomic && (d.Kind != access.Cell || d.Var.Contents) ||
		!d.place.Beside(w.place) || d.Update != nil || !s.leadsTo(w, d) || s.leadsTo(d, w) {
		return false
	}
	switch t := d.Var.Obj.Type().Underlying().(type) {
	case *types.Basic:
		if t.Info()&(types.IsNumeric|types.IsBoolean) != 0 {
			return false
		}
	}
	values := d.stores
	if d.via == nil {
		values = stored(d.Access)
	}
	if d.Kind == access.Atomic && (!strings.HasPrefix(d.source().Method, "Store") && !strings.HasPrefix(d.source().Method, "Swap") || len(values) != 1 || isInteger(s.pkg.Info.TypeOf(values[0])) || isBoolean(s.pkg.Info.TypeOf(values[0]))) {
		return false
	}
	if len(values) == 0 || s.pkg.Info.Types[values[0]].Value != nil || s.unsets(values[0]) {
		return false
	}
	return !slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != d && o.Var == d.Var && o.Mode == atomicity.Write && s.leadsTo(o, w)
	})
}

// rememberer is a load of the number by another function, which goes on from its
// comparison to a read of the value and keeps the number, and that function.
func (s *search) rememberer(w, d *occurrence) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, load := range s.order {
			if load.Var != w.Var || load.Mode != atomicity.Read || load.lit {
				continue
			}
			for _, r := range s.order {
				if r.Var != d.Var || r.Mode != atomicity.Read || r.place.Root != load.place.Root || !s.leadsTo(load, r) || s.before(r, load) ||
					!s.compared(load, r) || s.loadedAgain(load, r) || !s.keeps(load) || lockedBoth(w, d, load, r) {
					continue
				}
				if _, strong, _ := s.shared.RivalsAmong(b, w.Var, map[*accesses.Body]bool{current.body: true}); strong {
					return load, b.Fn
				}
			}
		}
	}
	return nil, nil
}

// compared says whether a comparison of what load has read with another variable decides
// about r.
func (s *search) compared(load, r *occurrence) bool {
	for _, test := range s.testsOf(load.Access, false) {
		ok, _ := s.decides(test, r.block)
		cond, isBinary := ast.Unparen(s.body.Conds[test][0]).(*ast.BinaryExpr)
		if ok && isBinary && s.pkg.Info.Types[cond.X].Value == nil && s.pkg.Info.Types[cond.Y].Value == nil {
			return true
		}
	}
	return false
}

// loadedAgain says whether the number is loaded once more after r.
func (s *search) loadedAgain(load, r *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o != load && o.Var == load.Var && o.Mode == atomicity.Read && s.before(r, o)
	})
}

// keeps says whether the body stores what load has read.
func (s *search) keeps(load *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && o.via == nil && o.Var != load.Var && slices.ContainsFunc(stored(o.Access), func(e ast.Expr) bool {
			_, ok := s.values.of(e)[load.Access]
			return ok
		})
	})
}

// lockedBoth says whether the writer holds a lock from the one to the other which the
// reader does, too, whatever it reaches the object through.
func lockedBoth(w, d, load, r *occurrence) bool {
	held := func(o *occurrence, name string) bool {
		return slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool { return lastOf(l.Path) == name })
	}
	return slices.ContainsFunc(locksOf(w.held), func(l accesses.Place) bool {
		name := lastOf(l.Path)
		return held(d, name) && held(load, name) && held(r, name)
	})
}
