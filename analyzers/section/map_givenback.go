package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// givenBack finds objects that are put back into a pool before the entry goes that a map has of
// them:
//
//	p.pool.Put(v)
//	p.mu.Lock(); delete(p.taken, v); p.mu.Unlock()  // Get: v := p.pool.Get(); …; p.taken[v] = …
//
// Another goroutine can get the object in between, and its entry is the one that goes.
func (s *search) givenBack() {
	if s.shared.Constructing(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !s.ofPool(call, "Put") || len(call.Args) != 1 {
				continue
			}
			id := identOf(call.Args[0])
			if id == nil {
				continue
			}
			put := &occurrence{Access: &access.Access{}, block: block, index: index, outer: s.heldAt(block, index)}
			for _, o := range s.order {
				if o.Mode != atomicity.Write || o.via != nil || o.later || o.Method != "delete" && o.Method != "Delete" || o.Pos() < call.Pos() || !s.deletesFor(o, id) || !s.leadsTo(put, o) || s.oneHold(put, o) {
					continue
				}
				if s.reachOf(o) < shared.Meant && !o.held.Any() {
					continue
				}
				if taken, in := s.enteredOnTaking(o); taken != nil {
					c := s.direct("multivar", "multi-variable", o.Access, call.Pos(), o.Pos())
					c.Roles = [2]string{"put back", "deleted"}
					c.Message = fmt.Sprintf("%s is put back before its entry in %s is deleted: another goroutine can get it in between, and the entry that %s makes for it is deleted here", id.Name, types.ExprString(o.Cell), in.Name)
					s.tell(c, o, taken.Access)
					return
				}
			}
		}
	}
}

// ofPool says whether the call is of the method of a sync.Pool, or of what is called a pool.
func (s *search) ofPool(call *ast.CallExpr, method string) bool {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Name() != method {
		return false
	}
	if fn.FullName() == "(*sync.Pool)."+method {
		return true
	}
	recv := fn.Signature().Recv()
	if recv == nil || s.pkg.ByFunc[fn] == s.body {
		return false
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && pools.MatchString(tn.Name())
}

// deletesFor says whether the entry that goes is that of the object, or of a part of it, which
// the local is all the time.
func (s *search) deletesFor(o *occurrence, id *ast.Ident) bool {
	key := o.Key
	if call, ok := o.Expr.(*ast.CallExpr); ok && o.Kind == access.SyncMap && len(call.Args) == 1 {
		key = call.Args[0]
	}
	obj := s.pkg.Info.ObjectOf(id)
	if key == nil || obj == nil || !s.mentions(key, obj) {
		return false
	}
	for _, d := range s.values.assigns[obj] {
		if at := s.pkg.Order(o.Pos()); s.pkg.Order(id.Pos()) < d.at && d.at < at {
			return false
		}
	}
	return true
}

// enteredOnTaking is where another function stores an entry of the same map once it has taken
// an object out of a pool.
func (s *search) enteredOnTaking(gone *occurrence) (*occurrence, *access.Function) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, o := range s.order {
			if o.Var == gone.Var && o.via == nil && o.Mode == atomicity.Write && o.Method != "delete" && o.Method != "Delete" && s.takenFromPool(o) {
				return o, b.Fn
			}
		}
	}
	return nil, nil
}

// takenFromPool says whether control comes to o by way of a call that takes something out of a pool.
func (s *search) takenFromPool(o *occurrence) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && s.ofPool(call, "Get") && s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, o) {
				return true
			}
		}
	}
	return false
}

var pools = pattern.New(`(?i)pool|freelist`)
