package section

import (
	"fmt"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// elementUnguarded finds writes without any lock to fields of objects that a method takes out of a map or slice of its receiver,
// where all other functions hold a lock of that receiver, or one of its type, for such fields:
//
//	func (p *pool) Close() { for _, h := range p.hosts { h.dead = true } } // elsewhere, under p.mu: if !h.dead { … }
//
// The objects have no lock of their own; those of the pool's are taken out of it, and guarded, by its lock.
func (s *search) elementUnguarded() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || s.builds() ||
		!s.shared.Entered(s.body) && !s.shared.Launched(s.body) {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Write || o.Kind != access.Cell || o.via != nil || o.lit || len(o.held) > 0 || !o.place.Valid() || !o.Var.Obj.IsField() || s.reachOf(o) < shared.Meant || s.waitedBefore(o) || s.madeAnew(o) {
			continue
		}
		class := s.shared.Use(o.Var).HeldByOthers(s.body)
		container := s.takenOutOf(o, fn)
		owner := s.shared.Owner(o.Var.Obj)
		if class == "" || container == nil || !s.ownersClass(class, access.Var{Obj: container}) || owner == nil || mutexes(owner.Type()) > 0 {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong {
			continue
		}
		keeper, in := s.another(o.Var, s.body, func(k *occurrence) bool { return k.Mode == atomicity.Write && k.lockOf(class).Valid() })
		if keeper == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"written without the lock", "written with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, class)
		c.Message = fmt.Sprintf("%s is written here without the lock that all other functions hold for such fields: %s in %s", o.shown(), keeper.lockOf(class), in.Name)
		s.tell(c, o, o.Access)
		return
	}
}

// takenOutOf is the field of the receiver, a map or slice, out of which the body has taken the object of o.
func (s *search) takenOutOf(o *occurrence, fn *types.Func) *types.Var {
	list := s.values.assigns[o.place.Root]
	if len(list) != 1 || list[0].plain {
		return nil
	}
	v := s.variable(list[0].value)
	if v == nil || !v.IsField() || s.pkg.PlaceOf(list[0].value).Root != types.Object(fn.Signature().Recv()) {
		return nil
	}
	return v
}
