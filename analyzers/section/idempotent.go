package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// idempotent says whether storing twice stores equal values: a cache of what
// everybody computes alike.
func (f *finding) idempotent(end *hit) bool {
	if f.entry.chosen || end.Mode != atomicity.Write || end.Method == "delete" || end.Method == "Delete" || f.extreme(end) {
		return false
	}
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if end.Kind == access.Atomic && !f.holdsPointer(values) {
		return false // a number or flag: what matters is what else is done
	}
	if len(values) == 0 || f.setsGoing(end) {
		return false
	}
	for _, v := range values {
		if !f.equalEachTime(v) {
			return false
		}
	}
	return true
}

// holdsPointer says whether one of the values refers to something.
func (f *finding) holdsPointer(values []ast.Expr) bool {
	for _, v := range values {
		if t := f.pkg.Info.TypeOf(v); t != nil {
			switch t.Underlying().(type) {
			case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Struct:
				return true
			}
		}
	}
	return false
}

func (f *finding) equalEachTime(v ast.Expr) bool {
	if tv, ok := f.pkg.Info.Types[v]; ok && (tv.Value != nil || tv.IsNil()) {
		return !f.locked() || f.entry.Kind == access.SyncMap // a flag; what matters is what else is done
	}
	t := f.pkg.Info.TypeOf(v)
	if t == nil || !f.isSomebody(t) && f.ofKeyAlone(v) {
		return true
	}
	if results, ok := t.(*types.Tuple); ok { // x.f, err = g()
		if results.Len() == 0 {
			return true
		}
		t = results.At(0).Type()
	}
	// A parameter differs from caller to caller, unless it is the key itself.
	if id, ok := ast.Unparen(v).(*ast.Ident); ok && f.isParameter(id) && (f.entry.Key == nil || !f.mentions(f.entry.Key, f.pkg.Info.ObjectOf(id))) {
		return false
	}
	// What is made of the old contents differs each time.
	again := false
	ast.Inspect(v, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			for _, a := range f.values.reads[e] {
				again = again || a.Var == f.entry.Var
			}
		}
		return !again
	})
	if again {
		return false
	}
	if f.received(v) || f.readsClock(v) && f.waitsForTime() {
		return false
	}
	if f.drawn(v) {
		return false
	}
	// A number that was drawn from a counter differs each time.
	for a := range f.values.of(v) {
		if a.Kind == access.Atomic && adds(a) {
			return false
		}
	}
	return !stateful(t, v, f)
}

// received says whether v is, or is part of, what the body has received from a
// channel: each gets another one.
func (f *finding) received(v ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(v).(*ast.SelectorExpr)
		if !ok {
			break
		}
		v = sel.X
	}
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return false
	}
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		if u, ok := ast.Unparen(d.value).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			return true
		}
		if t := f.pkg.Info.TypeOf(d.value); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok && !types.Identical(t, f.pkg.Info.TypeOf(id)) {
				return true // range ch
			}
		}
	}
	return false
}

// drawing are the names of functions that give each caller another thing.
var drawing = regexp.MustCompile(`^(?i:open|next|alloc|accept|draw|rand|generate|acquire|reserve|pop|dequeue|enqueue|spawn)|^(?i:new)[A-Z].*(?i:id|uuid|token|nonce|session|stream)$`)

// drawn says whether v is, or is a part of, what a function with such a name has given.
func (f *finding) drawn(v ast.Expr) bool {
	for range 6 {
		switch e := ast.Unparen(v).(type) {
		case *ast.SelectorExpr:
			v = e.X
		case *ast.CallExpr:
			if fn := f.locks.Callee(e); fn != nil && drawing.MatchString(fn.Name()) {
				return true
			}
			sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			if !ok {
				return false
			}
			v = sel.X // str.StreamID()
		case *ast.Ident:
			list := f.values.assigns[f.pkg.Info.ObjectOf(e)]
			if len(list) != 1 {
				return false
			}
			v = list[0].value
		default:
			return false
		}
	}
	return false
}

// readsClock says whether v is the time of now.
func (f *finding) readsClock(v ast.Expr) bool {
	found := false
	inspect := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				fn := f.locks.Callee(call)
				found = found || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "Now"
			}
			return !found
		})
	}
	inspect(v)
	if id, ok := ast.Unparen(v).(*ast.Ident); ok {
		for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
			inspect(d.value)
		}
	}
	return found
}

