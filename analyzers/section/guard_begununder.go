package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// begunUnder finds what a goroutine or timer does without a lock to fields of an object whose
// lock is held where it is begun:
//
//	a.mu.Lock()
//	defer a.mu.Unlock()
//	go func() { a.current = open(name) }() // elsewhere, under a.mu: return a.current
//
// The lock belongs to who begins it, and is released by the time. It is a write while others
// access the field under the lock, or a read while a function other than the beginner's writes it
// there.
func (s *search) begunUnder() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Entered(s.body) && !s.shared.Launched(s.body) {
		return
	}
	begins := s.body
	for _, l := range s.begunLater() {
		b, on := l.body, accesses.Place{}
		if b == nil {
			if b = s.pkg.ByFunc[l.fn]; b == nil || l.fn.Exported() {
				continue
			}
			on = l.on
		}
		s.inState(b, func() { s.barelyUsed(l, begins, on) })
	}
}

// inState runs f as if the body were the one that is looked at.
func (s *search) inState(b *accesses.Body, f func()) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	f()
}

// barelyUsed reports the first such access of each field.
func (s *search) barelyUsed(l later, begins *accesses.Body, on accesses.Place) {
	reported := map[types.Object]bool{}
	for _, o := range s.order {
		if o.via != nil || len(o.held) > 0 || !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) || reported[o.Var.Obj] || o.Kind != access.Cell && o.Kind != access.MapElement && o.Kind != access.MapWhole {
			continue
		}
		lock := s.heldBeside(l, o, on)
		if !lock.Valid() || s.waitedBefore(o) || s.madeAnew(o) || s.leftState(o) || s.ownWhileSet(o) || s.logged(o) {
			continue
		}
		class := locks.ClassOf(lock)
		keeper, in := s.meets(o, class, begins)
		if keeper == nil || s.endedBefore(o, class) || o.Mode == atomicity.Read && s.setOnce(o.Var) && s.foundSet(o) {
			continue
		}
		reported[o.Var.Obj] = true
		does, there := "written", "accesses"
		if o.Mode == atomicity.Read {
			does = "read"
		}
		if keeper.Mode == atomicity.Write {
			there = "writes"
		}
		name := types.ExprString(o.Expr)
		if _, deletes := o.Expr.(*ast.CallExpr); deletes {
			name = o.place.String()
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{does + " without the lock", "accessed with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, class)
		c.Message = fmt.Sprintf("%s is %s here without %s: what %s begins with the lock held runs on when it is released, while %s %s it with the lock held",
			name, does, keeper.lockOf(class), begins.Outermost().Fn.Name, in.Name, there)
		s.tell(c, o, o.Access)
	}
}

// heldBeside is the lock, held where it was begun, of the object that o is a field of.
func (s *search) heldBeside(l later, o *occurrence, on accesses.Place) accesses.Place {
	for _, h := range locksOf(l.held) {
		if l.held[h] <= locks.Possible || h.Root == nil {
			continue
		}
		if l.body != nil {
			if beside(h, o.place) {
				return h
			}
			continue
		}
		if accesses.IsGlobal(h.Root) && accesses.IsGlobal(o.place.Root) {
			if beside(h, o.place) {
				return h
			}
			continue
		}
		recv := l.fn.Signature().Recv()
		if recv != nil && o.place.Root == types.Object(recv) && o.place.Object().Path == "" && h.Object() == on.Whole() {
			return h
		}
	}
	return accesses.Place{}
}

// meets is an access under a lock of the class, which o can meet, of a function that does not
// begin what o is in: a write, unless o is one; if nobody else writes the variable without, and
// fewer read it so.
func (s *search) meets(o *occurrence, class string, begins *accesses.Body) (*occurrence, *access.Function) {
	var keeper *occurrence
	var in *accesses.Body
	reader := s.body
	holding, without := map[*accesses.Body]bool{}, map[*accesses.Body]bool{}
	for _, k := range s.ownAccesses(o.Var) {
		bare, own := false, k.body == reader || k.body.Outermost() == begins.Outermost()
		s.inState(k.body, func() {
			bare = s.reachOf(k.occurrence) != shared.Private && k.lockOf(class) == (accesses.Place{}) && !k.held.Holds(locks.Caller)
			if !own && !bare && k.lockOf(class).Valid() && (o.Mode == atomicity.Write || k.Mode == atomicity.Write && k.heldAs(class) == locks.Exclusive && !s.waitedBefore(k.occurrence)) && !s.receivedFirst(o, reader, k) {
				if _, strong, _ := s.shared.RivalsAmong(reader, o.Var, map[*accesses.Body]bool{k.body: true}); strong && (keeper == nil || keeper.Mode != atomicity.Write && k.Mode == atomicity.Write) {
					keeper, in = k.occurrence, k.body
				}
			}
		})
		switch {
		case own:
		case !bare:
			holding[k.body.Outermost()] = true
		case k.Mode == atomicity.Write:
			return nil, nil // the lock is not its rule
		default:
			without[k.body.Outermost()] = true
		}
	}
	if keeper == nil || len(without) >= len(holding) {
		return nil, nil
	}
	return keeper, in.Fn
}
