package section

import (
	"fmt"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// otherLock finds accesses under a lock of the object other than the one that all other
// functions hold for the variable: neither of the two locks keeps the others out.
func (s *search) otherLock() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || reported[o.Var] || !o.place.Valid() || !o.Var.Obj.IsField() || !s.ownLockOf(o, o.held) || s.reachOf(o) < shared.Meant {
			continue
		}
		if o.Kind != access.Cell && o.Kind != access.MapElement && o.Kind != access.MapWhole {
			continue
		}
		rule := s.shared.Use(o.Var).OthersHold(s.body, o.Mode == atomicity.Write)
		if rule == "" || s.otherRule(o, rule) || s.heldOutside(o) || s.keptElsewhere(o.Var, rule) || s.mayHold(o, rule) || s.waitedBefore(o) || s.madeAnew(o) || s.leftState(o) {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong {
			continue
		}
		keeper, in := s.another(o.Var, s.body, func(k *occurrence) bool {
			return (k.Mode == atomicity.Write || o.Mode == atomicity.Write) && s.isBeside(k, rule)
		})
		if keeper == nil {
			continue
		}
		reported[o.Var] = true
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"accessed under another lock", "accessed with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, rule)
		c.Message = fmt.Sprintf("%s is accessed here under %s, and by all other functions under %s, as in %s: neither keeps the others out",
			types.ExprString(o.Cell), anyOf(o.held), keeper.lockOf(rule), in.Name)
		s.tell(c, o, keeper.Access)
	}
}

// isBeside says whether the access is made with a lock of the class held that is a part of
// the same object.
func (s *search) isBeside(k *occurrence, class string) bool {
	l := k.lockOf(class)
	return l.Valid() && l.Root == k.place.Root && !s.shared.Constructing(s.pkg.ByNode[k.Func.Node])
}

// mayHold says whether the lock of the class is held on some of the ways to o.
func (s *search) mayHold(o *occurrence, class string) bool {
	for l := range o.held {
		if locks.ClassOf(l) == class {
			return true
		}
	}
	return false
}
