package shared

import (
	"go/types"
	"iter"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// SetsGoing says whether the body is of a function whose name says that it
// readies an object, for the first time or again: others use it afterwards.
// It is not if a server calls it for each request, or goroutines of which there
// are many run it, all with one object: what it readies then is not that object. One that
// serves a connection, or the like, in a goroutine of its own works mostly on what is that one's.
func (r *Result) SetsGoing(b *accesses.Body) bool {
	b = b.Outermost()
	return SetGoing(b.Func) && !r.forEach(b)
}

// forEach says whether many goroutines or requests run the body with one object.
func (r *Result) forEach(b *accesses.Body) bool {
	var owner *types.TypeName
	if recv := b.Func.Signature().Recv(); recv != nil {
		owner = accesses.TypeName(recv.Type())
	}
	for root := range r.of[b] {
		x := r.roots[root]
		if x.Kind != Handler && (x.Kind != Goroutine || accesses.GoesOn(b.Func.Name())) || !x.Many {
			continue
		}
		if owner == nil || (x.common == nil || x.common[owner]) && !x.own[owner] && !x.each[owner] {
			return true
		}
	}
	return false
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
// goroutines must not use it at the same time; or nil. The parts of a driver for database/sql,
// which uses a connection and what it has made one call at a time, have one of them in common.
func (r *Result) oneCaller(fn *types.Func) *types.TypeName {
	if fn == nil || fn.Signature().Recv() == nil {
		return nil
	}
	if tn := accesses.TypeName(fn.Signature().Recv().Type()); r.forOne[tn] {
		if r.driven[tn] {
			return r.drivenFirst
		}
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

// CalledInOneRun says whether one method by which the object is set going, such as Run(ctx), is all
// that runs the body, and the body is not that method itself.
func (r *Result) CalledInOneRun(b *accesses.Body) bool {
	for root := range r.of[b] {
		if r.single[root] == b {
			return false
		}
	}
	return r.InOneRun(slices.Values([]*accesses.Body{b}))
}

// StartsGoroutines says whether the package starts any.
func (r *Result) StartsGoroutines() bool {
	return slices.ContainsFunc(r.roots, func(root Root) bool { return root.Kind == Goroutine })
}
