package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Reach says who can reach an object. Of two opinions the greater one counts.
type Reach uint8

const (
	None    Reach = iota // nothing known yet
	Private              // freshly made, or handed to one goroutine alone
	Unknown              // may be either
	Implied              // an object that is kept nowhere else has a lock
	Meant                // its type is made for concurrent use, or it was given to one goroutine while kept
	Listed               // an element of a shared container
	Shared               // a loop starts goroutines that all get it, or it is a package-level variable
)

func (x Reach) String() string {
	return [...]string{"none", "private", "unknown", "implied", "meant to be shared", "listed", "shared"}[x]
}

// Reach says who can reach the memory of access a in body b.
func (r *Result) Reach(b *accesses.Body, a *access.Access) Reach {
	if a.Var.Obj == nil {
		return Unknown
	}
	if !a.Var.Obj.IsField() && !a.Var.Contents {
		x := r.ofCell(a.Var.Obj)
		if at, ok := r.published[a.Var.Obj]; ok && a.Pos() < at && b.Node.Pos() <= a.Var.Obj.Pos() && !accesses.IsGlobal(a.Var.Obj) {
			return Private // no goroutine has it yet
		}
		if x == Private && a.Kind == access.Atomic && b.Parent != nil && a.Var.Obj.Pos() < b.Node.Pos() {
			// It would not be atomic if the literal ran in one goroutine only.
			return Meant
		}
		return x
	}
	if a.Base != nil && r.filled[a.Base] || r.copied(b, a) || r.lentOwn(b, a) {
		return Private
	}
	given := r.SharedField(a.Cell)
	if a.Base != nil && !given && r.unpublished(a) {
		return Private
	}
	if a.Base != nil && !given && r.untouched(b, a) {
		return r.reach[a.Base]
	}
	x := r.ofMemory(b, a.Cell, 0)
	if a.Pointer {
		x = r.ofExpr(b, a.Cell, 0)
	}
	if x == None {
		return Unknown
	}
	return x
}

// ofMemory is the reach of the memory that e denotes, or of the contents of the
// container e: both belong to whoever holds the object around them.
func (r *Result) ofMemory(b *accesses.Body, e ast.Expr, depth int) Reach {
	if depth > 20 {
		return Unknown
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if sel := r.pkg.Info.Selections[e]; sel == nil {
			return Shared
		}
		if t := r.pkg.Info.TypeOf(e.X); t != nil && !isPointerLike(t) {
			if _, ok := ast.Unparen(e.X).(*ast.Ident); !ok {
				return r.ofMemory(b, e.X, depth+1)
			}
		}
		return r.ofExpr(b, e.X, depth+1)
	case *ast.IndexExpr:
		return r.ofMemory(b, e.X, depth+1)
	case *ast.StarExpr:
		return r.ofExpr(b, e.X, depth+1)
	}
	return r.ofExpr(b, e, depth+1)
}

// Object says who can reach what the variable v of body b refers to.
func (r *Result) Object(b *accesses.Body, v *types.Var) Reach {
	return max(r.ofVar(b, v), Private)
}

// Given says whether v is a parameter of b and no call in the package tells who else has
// what it refers to.
func (r *Result) Given(b *accesses.Body, v *types.Var) bool {
	sig := b.Type(r.pkg.Info)
	if sig == nil || r.ofVar(b, v) != None {
		return false
	}
	for param := range sig.Params().Variables() {
		if param == v {
			return true
		}
	}
	return false
}

// unpublished says whether the object at the root of a was made by the
// function itself and not yet handed to another goroutine.
func (r *Result) unpublished(a *access.Access) bool {
	at, ok := r.published[a.Base]
	return ok && r.made[a.Base] && a.Pos() < at && a.Func.Node.Pos() <= a.Base.Pos() && a.Base.Pos() < a.Func.Node.End()
}

// findReach propagates reaches to parameters, locals and results.
func (r *Result) findReach() {
	r.findContracted()
	for _, b := range r.pkg.Bodies {
		if b.Func == nil {
			continue
		}
		recv := b.Func.Signature().Recv()
		if recv == nil {
			continue
		}
		if tn := accesses.TypeName(recv.Type()); tn != nil && b.Func.Exported() {
			if r.concurrent[tn] || r.contracted[b.Func] || r.simultaneous[b.Func] && b.Func.Name() == "Close" || saysConcurrentCalls(b) {
				r.reach[recv] = Meant
			} else if r.implied[tn] {
				r.reach[recv] = Implied
			} else {
				r.reach[recv] = Unknown
			}
		}
		if r.Serves(b) && !r.perRequest[accesses.TypeName(recv.Type())] {
			r.reach[recv] = Shared
		}
	}
	assigning := map[*accesses.Body][]ast.Node{} // looked for once, as there are several rounds
	for round, changed := 0, true; (changed || r.listed) && round < 12; round++ {
		changed, r.listed = false, false
		clear(r.handed) // the last round counts
		raise := func(obj types.Object, to Reach) {
			if obj != nil && r.reach[obj] < to {
				r.reach[obj] = to
				changed = true
			}
		}
		for _, b := range r.pkg.Bodies {
			if round == 0 {
				assigning[b] = assigningIn(b)
			}
			r.assignments(b, assigning[b], raise)
			for _, events := range b.Events {
				for _, ev := range events {
					r.calls(b, ev, raise)
					if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn && b.Func != nil && len(ret.Results) > 0 {
						r.keeps(b.Func, r.kept(b, ret.Results[0], 0))
						if x := r.ofExpr(b, ret.Results[0], 0); x > r.results[b.Func] {
							r.results[b.Func] = x
							changed = true
						}
						r.furtherResults(b, ret, raise)
					}
				}
			}
		}
		changed = r.updateFields() || changed
	}
}

