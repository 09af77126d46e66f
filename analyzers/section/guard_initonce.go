package section

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// Whoever has made an object initialises it, by a method that refuses to do it twice:
//
//	func (x *X) Init() error {
//		x.mu.Lock()
//		if x.conn != nil { x.mu.Unlock(); return errTwice }
//		x.mu.Unlock()
//		conn, err := dial()
//		…
//		x.mu.Lock()
//		x.conn = conn
//		x.mu.Unlock()
//
// The look is for those who do it again, and not for two who do it at the same time, who
// would have to share the object before it is ready.

// initializes are the names of such methods. What is started, opened or connected may be so
// by anybody.
var initializes = pattern.New(`^([iI]nit(iali[sz]e)?|[sS]et[uU]p|[bB]ootstrap)($|[A-Z0-9_])`)

// initializesOnce says whether the body is of such a method, and the look is that by which it
// refuses to do it twice. Whoever calls it in this package has just made the object.
func (s *search) initializesOnce(look *occurrence) bool {
	fn := s.body.Func
	if fn == nil || !initializes.MatchString(fn.Name()) || fn.Signature().Recv() == nil || look.via != nil || look.Kind != access.Cell || look.place.Root != types.Object(fn.Signature().Recv()) || !look.held.Any() {
		return false
	}
	return s.refusesTwice(look) && s.setHereAlone(look.Var) && s.calledOnNew(fn)
}

// refusesTwice says whether all that comes of finding the variable set is that the body returns
// an error.
func (s *search) refusesTwice(look *occurrence) bool {
	for _, test := range s.testsOf(look.Access, true) {
		conds := s.body.Conds[test]
		if len(conds) != 1 {
			continue
		}
		unset := s.unsetEdge(conds[0], look.Access)
		if unset < 0 {
			continue
		}
		refuses := false
		for block, events := range s.body.Events {
			decides, edge := s.decides(test, block)
			if !decides || edge == unset {
				continue
			}
			for index, ev := range events {
				if ev.Kind == accesses.OnReturn {
					if !s.failsThere(ev, block, index) {
						return false
					}
					refuses = true
				}
			}
		}
		return refuses
	}
	return false
}

// setHereAlone says whether no other function sets the variable.
func (s *search) setHereAlone(v access.Var) bool {
	return !v.Obj.Exported() && !slices.ContainsFunc(s.ownAccesses(v), func(w placed) bool {
		if w.Mode != atomicity.Write || w.body == s.body {
			return false
		}
		values := stored(w.Access)
		return len(values) != 1 || !s.zero(values[0])
	})
}

// calledOnNew says whether all calls of the method in this package are made by constructors, or
// on an object that the caller has just made and given to nobody else. One that is not called
// here must be there for others.
func (s *search) calledOnNew(fn *types.Func) bool {
	callers := s.callersOf(fn)
	if len(callers) == 0 {
		return s.pkg.Exported(fn)
	}
	if s.mentioned(fn) != len(callers) {
		return false
	}
	for _, b := range callers {
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if ok && ev.Kind == accesses.OnCall && s.locks.Callee(call) == fn && !s.shared.Constructing(b) && !s.onNew(b, call) {
					return false
				}
			}
		}
	}
	return true
}

// onNew says whether the call is of a method of an object that the body b has made before, of
// which it has only used the fields and methods since.
func (s *search) onNew(b *accesses.Body, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return false
	}
	local := s.pkg.Info.ObjectOf(id)
	list := s.stateOf(b).values.assigns[local]
	if local == nil || len(list) != 1 || !declaredIn(b, local) || !(&finding{search: s}).makes(list[0].value) || list[0].at > s.pkg.Order(call.Pos()) {
		return false
	}
	alone := true
	ast.PreorderStack(b.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		use, ok := n.(*ast.Ident)
		if !ok || s.pkg.Info.Uses[use] != local || s.pkg.Order(use.Pos()) >= s.pkg.Order(call.Pos()) {
			return true
		}
		_, selected := stack[len(stack)-1].(*ast.SelectorExpr)
		alone = alone && selected && !slices.ContainsFunc(stack, func(n ast.Node) bool {
			_, lit := n.(*ast.FuncLit)
			_, started := n.(*ast.GoStmt)
			return lit || started
		})
		return true
	})
	return alone
}

// beforeReady says whether the body initialises its object, and comes to the read o before it
// sets what all writers of the variable have found set in the critical section that writes.
func (s *search) beforeReady(o *occurrence) bool {
	if o.Mode != atomicity.Read || s.body.Func == nil || !initializes.MatchString(s.body.Func.Name()) {
		return false
	}
	for _, look := range s.order {
		if look.Mode != atomicity.Read || look.Var == o.Var || !look.place.Beside(o.place) || !s.finds(look, o, false) || !s.initializesOnce(look) {
			continue
		}
		early := !slices.ContainsFunc(s.order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var == look.Var && s.leadsTo(w, o)
		})
		if early && s.writtenWhenSet(o, look) {
			return true
		}
	}
	return false
}

// writtenWhenSet says whether all writes of the variable of o are made where some state implies
// that of the look is set.
func (s *search) writtenWhenSet(o, look *occurrence) bool {
	unset := stateSeen{look, zeroOf(look.Var.Obj.Type()), true}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, w := range s.ownAccesses(o.Var) {
		if w.Mode != atomicity.Write {
			continue
		}
		if s.bodyState = s.states[w.body]; s.reachOf(w.occurrence) == shared.Private {
			continue
		}
		if class := lockOfBoth(w.occurrence, look); class == "" || unset.value == nil || !s.broughtAbout(w.occurrence, unset, class, 0) {
			return false
		}
	}
	return true
}

// zeroOf is the value of a variable of the type that is unset, or nil if it has no constant one.
func zeroOf(t types.Type) constant.Value {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		switch info := t.Info(); {
		case info&types.IsBoolean != 0:
			return constant.MakeBool(false)
		case info&types.IsString != 0:
			return constant.MakeString("")
		case info&types.IsInteger != 0:
			return constant.MakeInt64(0)
		}
		return nil
	case *types.Struct, *types.Array:
		return nil
	}
	return nothing
}
