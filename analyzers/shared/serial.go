package shared

import (
	"go/ast"
	"go/types"
	"iter"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/internal/pattern"
)

// SetsGoing says whether the body is of a function whose name says that it
// readies an object, for the first time or again: others use it afterwards.
func SetsGoing(b *accesses.Body) bool {
	return SetGoing(b.Outermost().Func)
}

// SetGoing says that of a function by its name alone.
func SetGoing(fn *types.Func) bool {
	return fn != nil && accesses.SetsGoing(fn.Name())
}

// runsOnce says whether the declaration is of a method by which an object is
// set going, such as Run(ctx): it is called once for each object, and what it
// calls runs in one goroutine.
func runsOnce(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || !accesses.Runs(fn.Name()) {
		return false
	}
	for v := range fn.Signature().Params().Variables() {
		switch t := types.Unalias(v.Type()).(type) {
		case *types.Chan:
		case *types.Named:
			if t.Obj().Name() != "Context" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// oneCaller is the type of the method's receiver, if its comment says that
// goroutines must not use it at the same time; or nil.
func (r *Result) oneCaller(fn *types.Func) *types.TypeName {
	if fn == nil || fn.Signature().Recv() == nil {
		return nil
	}
	if tn := accesses.TypeName(fn.Signature().Recv().Type()); r.forOne[tn] {
		return tn
	}
	return nil
}

// UsedByOne says whether the body is of a method of a type whose comment says that
// goroutines must not use it at the same time, and no goroutine of the package runs it.
func (r *Result) UsedByOne(b *accesses.Body) bool {
	return r.oneCaller(b.Outermost().Func) != nil && !r.Spawned(b)
}

// InOneRun says whether all the bodies run in one method by which their object is set going,
// such as Serve(ctx), and nowhere else. It may be called again, when it has returned.
func (r *Result) InOneRun(bodies iter.Seq[*accesses.Body]) bool {
	run := -1
	for b := range bodies {
		for root := range r.of[b] {
			if k := r.roots[root]; k.Kind != API || k.Many || r.single[root] == nil || run >= 0 && root != run {
				return false
			}
			run = root
		}
	}
	return run >= 0
}

var constructors = pattern.New(`^(?i:new|open|make|create|load|restore|recover|setup|start|must|build)|^(?i:init)$`)

// constructs says whether the function makes an object and returns it.
func constructs(b *accesses.Body) bool {
	if b.Func == nil || !constructors.MatchString(b.Func.Name()) {
		return false
	}
	for v := range b.Func.Signature().Results().Variables() {
		if tn := accesses.TypeName(v.Type()); tn != nil && tn.Name() != "error" {
			return b.Func.Signature().Recv() == nil
		}
	}
	return b.Func.Name() == "init"
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
		if _, declared := b.Node.(*ast.FuncDecl); declared && !entered[b] && len(callers[b]) > 0 {
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
// looks for an object among those that are there, or adds one.
func (r *Result) Constructing(b *accesses.Body) bool {
	return (r.constructing[b] || constructs(b)) && !r.locksPackage(b)
}

// locksPackage says whether the body takes a lock that a package-level variable is, or has.
func (r *Result) locksPackage(b *accesses.Body) bool {
	takes, known := r.locking[b]
	if known {
		return takes
	}
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range r.locks.Ops(ev) {
				v, ok := op.Lock.Root.(*types.Var)
				takes = takes || op.Kind == locks.Acquire && ok && accesses.IsGlobal(v)
			}
		}
	}
	r.locking[b] = takes
	return takes
}
