package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// returnedBare is the read, with no lock held, of the field of the receiver, or of what it points to, which the expression is,
// a map or slice: func (c *cache) All() map[string]*item { return c.items }. Or nil.
func (s *search) returnedBare(e ast.Expr) *occurrence {
	e = ast.Unparen(e)
	if t := s.pkg.Info.TypeOf(e); t == nil || !isSlice(t) && !isMap(t) {
		return nil
	}
	for _, a := range s.values.reads[e] {
		if o := s.occ[a]; o != nil && o.Mode == atomicity.Read && o.Kind == access.Cell && o.via == nil && !o.lit && a.Expr == e && len(o.held) == 0 && o.Var.Obj.IsField() && s.ofReceiver(o) {
			return o
		}
	}
	return nil
}

// changedUnderLock reports the read if another function changes in place, under a lock of the
// object, what it returns, and nobody calls the method with that lock held.
func (s *search) changedUnderLock(src *occurrence, at ast.Expr) bool {
	if s.reachOf(src) < shared.Meant || len(s.callersOf(s.body.Func)) > 0 || slices.ContainsFunc(s.order, func(w *occurrence) bool { return w.Mode == atomicity.Write }) {
		return false
	}
	for class := range sortedKeys(s.classesFor(src.Var)) {
		by, how := s.changedBy(src, class)
		if by == nil || !s.shared.Entered(by) && !s.shared.Launched(by) && !s.shared.Spawned(by) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{by: true}); !strong {
			continue
		}
		c := s.direct("testuse", "guarded-escape", src.Access, src.Pos(), at.Pos())
		c.Roles = [2]string{"read", "returned"}
		c.Message = fmt.Sprintf("%s is returned itself, and no copy: whoever gets it reads it without the lock with which %s %s", types.ExprString(src.Expr), by.Fn.Name, how)
		s.tell(c, src, src.Access)
		return true
	}
	return false
}

// classesFor are the classes of locks under which the field, or its entries, are accessed.
func (s *search) classesFor(v access.Var) map[string]int {
	found := map[string]int{}
	for _, v := range []access.Var{v, {Obj: v.Obj, Contents: true}} {
		if u := s.shared.Use(v); u != nil {
			maps.Copy(found, u.Locks)
		}
	}
	return found
}

func sortedKeys(m map[string]int) func(func(string) bool) {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}

// ofReceiver says whether o is of the method's receiver, or of what that points to.
func (s *search) ofReceiver(o *occurrence) bool {
	v, ok := o.place.Root.(*types.Var)
	return ok && s.isReceiver(v)
}
