package section

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sure decides whether the candidate is worth a person's attention. A false
// alarm costs more than a miss: each rule asks for evidence that goroutines do
// meet here, and that meeting does harm.
func (f *finding) sure(c *Candidate, end *hit, plain bool) bool {
	if c.Pattern == atomicity.LoadAndStore && c.Protected != "" && f.entry.Var.Contents {
		plain = true // m[k] = f(m[k]), whatever f does
	}
	if c.Pattern == atomicity.LoadAndStore && !plain {
		plain = f.rebuilt(c, end)
	}
	if !f.strong || !plain || f.inTest() || f.spared(c, end) {
		return false
	}
	switch c.Category {
	case "atomic-check-then-act":
		if end.Mode == atomicity.Write && f.extreme(end) {
			return true
		}
		return end.Mode == atomicity.Write && f.acts(end) && !f.idempotent(end) && (f.claims(end) || f.closes(end) != "")
	case "atomic-load-and-store":
		return true
	case "sync-map":
		return end.Mode == atomicity.Write && !f.idempotent(end)
	}
	if c.Pattern == atomicity.TestAndUse && isError(f.entry.Var.Obj.Type()) {
		return false // the first error or the last one: either tells
	}
	if c.Category == "test-and-use" && len(f.entry.held) == 0 && f.closes(end) != "" && f.claims(end) && f.shared.Entered(f.body) && f.calledTwice() {
		return true
	}
	if (c.Category == "test-and-use" || c.Category == "load-and-store") && f.body.Func != nil && shared.SetsGoing(f.body) {
		return false // it readies an object that others use afterwards
	}
	own := f.ownLock(f.entry.held) || f.ownLock(end.held) || f.lockedBefore().Valid()
	if f.reach < shared.Meant && !own {
		return false
	}
	switch c.Category {
	case "unlock-relock", "rlock-upgrade":
		if c.Pattern == atomicity.LoadAndStore {
			return true
		}
		if end.Mode == atomicity.Read {
			return own && dangerous(end.Access) && f.nilled()
		}
		return !f.idempotent(end)
	case "write-under-rlock":
		return f.guarded()
	case "read-before-lock":
		return own
	case "test-before-lock":
		return own && (end.Mode == atomicity.Write || dangerous(end.Access) && f.nilled() && f.guarded()) && !f.idempotent(end)
	case "use-after-unlock", "store-after-unlock":
		if !f.entry.held.Any() { // written under the lock by this very function
			return true
		}
		return end.Mode == atomicity.Write && own && f.guarded() && !f.idempotent(end)
	}
	if len(f.entry.held) > 0 || len(end.held) > 0 { // perhaps there is a lock after all
		return false
	}
	if c.Pattern == atomicity.TestAndUse && (end.Mode != atomicity.Write || !f.claims(end)) {
		return false
	}
	if c.Pattern == atomicity.TestAndUse && !f.acts(end) && f.idempotent(end) {
		return false // a default value
	}
	if c.Pattern == atomicity.TestAndUse && f.reach >= shared.Meant && f.ends() && f.acts(end) {
		return true
	}
	if f.entry.Kind == access.Element && f.ownIndex() {
		return false
	}
	// A type with a lock that does not use it for this variable has another
	// rule for it, such as a goroutine that owns it.
	if f.guarded() {
		return true
	}
	// Objects that are handed from call to call mostly belong to one goroutine,
	// though some be shared.
	return f.shared.Launched(f.body) && f.handedOver() && (f.reach == shared.Shared || f.reach == shared.Listed && !f.holderLocks())
}

// rebuilt says whether what the end stores is made of the old contents by way of
// calls or loops: a changed copy of a map, slice or struct that takes the place
// of the original.
func (f *finding) rebuilt(c *Candidate, end *hit) bool {
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if !f.holdsPointer(values) {
		return false
	}
	switch c.Category {
	case "atomic-load-and-store", "unlock-relock", "rlock-upgrade":
		return f.copied(values)
	}
	return false
}

// copied says whether contents of the entry's value flow into one of the values,
// element by element or by a call that is named for it.
func (f *finding) copied(values []ast.Expr) bool {
	for _, v := range values {
		if id, ok := ast.Unparen(v).(*ast.Ident); ok {
			for _, d := range f.values.filled[f.pkg.Info.ObjectOf(id)] {
				if _, ok := f.values.of(d.value)[f.entry.Access]; ok {
					return true
				}
			}
			for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
				if f.copied([]ast.Expr{d.value}) {
					return true
				}
			}
		}
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && copies.MatchString(types.ExprString(call.Fun)) {
			return true
		}
	}
	return false
}

