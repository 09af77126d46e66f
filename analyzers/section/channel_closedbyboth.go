package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// closedByBoth says whether c closes a channel that two goroutines have which run the same code:
// a method that is run in two of them on one object, a function that two are given one channel,
// or a literal with a name.
//
//	go t.pipe(client, server)
//	go t.pipe(server, client) // each: if err != nil { close(t.broken) }
//
// Nothing chooses one of them: it is closed always, or because of an error that the goroutine
// has met itself, as the other one can as well.
func (s *search) closedByBoth(c closeCall) bool {
	pl := c.channel.place
	root, ok := pl.Root.(*types.Var)
	if !ok || c.held.Any() || s.inSelect(c.call) || s.recovers() || s.replacedHere(c) || !s.ownErrorAlone(c) {
		return false
	}
	var of func(call *ast.CallExpr) accesses.Place
	if fn := s.body.Func; fn != nil {
		if recv := fn.Signature().Recv(); recv != nil && recv == root {
			return s.besideItself()
		}
		index := -1
		for i := range fn.Signature().Params().Len() {
			if fn.Signature().Params().At(i) == root {
				index = i
			}
		}
		if index < 0 {
			return false
		}
		of = func(call *ast.CallExpr) accesses.Place {
			if s.locks.Callee(call) != fn || index >= len(call.Args) {
				return accesses.Place{}
			}
			return s.pkg.PlaceOf(call.Args[index])
		}
	} else if lit, ok := s.body.Node.(*ast.FuncLit); ok && s.body.Parent != nil && !(lit.Pos() <= root.Pos() && root.Pos() < lit.End()) {
		if loopAround(s.body.Parent.Block, lit) != nil {
			return false // eachCloses knows
		}
		alike := s.alikeCloses(c)
		for call := range alike {
			if call.Pos() < c.call.Pos() {
				return false // told of there
			}
		}
		of = func(call *ast.CallExpr) accesses.Place {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && s.locks.NamedLit(id) == s.body || alike[call] {
				return pl
			}
			return accesses.Place{}
		}
	} else {
		return false
	}
	return s.shared.RunsTwice(of)
}

// bothClose reports what closedByBoth has found.
func (s *search) bothClose(c closeCall) {
	s.doubleClose(c.call, c, "%s is closed without a look whether it is closed already, by two goroutines that run at the same time: the second one panics")
	d, f := s.found[len(s.found)-1], finding{search: s, entry: c.channel}
	d.Sure = !f.excused(d) && !forTests(s.pkg.Types)
}

// alikeCloses are c and the closes of the same channel, because of an error or always, in other
// literals of the function around.
func (s *search) alikeCloses(c closeCall) map[*ast.CallExpr]bool {
	list := map[*ast.CallExpr]bool{c.call: true}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range current.body.Parent.Lits {
		if b == current.body {
			continue
		}
		s.bodyState = s.states[b]
		for _, other := range slices.Concat(s.closeCalls(), s.deferredCloses()) {
			if other.channel.place == c.channel.place && !other.held.Any() && !s.inSelect(other.call) && !s.recovers() && s.lookedAt(other) == nil && s.ownErrorAlone(other) {
				list[other.call] = true
			}
		}
	}
	return list
}

// closesOfGiven lists the closes, at once or when the body returns, of channels that the
// function is given.
func (s *search) closesOfGiven() []closeCall {
	var list []closeCall
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if d, deferred := ev.Node.(*ast.DeferStmt); deferred && ev.Kind == accesses.OnDefer {
			call, ok = d.Call, true
		} else if ev.Kind != accesses.OnCall {
			return
		}
		if !ok || s.closeOf(call) == nil {
			return
		}
		v, ok := s.pkg.PlaceOf(call.Args[0]).Root.(*types.Var)
		if !ok || !hasParameter(s.body.Type(s.pkg.Info), v) || s.pkg.PlaceOf(call.Args[0]).Path != "" {
			return
		}
		a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Func: s.body.Fn, Expr: call.Args[0], Cell: call.Args[0]}
		list = append(list, closeCall{call, &occurrence{Access: a, place: accesses.Place{Root: v}}, held, block})
	})
	return list
}

// replacedHere says whether the body stores another channel where c closes one.
func (s *search) replacedHere(c closeCall) bool {
	for _, o := range s.order {
		if o.place == c.channel.place && o.Mode != c.channel.Mode {
			return true
		}
	}
	return false
}

// ownErrorAlone says whether control comes to the close always, or because of an error that the
// goroutine has met itself: from something else than a function of the package, which may choose
// one of several, or because that has failed.
func (s *search) ownErrorAlone(c closeCall) bool {
	for test, conds := range s.body.Conds {
		decides, edge := s.decides(test, c.block)
		if conds == nil || test == c.block || !decides {
			continue
		}
		for _, cond := range conds {
			if !s.asksOwnError(cond, edge) {
				return false
			}
		}
	}
	own := func(at token.Pos) bool { return s.body.Node.Pos() <= at && at < s.body.Node.End() }
	return !c.held.Holds(locks.Once) && s.allReceive(c.call, own)
}

// asksOwnError says whether the condition asks for nothing but errors, in locals of the body.
func (s *search) asksOwnError(cond ast.Expr, edge int) bool {
	failed := false // that there is one
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && (b.Op == token.NEQ || b.Op == token.EQL) && s.pkg.Info.Types[b.Y].IsNil() {
		failed = (b.Op == token.NEQ) == (edge == 0)
	}
	only, asked := true, false
	ast.Inspect(cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return only
		}
		v, isVar := s.pkg.Info.ObjectOf(id).(*types.Var)
		switch {
		case !isVar:
			if fn, ok := s.pkg.Info.ObjectOf(id).(*types.Func); ok && s.pkg.ByFunc[fn] != nil {
				only = false
			}
		case accesses.IsGlobal(v) && isError(v.Type()): // io.EOF
		case isError(v.Type()) && s.mine(id) && !hasParameter(s.body.Type(s.pkg.Info), v):
			asked = true
			only = only && (failed || !s.givenByPackage(v))
		default:
			only = false
		}
		return only
	})
	return only && asked
}

// givenByPackage says whether a function of the package, or one that is not known, gives the
// local one of its values.
func (s *search) givenByPackage(v *types.Var) bool {
	for _, d := range s.values.assigns[v] {
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		if !ok {
			continue
		}
		if fn := s.locks.Callee(call); fn == nil || s.pkg.ByFunc[fn] != nil {
			return true
		}
	}
	return false
}