// waitsForTime says whether the test asks how long ago the entry's time was, and
// not merely whether there is one.
func (f *finding) waitsForTime() bool {
	found := false
	look := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn := f.locks.Callee(call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" {
					switch fn.Name() {
					case "Since", "Until", "Sub", "Before", "After":
						found = true
					}
				}
			}
			return !found
		})
	}
	for _, test := range f.trail.tests {
		for _, cond := range f.body.Conds[test] {
			look(cond)
			ast.Inspect(cond, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
						look(d.value)
					}
				}
				return true
			})
		}
	}
	return found
}

// locked says whether a lock is held at the entry, or the access is a
// synchronised one itself: then a constant is stored for others to see.
func (f *finding) locked() bool {
	return f.entry.held.Any() || f.entry.Kind == access.Atomic || f.entry.Kind == access.SyncMap
}

func (f *finding) isParameter(id *ast.Ident) bool {
	sig := f.body.Type(f.pkg.Info)
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if types.Object(v) == f.pkg.Info.ObjectOf(id) {
			return true
		}
	}
	return false
}

// stateful says whether it matters which of two values of the type is kept.
func stateful(t types.Type, v ast.Expr, f *finding) bool {
	if types.IsInterface(t) {
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
				return stateful(f.pkg.Info.TypeOf(call.Args[0]), call.Args[0], f)
			}
		}
	}
	return f.keepsState(t, 0)
}

// keepsState says whether objects of the type change, or end, while they are in use.
func (f *finding) keepsState(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Map:
		return depth == 0
	case *types.Slice:
		return f.keepsState(u.Elem(), depth+1)
	case *types.Interface:
		return depth == 0 && hasStatefulMethod(t)
	case *types.Pointer:
		if f.changedByOthers(t) || f.shared.Locks(t) || depth == 0 && hasStatefulMethod(t) {
			return true
		}
		if st, ok := u.Elem().Underlying().(*types.Struct); ok && depth < 2 && f.isOurs(t) {
			for field := range st.Fields() {
				if f.keepsState(field.Type(), depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// isOurs says whether the package declares the type.
func (f *finding) isOurs(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() == f.pkg.Types
}

// setsGoing says whether a goroutine is started where the test leads to: two of them
// are not one.
func (f *finding) setsGoing(end *hit) bool {
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok {
			continue
		}
		succs := f.body.CFG.Blocks[test].Succs
		mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
		for i, events := range f.body.Events {
			for _, ev := range events {
				if mine[i] && !other[i] && ev.Kind == accesses.OnGo {
					return true
				}
			}
		}
	}
	return false
}

// isSomebody says whether two objects of the type are told apart by those who use them,
// though they were made alike.
func (f *finding) isSomebody(t types.Type) bool {
	_, ch := t.Underlying().(*types.Chan)
	return ch || f.shared.Locks(t) || f.changedByOthers(t)
}

// changedByOthers says whether the type is a pointer to a struct with fields that other
// functions write, as far as they are not called from here alone.
func (f *finding) changedByOthers(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range s.Fields() {
		if f.othersWrite(access.Var{Obj: field.Origin()}) || f.othersWrite(access.Var{Obj: field.Origin(), Contents: true}) {
			return true
		}
	}
	return false
}

// othersWrite says whether the variable is written, after it has been made, by
// functions other than this one and those that it alone calls.
func (f *finding) othersWrite(v access.Var) bool {
	u := f.shared.Use(v)
	if !u.Written() || len(u.Writes) == 0 {
		return u.Written()
	}
	for b := range u.Writes {
		if !f.calledFromHere(b.Outermost(), 0) {
			return true
		}
	}
	return false
}

// calledFromHere says whether the function is this one, or all its callers are called
// from here.
func (f *finding) calledFromHere(b *accesses.Body, depth int) bool {
	if b == f.body.Outermost() {
		return true
	}
	callers := f.callersOf(b.Func)
	for _, c := range callers {
		if c.Outermost() != b && (depth > 4 || !f.calledFromHere(c.Outermost(), depth+1)) {
			return false
		}
	}
	return len(callers) > 0
}

// hasStatefulMethod goes by the names that methods which change or end
// something bear.
func hasStatefulMethod(t types.Type) bool {
	for _, name := range []string{"Close", "Stop", "Write", "Lock", "Add", "Inc", "Set", "Shutdown", "Cancel", "Allow", "Wait"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}