var endings = regexp.MustCompile(`^(Close|Stop|Shutdown|Cancel|Terminate|Destroy|AsyncClose|Unsubscribe|Disconnect|GracefulStop|Quit|Halt|Kill|Abort|CloseWithError|StopAsync)$`)

// ends says whether the function is an exported method of an exported type that
// ends something: people call these from wherever they notice that it is over.
func (f *finding) ends() bool {
	if f.body.Func == nil || !endings.MatchString(f.body.Func.Name()) || !f.holderLocks() {
		return false
	}
	recv := f.body.Func.Signature().Recv()
	if recv == nil {
		return true
	}
	t := recv.Type()
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Exported()
}

// handedOver says whether it is surely a shared object that the variable is part
// of: goroutines begin with the body and get it, or every call that leads here
// hands over such an object.
func (f *finding) handedOver() bool {
	return f.shared.Begins(f.body) || !f.shared.Mixed(f.entry.place.Root)
}

// calledTwice says whether the function is one that several exported methods
// call, one of which ends something: that one comes from a goroutine of its own.
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
	return ends && len(callers) > 1
}

// holderLocks says whether the type that the variable is a field of is made for
// concurrent use.
func (f *finding) holderLocks() bool {
	if e := f.entry; e.via != nil && e.Var.Obj.Pkg() != f.pkg.Types {
		return slices.ContainsFunc(facts.Holders(e.place), f.shared.Concurrent)
	}
	sel, ok := ast.Unparen(f.entry.Cell).(*ast.SelectorExpr)
	if !ok {
		star, isStar := ast.Unparen(f.entry.Cell).(*ast.StarExpr)
		if isStar {
			sel, ok = ast.Unparen(star.X).(*ast.SelectorExpr)
		}
	}
	for ok {
		if t := f.pkg.Info.TypeOf(sel.X); t != nil && f.shared.Concurrent(t) {
			return true
		}
		sel, ok = ast.Unparen(sel.X).(*ast.SelectorExpr)
	}
	return false
}

// ownLock says whether one of the locks belongs to the object that the variable
// is part of, or to the package, or guards the variable in most functions.
func (f *finding) ownLock(held locks.Set) bool {
	u := f.shared.Use(f.entry.Var)
	for l, m := range held {
		if m == locks.Possible || l.Root == nil {
			continue
		}
		global := accesses.IsGlobal(l.Root) && (l.Root.Pkg() == f.pkg.Types || l.Root.Pkg() == f.entry.Var.Obj.Pkg())
		if l.Root == f.entry.place.Root && within(l.Path, f.entry.place.Path) || global || u != nil && u.GuardedBy(locks.ClassOf(l)) {
			return true
		}
	}
	return false
}

// within says whether the lock at the first path lies in an object that also
// holds the variable at the second.
func within(lock, v string) bool { return strings.HasPrefix(v, parent(lock)) }

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func (f *finding) inTest() bool { return f.isTest() }

func (s *search) isTest() bool {
	return strings.HasSuffix(s.pkg.Fset.Position(s.body.Node.Pos()).Filename, "_test.go")
}

// ownIndex says whether the element's index is not a constant: goroutines that
// share a slice mostly keep to elements of their own.
func (f *finding) ownIndex() bool {
	x, ok := f.entry.Expr.(*ast.IndexExpr)
	if !ok {
		return true
	}
	tv := f.pkg.Info.Types[x.Index]
	return tv.Value == nil
}

// guarded says whether the package accesses the variable mostly under a lock,
// which shows that it means to share it.
func (f *finding) guarded() bool {
	u := f.shared.Use(f.entry.Var)
	return u != nil && (u.MostlyGuarded(f.body) || len(u.Locks) > 0 && f.entry.held.Any())
}

// dangerous says whether a use of what was tested can panic or go astray when
// the test no longer holds.
func dangerous(a *access.Access) bool {
	switch t := a.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Signature:
		_ = t
		return true
	}
	return false
}

// nilled says whether some function other than this one takes away what the
// variable holds: sets it to nil or cuts it short.
func (f *finding) nilled() bool {
	u := f.shared.Use(f.entry.Var)
	return u.Clears()
}
