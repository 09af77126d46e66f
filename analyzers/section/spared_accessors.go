package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// kept says whether the test or the act lies in an unexported callee, and the
// variable belongs to a type that the package keeps to itself. Of 23 such sequences
// in modules of others that were judged one by one, 5 could be broken: who uses a
// type of the package's own through its methods mostly knows which goroutines come
// there. One that closes a channel twice is another matter.
func (f *finding) kept(end *hit) bool {
	if f.shared.Launched(f.body) || f.reach == shared.Implied || f.missingAdded(end) || f.entry.Kind == access.Atomic && f.loadedFrom(f.entry.Base) || (f.entry.lit || !f.hidden(f.entry.via)) && (end.lit || !f.hidden(end.via)) || end.Mode != atomicity.Write || f.closes(end) != "" || f.entry.Var.Obj.Pkg() != f.pkg.Types {
		return false
	}
	owner := f.userOf(f.entry)
	if owner == nil && (accesses.IsGlobal(f.entry.Var.Obj) || f.entry.place.Valid() && accesses.IsGlobal(f.entry.place.Root)) && f.body.Func != nil && f.body.Func.Exported() {
		return false // whoever calls the exported function
	}
	if f.entry.place.Valid() && accesses.IsGlobal(f.entry.place.Root) && f.shared.Entered(f.body) && f.ownLock(f.entry.held) {
		return false // an object that there is one of, with a lock, and outside callers
	}
	if f.ofListed(end) {
		return false
	}
	locked := f.entry.held.Any() || end.held.Any()
	return owner == nil || !owner.Exported() && !(locked && f.pkg.Shown(owner)) // which says that users are free to share it
}

// ofListed says whether both lie under the lock of an object that the body, which whoever has the
// container can call, has found in a map under the lock of that: two that come with the same key
// find the same one.
func (f *finding) ofListed(end *hit) bool {
	v := f.entry.Base
	if v == nil || !f.shared.Entered(f.body) || f.readies() || !f.ownLock(f.entry.held) || !f.ownLock(end.held) {
		return false
	}
	found := f.listedIn(v)
	return found != nil && found.Kind == access.MapElement && f.reachOf(found) >= shared.Meant
}

// ownerOf is the type of the object that the variable is a part of, or nil.
func (s *search) ownerOf(o *occurrence) *types.TypeName {
	if !o.place.Valid() || !o.Var.Obj.IsField() {
		return s.shared.Owner(o.Var.Obj)
	}
	at := o.place.Object()
	for at.Path != "" && at.Type() != nil && accesses.TypeName(at.Type()) == nil {
		at = at.Object() // a struct without a name
	}
	if t := at.Type(); t != nil {
		return accesses.TypeName(t)
	}
	return s.shared.Owner(o.Var.Obj)
}

// userOf is the type by whose methods the variable is come to: its owner's or, where that has none, that of the object around
// it.
func (s *search) userOf(o *occurrence) *types.TypeName {
	owner := s.ownerOf(o)
	if !o.place.Valid() || !o.Var.Obj.IsField() {
		return owner
	}
	for at := o.place.Object(); withoutMethods(owner) && at.Path != ""; {
		at = at.Object()
		if at.Type() == nil {
			break
		}
		if tn := accesses.TypeName(at.Type()); tn != nil {
			owner = tn
		}
	}
	return owner
}

// withoutMethods says whether the type is one of a package's own that has no methods.
func withoutMethods(tn *types.TypeName) bool {
	if tn == nil || tn.Exported() {
		return false
	}
	named, ok := tn.Type().(*types.Named)
	return ok && named.NumMethods() == 0
}

// hidden says whether the call is of an unexported function.
func (f *finding) hidden(call *ast.CallExpr) bool {
	if call == nil {
		return false
	}
	fn := f.locks.Callee(call)
	return fn != nil && !fn.Exported()
}

// anytime says whether the end lies in an exported method that does more than to
// store: it may be called at any time, whatever the test has found. One that merely asks a
// function value for what it stores is called elsewhere without the test.
func (f *finding) anytime(end *hit) bool {
	if f.asksAnew(end) {
		return true
	}
	if end.via == nil || end.lit || len(end.stores) > 0 || end.Method == "delete" || end.Mode != atomicity.Write || f.closes(end) != "" {
		return false
	}
	fn := f.locks.Callee(end.via)
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || f.pkg.ByFunc[fn] == nil {
		return false
	}
	for _, events := range f.pkg.ByFunc[fn].Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if ok && ast.Expr(call) == end.source().Expr {
				continue // the store itself, of an atomic or a sync.Map
			}
			if ok && slices.ContainsFunc(f.stateOf(f.pkg.ByFunc[fn]).calls[call], func(o *occurrence) bool { return o.Mode == atomicity.Write && o.source() == end.source() }) {
				continue // the store by a method of a map
			}
			if !ok || ev.Kind != accesses.OnCall || len(f.locks.Ops(ev)) > 0 || f.pkg.Gets(call) {
				continue
			}
			if fn := f.locks.Callee(call); fn != nil && !f.computesOnly(fn) && !asksTime(fn) {
				return true
			}
		}
	}
	return false
}

