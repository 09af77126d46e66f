package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// message says what two goroutines can do to each other.
func (f *finding) message(c *Candidate, end *hit) string {
	name := types.ExprString(f.entry.Cell)
	if f.entry.via != nil && !f.entry.lit {
		name = f.entry.place.String() + " (in " + types.ExprString(f.entry.via.Fun) + ")"
	} else if f.entry.Key != nil {
		name += "[" + types.ExprString(f.entry.Key) + "]"
	}
	if c.Category == "atomic-check-then-act" && end.Mode == atomicity.Write && f.closes(end) == "" && f.neverSet(end) {
		return fmt.Sprintf("%s is tested here and taken back later, and nobody sets it: the test lets all goroutines in at the same time", name)
	}
	var what string
	switch {
	case c.Pattern == atomicity.LoadAndStore:
		what = fmt.Sprintf("two goroutines can both read %s before either stores it, and one update is lost", name)
	case f.deletesOther(end):
		what = fmt.Sprintf("another goroutine can store another value in %s after it was compared, and it is that one which is deleted", name)
	case f.shared.Single(f.body) && f.wipes(end):
		what = fmt.Sprintf("another goroutine can set %s between this test and the reset, which forgets it", name)
	case c.Category == "atomic-check-then-act" && f.overwritesState(end):
		what = fmt.Sprintf("%s can set %s between this test and the store, which takes that back", f.thirdStored(end).Fn.Name, name)
	case f.closes(end) != "":
		what = fmt.Sprintf("two goroutines can both pass the test of %s and close %s twice", name, f.closes(end))
	case end.Mode == atomicity.Write:
		what = fmt.Sprintf("two goroutines can both pass the test of %s and both %s", name, verb(end.Access, name))
	default:
		what = fmt.Sprintf("another goroutine can change %s after it was tested and before it is used", name)
	}
	if f.madeInItsHold(end) {
		return what + fmt.Sprintf(": %s is taken only afterwards, and nobody looks again", end.held.Places()[0])
	}
	return what + f.because(c)
}

// because explains the category.
func (f *finding) because(c *Candidate) string {
	switch c.Category {
	case "unlock-relock":
		return fmt.Sprintf(": %s is released in between", c.Protected)
	case "rlock-upgrade":
		return fmt.Sprintf(": %s is held for reading first and taken for writing later, without looking again", c.Protected)
	case "write-under-rlock":
		return fmt.Sprintf(": %s is held for reading only, which others can do at the same time", c.Protected)
	case "test-before-lock", "read-before-lock":
		return fmt.Sprintf(": %s is taken only afterwards", c.Protected)
	case "use-after-unlock", "store-after-unlock":
		return fmt.Sprintf(": %s has been released by then", c.Protected)
	case "atomic-check-then-act", "atomic-load-and-store":
		return ": two atomic operations are not one"
	case "sync-map":
		return ": " + operation(c.Entry) + " and " + operation(c.Ends[0]) + " are two operations"
	}
	return ": no lock is held"
}

// operation is the name of the method that makes the access.
func operation(a *access.Access) string {
	if call, ok := a.Expr.(*ast.CallExpr); ok {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && a.Kind == access.SyncMap {
			return sel.Sel.Name
		}
	}
	return a.Method
}

// verb says what the end does.
func verb(a *access.Access, name string) string {
	switch {
	case a.Method == "delete" || a.Method == "Delete":
		return "delete it"
	case adds(a):
		return "add to it"
	}
	return "set it"
}

// closes is the channel that is closed in the branch of the end, or "". One that the
// goroutine has made since the test is its own.
func (f *finding) closes(end *hit) string {
	closed := ""
	f.belowBranch(end, func(ev accesses.Event) bool {
		if ch := f.closeOf(ev.Node); ch != nil && !f.madeSince(ch) && !f.ownChannel(ch) {
			closed = types.ExprString(ev.Node.(*ast.CallExpr).Args[0])
		}
		return closed != ""
	})
	return closed
}

// madeSince says whether the channel, or the object that it is a field of, is one that
// the body has made after the entry.
func (f *finding) madeSince(ch ast.Expr) bool {
	for _, a := range f.values.assigns[rootOf(f.pkg.Info, ch)] {
		if a.at > f.pkg.Order(f.entry.Pos()) && f.makes(a.value) {
			return true
		}
	}
	return false
}

// makes says whether e is a new channel or object.
func (f *finding) makes(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		if !ok {
			return false
		}
		b, ok := f.pkg.Info.Uses[id].(*types.Builtin)
		return ok && (b.Name() == "make" || b.Name() == "new")
	}
	return false
}
