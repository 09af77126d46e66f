package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// A groupCall is a call of a method of a sync.WaitGroup that a field or package-level
// variable holds.
type groupCall struct {
	call         *ast.CallExpr
	group        *types.Var
	on           ast.Expr
	block, index int
	held         locks.Set
}

// uncounted finds work that is counted in a sync.WaitGroup too late: after a flag has
// told that it may begin, or after its object was found in a map, with no lock from
// there to the Add. Whoever sets the flag, or removes the object, and then waits for the
// group can have found nobody by then, and ends what the work goes on to use.
func (s *search) uncounted() {
	if s.shared.Constructing(s.body) || !s.shared.Entered(s.body) && !s.shared.Begins(s.body) {
		return
	}
	for _, add := range s.groupCalls("Add", "Go") {
		if add.held.Any() || s.inFlight(add.call.Pos()) || !s.awaited(add.group) {
			continue
		}
		if inLoop(s.body.Block, add.call) {
			if s.acceptedLate(add) {
				return
			}
			continue
		}
		root := s.pkg.PlaceOf(add.on).Root
		for _, e := range s.order {
			if e.place.Root == root && s.letsIn(e, add) && !s.startsLooking(add, e.Var) {
				s.late(e, add.call, add.call, add.on)
				return
			}
		}
	}
	for _, e := range s.order {
		if e.Mode == atomicity.Read && e.via == nil && e.Kind == access.MapElement && e.held.Any() && e.Var.Obj.IsField() && s.reachOf(e) != shared.Private {
			if call, add := s.countedLate(e); call != nil {
				s.late(e, call, add.call, add.on)
				return
			}
		}
	}
}

func (s *search) late(e *occurrence, at, add *ast.CallExpr, group ast.Expr) {
	category := "use-after-unlock"
	if e.Kind == access.Atomic {
		category = "atomic-check-then-act"
	}
	c := s.direct("testuse", category, e.source(), e.Pos(), at.Pos())
	c.Via = e.via
	c.Roles = [2]string{"looked at", "added to"}
	if v := s.variable(group); v != nil {
		c.EndName = s.pkg.Name(access.Var{Obj: v})
	}
	if at != add {
		c.EndVia, c.EndWithin = at, add.Pos()
	}
	c.Message = fmt.Sprintf("between this look at %s and the Add, another goroutine can end it and wait for %s, which has not counted this one: what it ends is then still used",
		e.place, types.ExprString(group))
	s.tell(c, e, e.Access)
}

// groupCalls are the calls of the named methods in the body.
func (s *search) groupCalls(names ...string) []groupCall {
	var list []groupCall
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if d, isDefer := ev.Node.(*ast.DeferStmt); isDefer {
			call, ok = d.Call, true
		}
		if !ok {
			return
		}
		for _, name := range names {
			if v, on := s.groupOf(call, name); v != nil {
				list = append(list, groupCall{call, v, on, block, index, held})
			}
		}
	})
	return list
}

// groupOf is the variable whose WaitGroup's method of the name is called, or nil.
func (s *search) groupOf(call *ast.CallExpr, name string) (*types.Var, ast.Expr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := s.locks.Callee(call)
	if !ok || fn == nil || fn.Name() != name || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || !isGroup(s.pkg.Info.TypeOf(sel.X)) {
		return nil, nil
	}
	return s.variable(sel.X), sel.X
}

func isGroup(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Name() == "WaitGroup" && tn.Pkg() != nil && tn.Pkg().Path() == "sync"
}

// awaited says whether some other function waits for the group, or hands its address to
// a function that does.
func (s *search) awaited(group *types.Var) bool {
	if s.waiters == nil {
		s.waiters = map[*types.Var]map[*accesses.Body]bool{}
		current := s.bodyState
		for _, b := range s.pkg.Bodies {
			s.bodyState = s.states[b]
			note := func(v *types.Var) {
				if v != nil && s.waiters[v] == nil {
					s.waiters[v] = map[*accesses.Body]bool{}
				}
				if v != nil {
					s.waiters[v][b.Outermost()] = true
				}
			}
			for _, w := range s.groupCalls("Wait") {
				note(w.group)
			}
			ast.Inspect(b.Block, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && waits.MatchString(types.ExprString(call.Fun)) {
					for _, a := range call.Args {
						if u, ok := ast.Unparen(a).(*ast.UnaryExpr); ok && isGroup(s.pkg.Info.TypeOf(u.X)) {
							note(s.variable(u.X))
						}
					}
				}
				return true
			})
		}
		s.bodyState = current
	}
	for b := range s.waiters[group] {
		if b != s.body.Outermost() {
			return true
		}
	}
	return false
}