// assigningIn is what sets locals in the body.
func assigningIn(b *accesses.Body) (found []ast.Node) {
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt, *ast.ValueSpec, *ast.RangeStmt:
			found = append(found, n)
		}
		return true
	})
	return found
}

// assignments raises locals of the body to what is assigned to them.
func (r *Result) assignments(b *accesses.Body, assigning []ast.Node, raise func(types.Object, Reach)) {
	of := func(e ast.Expr) Reach {
		x := r.ofExpr(b, e, 0)
		if x > Unknown && r.byOwnKey(b, e) {
			return Unknown
		}
		return x
	}
	for at, n := range assigning {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					r.collected(b, l, n.Rhs[i])
				}
				id, ok := l.(*ast.Ident)
				if !ok {
					continue
				}
				obj := r.pkg.Info.ObjectOf(id)
				if len(n.Lhs) == len(n.Rhs) {
					if n.Tok == token.DEFINE && r.ofExpr(b, n.Rhs[i], 0) == Private {
						r.made[obj] = true
					}
					if x := of(n.Rhs[i]); x > Unknown && r.takenOff(assigning, at) {
						raise(obj, Unknown)
					} else {
						raise(obj, x)
					}
				} else if i == 0 && len(n.Rhs) == 1 {
					raise(obj, of(n.Rhs[0]))
					r.keeps(obj, r.kept(b, n.Rhs[0], 0))
				} else if len(n.Rhs) == 1 {
					if res := r.resultOf(n.Rhs[0], i); res != nil {
						raise(obj, r.reach[res])
						r.keeps(obj, r.members[res])
					}
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					raise(r.pkg.Info.Defs[id], r.ofExpr(b, n.Values[i], 0))
				} else if len(n.Values) == 0 {
					raise(r.pkg.Info.Defs[id], Private)
				}
			}
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok {
				raise(r.pkg.Info.ObjectOf(id), r.element(b, n.X, 0))
			}
			if id, ok := n.Key.(*ast.Ident); ok {
				switch {
				case isChan(r.pkg.Info.TypeOf(n.X)):
					raise(r.pkg.Info.ObjectOf(id), r.received(r.pkg.Info.TypeOf(id)))
				case isSet(r.pkg.Info.TypeOf(n.X)):
					raise(r.pkg.Info.ObjectOf(id), r.element(b, n.X, 0))
				}
			}
		}
	}
}

// ofCell is the reach of the memory of a package-level variable or captured
// local itself: the latter is shared if goroutines capture it, whatever it
// refers to.
func (r *Result) ofCell(v *types.Var) Reach {
	if accesses.IsGlobal(v) {
		return Shared
	}
	return max(r.cells[v], Private)
}

// ofVar is the reach of the variable itself.
func (r *Result) ofVar(b *accesses.Body, obj types.Object) Reach {
	if obj != nil && accesses.IsGlobal(obj) {
		return Shared
	}
	return max(r.reach[obj], r.captured[obj])
}

