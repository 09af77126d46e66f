package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockOfEach finds entries of a map that a method changes in an object which many others have in common, under the lock
// of its own object alone, where a method of the common one, which has no lock, makes an object with such a lock for each call:
//
//	func (s *service) Open(key string) *handle { return &handle{key: key, service: s} }
//	func (h *handle) Save(v any) { h.mu.Lock(); h.service.slots[h.key] = v; h.mu.Unlock() }
//
// The locks of two handles do not keep each other out.
func (s *search) lockOfEach() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || s.shared.Constructing(s.body) || !s.shared.Entered(s.body) && !s.shared.Launched(s.body) {
		return
	}
	own := accesses.TypeName(fn.Signature().Recv().Type())
	for _, o := range s.order {
		if o.Mode != atomicity.Write || o.Kind != access.MapElement || o.via != nil || o.lit || !o.place.Valid() || o.place.Root != types.Object(fn.Signature().Recv()) || !s.ownLockAlone(o, own) {
			continue
		}
		common := s.shared.Owner(o.Var.Obj)
		if own == nil || common == nil || common == own || mutexes(common.Type()) > 0 || s.heldOfCommon(o.Var) {
			continue
		}
		made := s.madeByCommon(own, common)
		if made == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), made.Pos())
		c.Roles = [2]string{"changed under the lock of one of those who have it", "given to each of them"}
		c.Message = fmt.Sprintf("%s is changed here under %s, which is of this %s alone: others that have the same %s have locks of their own, and two goroutines that change a map at once end the program",
			types.ExprString(o.Cell), anyOf(o.held), own.Name(), common.Name())
		s.tell(c, o, o.Access)
		return
	}
}

// ownLockAlone says whether what is held at o are locks that are fields of the receiver, and no pointers.
func (s *search) ownLockAlone(o *occurrence, own *types.TypeName) bool {
	list := locksOf(o.held)
	return own != nil && len(list) > 0 && len(list) == len(o.held) && !slices.ContainsFunc(list, func(l accesses.Place) bool {
		f := l.Field()
		if f == nil || l.Root != o.place.Root || s.shared.Owner(f) != own || o.held[l] != locks.Exclusive {
			return true
		}
		_, pointer := types.Unalias(f.Type()).(*types.Pointer)
		return pointer
	})
}

// heldOfCommon says whether some function holds a lock of another kind of objects to access the variable: that of what all have in common.
func (s *search) heldOfCommon(v access.Var) bool {
	owners := map[string]bool{}
	for _, k := range s.ownAccesses(v) {
		if s.privateIn(k) {
			continue
		}
		for _, l := range k.held.Places() {
			name, _, _ := strings.Cut(locks.ClassOf(l), "[")
			owners[name] = true
		}
	}
	return len(owners) != 1
}

// madeByCommon is where a method of the common object makes one of the others, which has it in a field, and returns that.
func (s *search) madeByCommon(own, common *types.TypeName) (made ast.Node) {
	for _, b := range s.pkg.Bodies {
		fn := b.Func
		if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || accesses.TypeName(fn.Signature().Recv().Type()) != common {
			continue
		}
		for _, ret := range returnsOf(b) {
			for _, e := range ret.Results {
				if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
					e = u.X
				}
				lit, ok := ast.Unparen(e).(*ast.CompositeLit)
				if !ok || accesses.TypeName(s.pkg.Info.TypeOf(lit)) != own {
					continue
				}
				for _, el := range lit.Elts {
					if kv, ok := el.(*ast.KeyValueExpr); ok {
						el = kv.Value
					}
					if s.isVar(el, fn.Signature().Recv()) {
						return lit
					}
				}
			}
		}
	}
	return nil
}
