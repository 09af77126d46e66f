package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// calls raises the parameters of the callee, and what a goroutine captures.
func (r *Result) calls(b *accesses.Body, ev accesses.Event, raise func(types.Object, Reach)) {
	var call *ast.CallExpr
	launch := false
	switch ev.Kind {
	case accesses.OnGo:
		call, launch = ev.Node.(*ast.GoStmt).Call, true
	case accesses.OnDefer:
		call = ev.Node.(*ast.DeferStmt).Call
	case accesses.OnCall:
		call = ev.Node.(*ast.CallExpr)
	case accesses.OnSend:
		r.sends(b, ev.Node.(*ast.SendStmt), raise)
		return
	default:
		return
	}
	fn := r.locks.Callee(call)
	if launch {
		r.capture(b, ev.Node, call.Fun, raise)
	}
	for i, a := range call.Args {
		if r.locks.Spawns(fn, i) {
			r.capture(b, ev.Node, a, raise)
		}
	}
	r.methodValues(b, ev.Node, call, launch, raise)
	r.lendsElements(b, call, fn, raise)
	for _, callee := range r.callees(call, fn) {
		if callee.Func == nil {
			continue
		}
		sig := callee.Func.Signature()
		pass := func(v *types.Var) {
			arg := r.locks.Argument(call, callee.Func, v)
			if arg == nil && v == sig.Recv() {
				if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
					arg = sel.X
				}
			}
			if arg == nil {
				return
			}
			x := r.ofExpr(b, arg, 0)
			if r.ownElement(arg) {
				x = min(x, Unknown) // goroutines that share a slice keep to elements of their own
			}
			if launch {
				r.gives(b, ev.Node, arg, raise)
				x = max(x, r.crossing(b, ev.Node, arg, v == sig.Recv() && isPointerLike(v.Type())))
			}
			if callee.Func != fn {
				x = min(x, Unknown) // through an interface: one of many
			}
			raise(v, x)
			root := r.pkg.PlaceOf(arg).Root
			from := root
			if r.captured[root] == Shared && r.beginsWith(b, root) {
				from = nil // the goroutines share this one, whomever it was from
			}
			r.handed[v] = append(r.handed[v], handing{from, x, !launch && r.ownStruct(b, call, arg)})
			if !launch && !r.lent[v] && isPointerLike(v.Type()) && r.outlives(b, root, call) {
				r.lent[v], r.listed = true, true
			}
		}
		if sig.Recv() != nil {
			pass(sig.Recv())
		}
		for v := range sig.Params().Variables() {
			pass(v)
		}
	}
}

// lendsElements raises the parameters of a literal that a container of another package calls
// for each of its elements: t.byName.Walk(func(name string, x *entry) { … }). The elements
// are those of everybody who has the container.
func (r *Result) lendsElements(b *accesses.Body, call *ast.CallExpr, fn *types.Func, raise func(types.Object, Reach)) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn == nil || fn.Signature().Recv() == nil || r.pkg.ByFunc[fn] != nil || !walkNames.MatchString(fn.Name()) {
		return
	}
	x := r.ofExpr(b, sel.X, 0)
	if x < Implied {
		return
	}
	for _, arg := range call.Args {
		lit, ok := ast.Unparen(arg).(*ast.FuncLit)
		if !ok {
			continue
		}
		for _, field := range lit.Type.Params.List {
			for _, name := range field.Names {
				v := r.pkg.Info.Defs[name]
				if v == nil {
					continue
				}
				if _, ok := v.Type().Underlying().(*types.Pointer); !ok {
					continue
				}
				if tn := accesses.TypeName(v.Type()); tn != nil && tn.Pkg() == r.pkg.Types {
					raise(v, min(x, Listed))
				}
			}
		}
	}
}

// walkNames are the names of methods that call a function for each element.
var walkNames = regexp.MustCompile(`^(For)?(Each|Range|Walk|Visit|Iter|Match|Ascend|Descend|Scan)`)

// handing is one call that gives an object to a parameter: the variable that the
// argument starts from, who can reach what it gives, and whether that is a struct of the
// caller's own.
type handing struct {
	root  types.Object
	reach Reach
	own   bool
}

// beginsWith says whether goroutines begin with the literal b, and have captured the variable.
func (r *Result) beginsWith(b *accesses.Body, v types.Object) bool {
	return b.Parent != nil && v != nil && (v.Pos() < b.Node.Pos() || b.Node.End() <= v.Pos()) && r.Begins(b)
}

// outlives says whether b uses the variable after the call, or is a method of it.
func (r *Result) outlives(b *accesses.Body, root types.Object, call *ast.CallExpr) bool {
	if v, ok := root.(*types.Var); !ok || v.IsField() || accesses.IsGlobal(v) {
		return false
	}
	for _, pos := range r.usedAt[root] {
		if pos > call.End() && pos < b.Block.End() {
			return true
		}
	}
	fn := b.Outermost().Func
	return fn != nil && root == types.Object(fn.Signature().Recv())
}