// ofExpr is the reach of the object that e denotes or points to.
func (r *Result) ofExpr(b *accesses.Body, e ast.Expr, depth int) Reach {
	if depth > 20 {
		return Unknown
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := r.pkg.Info.ObjectOf(e).(*types.Var); ok {
			return r.ofVar(b, v)
		}
		return Private
	case *ast.SelectorExpr:
		sel := r.pkg.Info.Selections[e]
		if sel == nil {
			return Shared // a variable of another package
		}
		x := r.ofExpr(b, e.X, depth+1)
		if f := r.field(e); f != nil && x <= Unknown && r.fields[f] >= Meant {
			return r.fields[f]
		}
		if x == Private && isPointerLike(r.pkg.Info.TypeOf(e)) && !r.ownParts[r.field(e)] {
			return Unknown
		}
		return x
	case *ast.StarExpr:
		return r.ofExpr(b, e.X, depth+1)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return r.ofExpr(b, e.X, depth+1)
		}
		if e.Op == token.ARROW {
			return r.received(r.pkg.Info.TypeOf(e))
		}
		return Private
	case *ast.IndexExpr:
		return r.element(b, e.X, depth+1)
	case *ast.SliceExpr:
		return r.ofExpr(b, e.X, depth+1)
	case *ast.TypeAssertExpr:
		if r.fromPool(e.X) {
			return Private
		}
		if r.assertedField(e) {
			return r.ofExpr(b, e.X, depth+1)
		}
		return min(r.ofExpr(b, e.X, depth+1), Unknown)
	case *ast.CompositeLit, *ast.BasicLit, *ast.BinaryExpr, *ast.FuncLit:
		return Private
	case *ast.CallExpr:
		if tv, ok := r.pkg.Info.Types[e.Fun]; ok && tv.IsType() && len(e.Args) == 1 {
			return r.ofExpr(b, e.Args[0], depth+1)
		}
		if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			if bi, ok := r.pkg.Info.Uses[id].(*types.Builtin); ok {
				if bi.Name() == "append" && len(e.Args) > 0 {
					return r.ofExpr(b, e.Args[0], depth+1)
				}
				return Private
			}
		}
		fn := r.locks.Callee(e)
		if fn == nil {
			return Unknown
		}
		if r.pkg.ByFunc[fn] != nil {
			return r.results[fn]
		}
		name := strings.ToLower(fn.Name())
		if strings.HasPrefix(name, "new") || strings.HasPrefix(name, "make") {
			return Private
		}
		return Unknown
	}
	return Unknown
}

// assertedField says whether e is what a field holds, as a type of this package that is made for
// concurrent use: whoever has the object around it has that as well.
func (r *Result) assertedField(e *ast.TypeAssertExpr) bool {
	sel, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	if !ok || e.Type == nil || r.pkg.Info.Selections[sel] == nil {
		return false
	}
	tn := accesses.TypeName(r.pkg.Info.TypeOf(e.Type))
	return tn != nil && r.concurrent[tn]
}

// element is the reach of the elements of the container e: those that the body
// takes out of it belong to the taker.
func (r *Result) element(b *accesses.Body, e ast.Expr, depth int) Reach {
	x := r.ofExpr(b, e, depth)
	if x < Meant {
		return max(x, r.kept(b, e, depth+1))
	}
	if r.takesFrom(b, e) {
		return Unknown
	}
	return min(x, Listed)
}

// received is the reach of an object of the type that comes from a channel: who has sent
// it may have kept it, which a mutex of its own tells.
func (r *Result) received(t types.Type) Reach {
	if t == nil {
		return Unknown
	}
	if tn := accesses.TypeName(t); tn != nil && r.concurrent[tn] && holdsMutex(tn.Type(), 0) {
		return Meant
	}
	return Unknown
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

// takesFrom says whether b removes elements from the container e.
func (r *Result) takesFrom(b *accesses.Body, e ast.Expr) bool {
	pl := r.pkg.PlaceOf(e)
	if !pl.Valid() {
		return false
	}
	for _, events := range b.Events {
		for _, ev := range events {
			a := ev.Access
			if a == nil || a.Mode != 2 {
				continue
			}
			if (a.Method == "delete" || a.Method == "clear" || a.Method == "" && !a.Var.Contents) && r.pkg.PlaceOf(a.Cell) == pl && !r.firstMade(b, a, pl) {
				return true
			}
		}
	}
	return false
}

// firstMade says whether the write makes the container that is not there yet, as in
// if x.m == nil { x.m = map[K]V{} }: nothing is taken out of it.
func (r *Result) firstMade(b *accesses.Body, a *access.Access, pl accesses.Place) bool {
	first := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if n == nil || a.Pos() < n.Pos() || n.End() <= a.Pos() {
			return false
		}
		if branch, ok := n.(*ast.IfStmt); ok && branch.Body.Pos() < a.Pos() && a.Pos() < branch.Body.End() {
			cond, ok := ast.Unparen(branch.Cond).(*ast.BinaryExpr)
			first = first || ok && cond.Op == token.EQL && (r.isNil(cond.Y) && r.pkg.PlaceOf(cond.X) == pl || r.isNil(cond.X) && r.pkg.PlaceOf(cond.Y) == pl)
		}
		return true
	})
	return first
}

func (r *Result) isNil(e ast.Expr) bool {
	tv, ok := r.pkg.Info.Types[e]
	return ok && tv.IsNil()
}

func isPointerLike(t types.Type) bool {
	if t == nil {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Struct, *types.Array:
		return false
	}
	return true
}

// isSet says whether the type is a map whose keys are pointers: a set of objects.
func isSet(t types.Type) bool {
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	return ok && isPointerLike(m.Key())
}

// fromPool says whether e takes an object out of a sync.Pool: it belongs to the taker.
func (r *Result) fromPool(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := r.locks.Callee(call)
	return fn != nil && fn.FullName() == "(*sync.Pool).Get"
}
