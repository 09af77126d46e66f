package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// shownLocked says whether the package shows objects of the type to others, such as a logger,
// and holds a lock of theirs whenever it does: log.Print(t). The method by which they show
// themselves runs then, and must not take the lock.
func (s *search) shownLocked(recv types.Type) bool {
	_, pointer := recv.(*types.Pointer)
	t := shownType{accesses.TypeName(recv), pointer}
	locked, known := s.shown[t]
	if !known {
		if s.shown == nil {
			s.shown = map[shownType]bool{}
		}
		locked = s.showsLocked(recv)
		s.shown[t] = locked
	}
	return locked
}

// A shownType is the type of a receiver.
type shownType struct {
	name    *types.TypeName
	pointer bool
}

func (s *search) showsLocked(recv types.Type) bool {
	under, free := false, false
	for _, b := range s.pkg.Bodies {
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || free {
				return
			}
			for i, arg := range call.Args {
				if t := s.pkg.Info.TypeOf(arg); t == nil || !types.Identical(t, recv) || !s.asInterface(call, i) {
					continue
				}
				root := s.pkg.PlaceOf(arg).Root
				if root != nil && slices.ContainsFunc(locksOf(held), func(l accesses.Place) bool { return l.Root == root }) {
					under = true
				} else {
					free = true
				}
			}
		})
	}
	return under && !free
}

// asInterface says whether the call of a function of another package takes its argument i as
// a value of an interface type.
func (s *search) asInterface(call *ast.CallExpr, i int) bool {
	if s.pkg.ByFunc[s.locks.Callee(call)] != nil {
		return false
	}
	sig, ok := s.pkg.Info.TypeOf(call.Fun).(*types.Signature)
	if !ok || sig.Params().Len() == 0 {
		return false
	}
	last := sig.Params().Len() - 1
	t := sig.Params().At(min(i, last)).Type()
	if slice, isSlice := t.(*types.Slice); isSlice && sig.Variadic() && i >= last && !call.Ellipsis.IsValid() {
		t = slice.Elem()
	}
	return types.IsInterface(t)
}