// findMixed finds the parameters and receivers that are given shared objects by
// some calls and others by others.
func (r *Result) findMixed() {
	for _, b := range r.pkg.Bodies {
		if fn := b.Func; fn != nil && r.pkg.Exported(fn) && r.pkg.Types.Name() != "main" {
			if recv := fn.Signature().Recv(); recv != nil {
				r.mixed[recv] = true // outside callers have objects of their own
			}
			for v := range fn.Signature().Params().Variables() {
				r.mixed[v] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for v, list := range r.handed {
			for _, h := range list {
				if !r.mixed[v] && (h.reach < Meant || r.mixed[h.root]) {
					r.mixed[v], changed = true, true
				}
			}
		}
	}
}

// Mixed says whether the parameter or receiver is also given objects that are
// not shared, as far as is known.
func (r *Result) Mixed(v types.Object) bool { return r.mixed[v] }

// ownElement says whether e is the address of an element of a slice or array,
// by an index that is not constant.
func (r *Result) ownElement(e ast.Expr) bool {
	u, ok := ast.Unparen(e).(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return false
	}
	x, ok := ast.Unparen(u.X).(*ast.IndexExpr)
	return ok && r.pkg.Info.Types[x.Index].Value == nil
}

// capture marks as shared what the function value e captures, when several
// goroutines get the same variable.
func (r *Result) capture(b *accesses.Body, at ast.Node, e ast.Expr, raise func(types.Object, Reach)) {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit:
		r.captureLit(b, at, e, 0)
	case *ast.Ident: // go worker(), where worker := func() { … }
		if lit := r.locks.NamedLit(e); lit != nil {
			r.captureLit(b, at, lit.Node.(*ast.FuncLit), 0)
		}
	case *ast.SelectorExpr: // go x.method(), g.Go(x.method)
		fn, ok := r.pkg.Info.Uses[e.Sel].(*types.Func)
		if !ok || fn.Signature().Recv() == nil {
			return
		}
		recv := fn.Origin().Signature().Recv()
		x := r.crossing(b, at, e.X, isPointerLike(recv.Type()))
		if x == None {
			raise(recv, r.ofExpr(b, e.X, 0))
			return
		}
		if v, ok := r.pkg.PlaceOf(e.X).Root.(*types.Var); ok && !isPointerLike(v.Type()) {
			r.cells[v] = max(r.cells[v], x) // x.method is (&x).method
			raise(v, x)
		}
		raise(recv, x)
	}
}

// captureLit marks as shared what the literal captures, and what the literals do that it calls
// by the names of locals.
func (r *Result) captureLit(b *accesses.Body, at ast.Node, lit *ast.FuncLit, depth int) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := r.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
			return true
		}
		if x := r.crosses(b, at, v); x > None {
			r.publish(b, v, at)
			r.cells[v] = max(r.cells[v], x)
			r.taken(v, x)
		}
		if called := r.locks.NamedLit(id); called != nil && depth < 3 {
			r.captureLit(b, at, called.Node.(*ast.FuncLit), depth+1)
		}
		return true
	})
}

// crossing says whether the goroutine launched at `at` gets an object that
// others have as well: what e points to, or what e is if it is handed over by
// its address.
func (r *Result) crossing(b *accesses.Body, at ast.Node, e ast.Expr, byAddress bool) Reach {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		byAddress = true
	}
	pl := r.pkg.PlaceOf(e)
	v, ok := pl.Root.(*types.Var)
	if !ok || !byAddress && !isPointerLike(v.Type()) {
		return None
	}
	x := r.crosses(b, at, v)
	if x > None {
		r.publish(b, v, at)
	}
	return x
}

// publish notes the first place where v is handed to another goroutine.
func (r *Result) publish(b *accesses.Body, v *types.Var, at ast.Node) {
	pos := at.Pos()
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() < pos && at.End() <= n.End() && (v.Pos() < n.Pos() || n.End() < v.Pos()) {
				pos = n.Pos() // the loop comes back to what stands before the launch
			}
		}
		return true
	})
	if old, ok := r.published[v]; !ok || pos < old {
		r.published[v] = pos
	}
}

// crosses says whether v, declared outside, is given to several goroutines by
// the launch: v outlives one iteration of the loop around the launch. A single
// launch shares v with the code after it only if that code uses v again.
func (r *Result) crosses(b *accesses.Body, at ast.Node, v *types.Var) Reach {
	if loop := innermostLoop(b, at); loop != nil {
		if (v.Pos() < loop.Pos() || v.Pos() > loop.End()) && !r.oneEachTurn(b, loop, at) {
			return Shared
		}
		return None
	}
	for _, pos := range r.usedAt[v] {
		if pos > at.End() && pos < b.Block.End() {
			return Meant
		}
	}
	// The receiver of a method outlives the call.
	if fn := b.Outermost().Func; fn != nil && types.Object(v) == types.Object(fn.Signature().Recv()) {
		return Meant
	}
	if r.lent[v] || r.capturedOften(b, v) {
		return Meant
	}
	return None
}

// usedAtTheEnd notes that what a deferred call uses is used at the end of the function, too.
func (r *Result) usedAtTheEnd() {
	for _, b := range r.pkg.Bodies {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // a body of its own
			case *ast.DeferStmt:
				ast.Inspect(n.Call, func(m ast.Node) bool {
					if id, ok := m.(*ast.Ident); ok {
						if v, ok := r.pkg.Info.Uses[id].(*types.Var); ok && r.usedAt[v] != nil {
							r.usedAt[v] = append(r.usedAt[v], b.Block.End()-1)
						}
					}
					return true
				})
			}
			return true
		})
	}
}

func innermostLoop(b *accesses.Body, n ast.Node) ast.Stmt {
	var loop ast.Stmt
	ast.Inspect(b.Block, func(m ast.Node) bool {
		if m == nil || m.Pos() > n.Pos() || m.End() < n.End() {
			return false
		}
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt:
			loop = m
		case *ast.RangeStmt:
			loop = m
		}
		return true
	})
	return loop
}
