package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// putAfresh is a write by another function that puts an entry of its own under the key that
// it was given, whatever is there, with one of the fields set by the clock.
func (s *search) putAfresh(gone *occurrence, asked map[*types.Var]bool) (*occurrence, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.shared.Launched(b) && !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Mode == atomicity.Write && w.via == nil && w.Var == gone.Var && w.Kind == access.MapElement && w.Method == "" && w.held.Any() && s.isGivenKey(w.Key) &&
				(!s.testedBefore(w) || s.askedByGetter(w)) && slices.ContainsFunc(stored(w.Access), func(v ast.Expr) bool { return s.setsByClock(v, asked, 0) }) {
				return w, b
			}
		}
	}
	return nil, nil
}

// askedByGetter says whether the body looks at what w writes by calls of getters alone, which
// hold the lock for themselves.
func (s *search) askedByGetter(w *occurrence) bool {
	return !slices.ContainsFunc(s.order, func(r *occurrence) bool {
		return r.Mode == atomicity.Read && r.Var == w.Var && r.place == w.place && (r.via == nil || s.oneHold(r, w))
	})
}

// setsByClock says whether e is a struct that is made with a time in one of the fields.
func (s *search) setsByClock(e ast.Expr, asked map[*types.Var]bool, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return s.setsByClock(e.X, asked, depth)
	case *ast.Ident:
		list := s.values.assigns[s.pkg.Info.ObjectOf(e)]
		return depth < 3 && len(list) == 1 && s.setsByClock(list[0].value, asked, depth+1)
	case *ast.CompositeLit:
		st, ok := s.values.underlying(e).(*types.Struct)
		for i, el := range e.Elts {
			if kv, isPair := el.(*ast.KeyValueExpr); isPair {
				id, isField := kv.Key.(*ast.Ident)
				if !isField {
					continue
				}
				if v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var); isVar && asked[v.Origin()] && s.byClock(kv.Value, 0) {
					return true
				}
			} else if ok && i < st.NumFields() && asked[st.Field(i).Origin()] && s.byClock(el, 0) {
				return true
			}
		}
	}
	return false
}

func (s *search) replacedSince(look, gone *occurrence, by ast.Expr, w *occurrence, in *accesses.Body) {
	if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "unlock-relock", look.Access, by.Pos(), gone.Pos())
	c.Roles = [2]string{"found due", "deleted"}
	if gone.via != nil && gone.depth > 1 {
		c.Alike = fmt.Sprint(c.Category, c.Name, gone.where()) // each function that has the entry deleted so
	}
	c.Message = fmt.Sprintf("%s can put a fresh entry into %s after the old one was looked at here and before the key is deleted: the lock is released in between, and nothing is looked at again",
		in.Fn.Name, types.ExprString(gone.source().Cell))
	if gone.via != nil {
		c.EndVia, c.EndWithin = gone.via, gone.where()
	}
	s.tell(c, look, w.Access)
}
