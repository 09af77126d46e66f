package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

var constructors = pattern.New(`^(?i:new|open|make|create|load|restore|recover|setup|start|must|build)|^(?i:init)$`)

// constructs says whether the function makes an object and returns it.
func constructs(b *accesses.Body) bool {
	if b.Func == nil {
		return false
	}
	if makesNamed(b.Func) {
		return b.Func.Signature().Recv() == nil && constructors.MatchString(b.Func.Name())
	}
	return b.Func.Name() == "init"
}

// makesNamed says whether the function has a result of a named type other than error.
func makesNamed(fn *types.Func) bool {
	for v := range fn.Signature().Results().Variables() {
		if tn := accesses.TypeName(v.Type()); tn != nil && tn.Name() != "error" {
			return true
		}
	}
	return false
}

// findConstructing finds the functions that only constructors call, directly or
// through one another. Entered are the bodies that something else can run.
func (r *Result) findConstructing(edges map[*accesses.Body][]*accesses.Body, entered map[*accesses.Body]bool) {
	callers := map[*accesses.Body][]*accesses.Body{}
	for b, list := range edges {
		for _, callee := range list {
			callers[callee] = append(callers[callee], b)
		}
	}
	for _, b := range r.pkg.Bodies {
		if _, declared := b.Node.(*ast.FuncDecl); declared && !entered[b] && len(callers[b]) > 0 && !r.worksOnPackage(b) {
			r.constructing[b] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for b := range r.constructing {
			for _, caller := range callers[b] {
				if caller != b && !constructs(caller) && !r.constructing[caller] {
					delete(r.constructing, b)
					changed = true
					break
				}
			}
		}
	}
}

// Constructing says whether only constructors run the body: the objects that it
// works on are not yet in use. One that takes a lock of the package is no such body: it
// looks for an object among those that are there, or adds one. Nor is one that works on
// objects of the package, or that is given an object made for concurrent use, which it adds
// what it makes to.
func (r *Result) Constructing(b *accesses.Body) bool {
	return (r.constructing[b] || constructs(b) && !r.givenShared(b)) && !r.locksPackage(b)
}

// givenShared says whether the constructor is given an object of this package that is made for
// concurrent use, other than one of the kind that it makes.
func (r *Result) givenShared(b *accesses.Body) bool {
	made := map[*types.TypeName]bool{}
	for v := range b.Func.Signature().Results().Variables() {
		made[accesses.TypeName(v.Type())] = true
	}
	for v := range b.Func.Signature().Params().Variables() {
		if tn := accesses.TypeName(v.Type()); tn != nil && r.concurrent[tn] && !made[tn] {
			return true
		}
	}
	return false
}

// worksOnPackage says whether the function is given no object of this package, and calls a
// function that takes a lock of the package, or a method of a package-level object that takes
// that object's lock.
func (r *Result) worksOnPackage(b *accesses.Body) bool {
	if b.Func == nil || constructs(b) || r.givenObject(b.Func.Signature()) {
		return false
	}
	works, known := r.working[b]
	if !known {
		works = r.callsLocking(b)
		r.working[b] = works
	}
	return works
}

func (r *Result) callsLocking(b *accesses.Body) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			callee := r.pkg.ByFunc[r.locks.Callee(call)]
			if callee == nil {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if r.locksPackage(callee) || ok && accesses.IsGlobal(r.pkg.PlaceOf(sel.X).Root) && r.locksReceiver(callee) {
				return true
			}
		}
	}
	return false
}

// givenObject says whether the function has a receiver, or a parameter that is an object of
// this package or a function.
func (r *Result) givenObject(sig *types.Signature) bool {
	if sig.Recv() != nil {
		return true
	}
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
		if tn := accesses.TypeName(v.Type()); tn != nil && tn.Pkg() == r.pkg.Types {
			return true
		}
	}
	return false
}

// locksReceiver says whether the method takes a lock that its receiver is, or has, or operates on
// a sync.Map of it.
func (r *Result) locksReceiver(b *accesses.Body) bool {
	recv := b.Func.Signature().Recv()
	return recv != nil && r.synchronises(b, func(root types.Object) bool { return root == recv })
}

// locksPackage says whether the body takes a lock that a package-level variable is, or has, or
// operates on such a sync.Map: it is about the objects that are there. So is one that calls two
// methods that do so of one package-level object: it looks there, and adds what it does not find.
func (r *Result) locksPackage(b *accesses.Body) bool {
	takes, known := r.locking[b]
	if !known {
		takes = r.synchronises(b, accesses.IsGlobal) || r.looksAndAdds(b)
		r.locking[b] = takes
	}
	return takes
}

// looksAndAdds says whether the body calls two methods of one package-level object that take a
// lock, or operate on a sync.Map, of that object.
func (r *Result) looksAndAdds(b *accesses.Body) bool {
	adds, known := r.adding[b]
	if !known {
		adds = r.callsTwo(b)
		r.adding[b] = adds
	}
	return adds
}

func (r *Result) callsTwo(b *accesses.Body) bool {
	called := map[types.Object]*types.Func{}
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				continue
			}
			root, fn := r.pkg.PlaceOf(sel.X).Root, r.locks.Callee(call)
			callee := r.pkg.ByFunc[fn]
			if callee == nil || !accesses.IsGlobal(root) || !r.locksReceiver(callee) {
				continue
			}
			if have := called[root]; have != nil && have != fn {
				return true
			}
			called[root] = fn
		}
	}
	return false
}

// synchronises says whether the body takes a lock, or operates on a sync.Map, of a variable of the kind.
func (r *Result) synchronises(b *accesses.Body, kind func(types.Object) bool) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range r.locks.Ops(ev) {
				if op.Kind == locks.Acquire && kind(op.Lock.Root) {
					return true
				}
			}
			if a := ev.Access; a != nil && a.Kind == access.SyncMap && (b.Func == nil || b.Func.Name() != "init") && kind(r.pkg.PlaceOf(a.Cell).Root) {
				return true
			}
		}
	}
	return false
}