// asksTime says whether the function is one of package time that tells the time or computes with it.
func asksTime(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Pkg().Path() != "time" {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name() == "Now" || fn.Name() == "Since" || fn.Name() == "Until"
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && (tn.Name() == "Time" || tn.Name() == "Duration")
}

// asksAnew says whether the end lies in an exported method that stores what a function value
// gives it, and that other functions of the package call without a look at what is there: they
// replace it by another one of its kind, which is as good.
func (f *finding) asksAnew(end *hit) bool {
	if end.via == nil || end.lit || end.depth > 1 || end.Mode != atomicity.Write || end.Kind == access.MapElement || f.closes(end) != "" ||
		slices.ContainsFunc(end.stores, func(v ast.Expr) bool { return !isContext(f.pkg.Info.TypeOf(v)) }) {
		return false
	}
	fn := f.locks.Callee(end.via)
	b := f.pkg.ByFunc[fn]
	if b == nil || !fn.Exported() || fn.Signature().Recv() == nil || !f.givenByValue(b, end) {
		return false
	}
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, caller := range f.pkg.Bodies {
		if caller.Outermost() == current.body.Outermost() || f.shared.Constructing(caller) {
			continue
		}
		f.bodyState = f.states[caller]
		for _, w := range f.order {
			if w.Var == end.Var && w.Mode == atomicity.Write && w.via != nil && f.locks.Callee(w.via) == fn && !slices.ContainsFunc(f.order, func(r *occurrence) bool {
				return r.Mode == atomicity.Read && r.Var == w.Var && f.decided(f.testsOf(r.Access, false), w.block)
			}) {
				return true
			}
		}
	}
	return false
}

// givenByValue says whether what the end stores in the method b is a local that a call of a
// function value has set.
func (f *finding) givenByValue(b *accesses.Body, end *hit) bool {
	values := stored(end.source())
	if len(values) != 1 {
		return false
	}
	id, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	return slices.ContainsFunc(f.stateOf(b).values.assigns[f.pkg.Info.ObjectOf(id)], func(d assignment) bool {
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		return ok && f.callsValue(call)
	})
}

// callsValue says whether the call is of a function that a variable holds.
func (s *search) callsValue(call *ast.CallExpr) bool {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, ok := s.pkg.Info.Uses[fun].(*types.Var)
		return ok
	case *ast.SelectorExpr:
		_, ok := s.pkg.Info.Uses[fun.Sel].(*types.Var)
		return ok
	}
	return false
}

// removesAlone says whether the end deletes a map's entry of which the function
// only knows that it is there, and does nothing else that could be done twice.
func (f *finding) removesAlone(end *hit) bool {
	if f.entry.Kind != access.MapElement || end.Method != "delete" || !f.unused() {
		return false
	}
	if end.via == nil || end.lit {
		return true
	}
	b := f.pkg.ByFunc[f.locks.Callee(end.via)]
	if b == nil {
		return false
	}
	for _, o := range f.states[b].order {
		if o.Mode == atomicity.Write && o.Var != f.entry.Var {
			return false
		}
	}
	return true
}

// found is the expression whose results tell what the entry has read: a callee's
// call, or the access itself.
func (f *finding) found() ast.Expr {
	if f.entry.via != nil {
		return f.entry.via
	}
	return ast.Unparen(f.entry.Expr)
}

// tells says whether a result of the type only tells whether there was something.
func tells(t types.Type) bool {
	return isError(t) || isBoolean(t)
}

// missingAdded says whether an entry is looked up and one is added, each with the lock held, for callers of the
// package, by methods of the object, or one of the two where they are called.
func (f *finding) missingAdded(end *hit) bool {
	if f.entry.via == nil && end.via == nil || f.entry.lit || end.lit || !f.shared.Entered(f.body) {
		return false
	}
	if f.entry.Kind == access.SyncMap {
		return f.entry.Method == "Load" && end.source().Method == "Store"
	}
	return f.entry.Kind == access.MapElement && end.source().Method != "delete" && f.entry.held.Any() && end.held.Any()
}
