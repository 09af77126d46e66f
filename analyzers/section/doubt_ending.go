package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

var endings = pattern.New(`^((Wait|Drain|Flush)And|Graceful|Force)?(Close|Stop|Shut[dD]own|Cancel|Terminate|Destroy|Unsub(scribe)?|Disconnect|Quit|Exit|Halt|Kill|Abort|Clean[uU]p|Dispose|Tear[dD]own)(And(Wait|Drain|Flush)|Gracefully|Now|WithError|WithTimeout|Async)?$|^AsyncClose$`)

// ends says whether the function is an exported method that ends something, of an
// exported type or of one that an exported interface with the method stands for, or all that such
// a method does: people call these from wherever they notice that it is over.
func (f *finding) ends() bool {
	fn := f.body.Func
	if fn == nil || !f.holderLocks() {
		return false
	}
	if !endings.MatchString(fn.Name()) {
		if fn = f.calledToEnd(fn); fn == nil {
			return false
		}
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return true
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && (tn.Exported() || f.behindExported(tn, fn.Name()))
}

// calledToEnd is the exported method that ends an object of an exported type by calling fn on
// it, whatever its state; or nil.
func (s *search) calledToEnd(fn *types.Func) *types.Func {
	if fn.Exported() || fn.Signature().Recv() == nil || s.exportedWays(fn) == 0 {
		return nil
	}
	for _, b := range s.callersOf(fn) {
		if b.Func != nil && b.Func.Exported() && endings.MatchString(b.Func.Name()) {
			return b.Func
		}
	}
	return nil
}

// behindExported says whether the type implements an exported interface of the package that
// has the method and others.
func (s *search) behindExported(tn *types.TypeName, method string) bool {
	scope := s.pkg.Types.Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		i, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !i.Exported() || !types.IsInterface(i.Type()) {
			return false
		}
		named, ok := i.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 || named.Underlying().(*types.Interface).NumMethods() < 2 {
			return false
		}
		has, _, _ := types.LookupFieldOrMethod(named, false, s.pkg.Types, method)
		return has != nil && implements(tn, named)
	})
}

// calledTwice says whether the function is one that several exported methods
// call, or a goroutine of the package as well, and one of which ends something: that one
// comes from a goroutine of its own.
func (f *finding) calledTwice() bool {
	if f.body.Func == nil || f.body.Func.Exported() {
		return false
	}
	callers, ends := map[*types.Func]bool{}, false
	for _, b := range f.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && f.locks.Callee(call) == f.body.Func {
					callers[b.Func] = true
					ends = ends || endings.MatchString(b.Func.Name())
				}
			}
		}
	}
	return ends && (len(callers) > 1 || f.endedByGoroutine(f.body.Func, true))
}

// endedFromWithin says whether the function is one by which anybody ends an object,
// and a goroutine of the package calls it as well.
func (f *finding) endedFromWithin() bool {
	fn := f.body.Func
	return fn != nil && fn.Exported() && fn.Signature().Recv() != nil && endings.MatchString(fn.Name()) && f.endedByGoroutine(fn, true)
}

// guardsClose says whether the test is of an atomic flag which alone decides whether the
// end sets it and a channel is closed, here or in a function that is called: the flag is
// atomic because goroutines meet, and a second close panics.
func (f *finding) guardsClose(c *Candidate, end *hit) bool {
	if c.Category != "atomic-check-then-act" || f.entry.via != nil || end.via != nil || end.Mode != atomicity.Write || !f.claims(end) || len(f.entry.held) > 0 {
		return false
	}
	if f.closes(end) != "" {
		return true
	}
	return f.inBranch(end, func(ev accesses.Event) bool {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return false
		}
		b := f.pkg.ByFunc[f.locks.Callee(call)]
		return b != nil && slices.ContainsFunc(b.Events, func(events []accesses.Event) bool {
			return slices.ContainsFunc(events, func(ev accesses.Event) bool { return ev.Kind == accesses.OnCall && f.closeOf(ev.Node) != nil })
		})
	})
}
