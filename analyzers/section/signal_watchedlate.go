package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// watchedLate finds functions that go through what an object has, under its lock, and only then ask the
// object's notifier to tell them of what comes later:
//
//	x.mu.RLock(); for _, e := range x.entries { use(e) }; x.mu.RUnlock()
//	news := x.events.Watch() // elsewhere, under x.mu: x.entries[k] = e; x.events.Publish(e)
//	for e := range news { use(e) }
//
// What is added in between is told to those who watch by then, and is missed. Who watches first may be
// told twice of the same, and misses nothing.
func (s *search) watchedLate() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			notifier, root := s.notifierOf(call, watchings)
			if notifier == nil || !s.givesChannel(call) || slices.ContainsFunc(call.Args, s.tellsSince) || s.heldAtCall(call).Any() {
				continue
			}
			at := &occurrence{Access: &access.Access{}, block: block, index: index}
			for _, o := range s.order {
				if o.Mode != atomicity.Read || o.via != nil || o.lit || o.place.Root != root || !o.Var.Obj.IsField() || !o.held.Any() || s.reachOf(o) == shared.Private || !s.goesThrough(o) || !s.leadsTo(o, at) || s.leadsTo(at, o) {
					continue
				}
				if slices.ContainsFunc(s.order, func(again *occurrence) bool {
					return again.Var.Obj == o.Var.Obj && again.Mode == atomicity.Read && (s.goesThrough(again) || again.via != nil) && s.leadsTo(at, again)
				}) {
					continue
				}
				put, in := s.putAndTold(o.Var.Obj, notifier)
				if put == nil {
					continue
				}
				c := s.direct("testuse", "lost-wakeup", o.Access, o.Pos(), call.Pos())
				c.EndName = notifier.Name()
				c.Roles = [2]string{"gone through", "asked to tell what comes later"}
				c.Message = fmt.Sprintf("what %s adds to %s after it was gone through here, and before %s is asked to tell of more, is missed: the lock is released in between",
					in.Fn.Name, types.ExprString(o.Expr), types.ExprString(call.Fun))
				s.tell(c, o, o.Access)
				return
			}
		}
	}
}

// watchings are the methods by which one has oneself told of what comes, tellings those that tell.
var (
	watchings = pattern.New(`^(Callback)?(Watch|Subscribe|Listen|Follow|Register)`)
	tellings  = pattern.New(`^(Publish|Broadcast|Notify|Emit|Fire|Dispatch)`)
	sinces    = pattern.New(`(?i)(rev|version|index|since|from|cursor|offset|seq|after|start)`)
)

// notifierOf is the field whose method, of such a name, the call calls, and the object that has it.
func (s *search) notifierOf(call *ast.CallExpr, named interface{ MatchString(string) bool }) (*types.Var, types.Object) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !named.MatchString(sel.Sel.Name) {
		return nil, nil
	}
	v := s.variable(sel.X)
	if v == nil || !v.IsField() {
		return nil, nil
	}
	return v, s.pkg.PlaceOf(sel.X).Root
}

// givesChannel says whether the call returns a channel.
func (s *search) givesChannel(call *ast.CallExpr) bool {
	isChan := func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Chan)
		return ok
	}
	switch t := s.pkg.Info.TypeOf(call).(type) {
	case nil:
		return false
	case *types.Tuple:
		for v := range t.Variables() {
			if isChan(v.Type()) {
				return true
			}
		}
		return false
	default:
		return isChan(t)
	}
}

// tellsSince says whether the argument tells from when on one wants to be told.
func (s *search) tellsSince(arg ast.Expr) bool {
	found := false
	ast.Inspect(arg, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && sinces.MatchString(id.Name)
		return !found
	})
	return found
}

// goesThrough says whether what is read, a map or slice, is ranged over.
func (s *search) goesThrough(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		found = found || ok && s.variable(loop.X) == o.Var.Obj && loop.X.Pos() <= o.Pos() && o.Pos() <= loop.X.End()
		return !found
	})
	return found
}

// putAndTold is where another function, itself or by what it calls, adds an entry to the field, and has the
// notifier of the object tell of it.
func (s *search) putAndTold(field, notifier *types.Var) (put *occurrence, in *accesses.Body) {
	mine := s.body.Outermost()
	for _, b := range s.pkg.Bodies {
		if put != nil || b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.inState(b, func() {
			tells, puts := false, []*bodyState{s.bodyState}
			for _, events := range b.Events {
				for _, ev := range events {
					call, ok := ev.Node.(*ast.CallExpr)
					if !ok || ev.Kind != accesses.OnCall {
						continue
					}
					v, _ := s.notifierOf(call, tellings)
					tells = tells || v == notifier
					if to := s.pkg.ByFunc[s.locks.Callee(call)]; to != nil && to.Outermost() != mine {
						puts = append(puts, s.stateOf(to))
					}
				}
			}
			for _, st := range puts {
				for _, w := range st.order {
					if tells && put == nil && w.Mode == atomicity.Write && w.via == nil && w.Var.Obj == field && !s.removesEntry(w) {
						put, in = w, b
					}
				}
			}
		})
	}
	return put, in
}

// removesEntry says whether the write is a call, as delete is.
func (s *search) removesEntry(w *occurrence) bool {
	call, ok := ast.Unparen(w.Expr).(*ast.CallExpr)
	return ok && identOf(call.Fun) != nil && identOf(call.Fun).Name == "delete"
}