var (
	waits = pattern.New(`(?i)wait`)
	ends  = pattern.New(`(?i)clos|stop|quit|shut|drain|dead|exit|finish|terminat|done|destroy|kill`)
)

// letsIn says whether e reads a flag that others set to end things, and that decides
// about the Add with nothing held from one to the other and no second look.
func (s *search) letsIn(e *occurrence, add groupCall) bool {
	name := types.ExprString(e.Expr)
	if e.via != nil {
		name = types.ExprString(e.via.Fun)
	}
	return ends.MatchString(name) && s.looksFirstAt(e, add)
}

// looksFirstAt is letsIn whatever the flag is called.
func (s *search) looksFirstAt(e *occurrence, add groupCall) bool {
	if e.Mode != atomicity.Read || e.Kind != access.Atomic && !e.held.Any() || s.reachOf(e) == shared.Private {
		return false
	}
	return s.setByOthers(e.Var) && s.decided(s.testsOf(e.Access, false), add.block) && !s.looksAfter(e.Var, add) && s.apart(e, add.block, add.index)
}

// looksAfter says whether the body looks at the variable again, after the Add.
func (s *search) looksAfter(v access.Var, add groupCall) bool {
	return slices.ContainsFunc(s.order, func(again *occurrence) bool {
		return again.Var == v && again.Mode == atomicity.Read && s.before(add.call, again)
	})
}

func (s *search) setByOthers(v access.Var) bool {
	for b := range s.shared.Use(v).Writers() {
		if b.Outermost() != s.body.Outermost() && !s.shared.Constructing(b) {
			return true
		}
	}
	return false
}

// apart says whether control comes from e to the event with no lock held all the way.
func (s *search) apart(e *occurrence, block, index int) bool {
	open := false
	s.onward(e, func(b, i int, _ accesses.Event, kept locks.Set) bool {
		if b == block && i == index {
			open = open || len(kept) == 0
			return true
		}
		return false
	})
	return open
}

// countedLate is the call of a method of the object that look has found, when the lock
// of the map has been released, which begins by counting itself in a group of the object
// that who removes objects from the map waits for.
func (s *search) countedLate(look *occurrence) (*ast.CallExpr, groupCall) {
	locals := s.holding(look)
	if len(locals) == 0 || !s.removedElsewhere(look.Var) {
		return nil, groupCall{}
	}
	var late *ast.CallExpr
	var counted groupCall
	s.onward(look, func(block, index int, ev accesses.Event, kept locks.Set) bool {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || late != nil {
			return late != nil
		}
		fn, on := s.calledOn(call)
		for _, l := range locals {
			if fn != nil && l == on && len(kept) == 0 {
				if add := s.begins(fn); add.call != nil && s.awaited(add.group) {
					late, counted = call, add
				}
			}
		}
		return late != nil
	})
	return late, counted
}

// begins is the Add on a group of its receiver with which the method begins, if it does.
func (s *search) begins(fn *types.Func) (add groupCall) {
	b := s.pkg.ByFunc[fn]
	if b == nil || len(b.Block.List) == 0 {
		return add
	}
	x, ok := b.Block.List[0].(*ast.ExprStmt)
	if !ok {
		return add
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	for _, a := range s.groupCalls("Add") {
		if ast.Unparen(x.X) == ast.Expr(a.call) && s.pkg.PlaceOf(a.on).Root == types.Object(fn.Signature().Recv()) {
			return a
		}
	}
	return add
}

// removedElsewhere says whether another function deletes from the map.
func (s *search) removedElsewhere(m access.Var) bool {
	for b, st := range s.states {
		if b.Outermost() == s.body.Outermost() {
			continue
		}
		for _, o := range st.order {
			if o.Var == m && o.Mode == atomicity.Write && o.Method == "delete" {
				return true
			}
		}
	}
	return false
}
