package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
)

// ownState says whether an atomic variable that is tested and then set, and not counted by,
// is a part of an object of a type that the package keeps to itself, whose methods neither
// requests nor goroutines of a loop run:
//
//	func (h *holder) get() *state {
//		if s := h.state.Load(); s != nil { return s }
//		s := load()
//		h.state.Store(s)
//		return s
//	}
//
// It is atomic for those that look at it. Who sets it is one goroutine in most cases, as the
// package, which alone knows the type, sees to: of 11 such sequences in modules of others
// that were judged one by one, one could be broken and do harm. One that counts, or closes a
// channel, is another matter.
func (f *finding) ownState(end *hit) bool {
	return f.ofOwnType() && !f.shared.Launched(f.body) && !indivisible(end.Access) && f.closes(end) == ""
}

// ownAndQuiet says whether the body is a method of a type that the package keeps to itself,
// and nothing in the package shows that several goroutines have such an object: it starts
// none, nor serves requests, nor does an exported function give the objects out as an
// interface whose methods take a lock, for whoever gets one is as free to share it as an object
// of an exported type. Of
// 19 sequences of a test and an act of such methods that were judged one by one, 2 could be
// broken (those given out among them). One that closes a channel is another matter, and so
// is one that counts.
func (f *finding) ownAndQuiet(c *Candidate, end *hit) bool {
	switch c.Category {
	case "unlock-relock", "test-and-use", "sync-map", "atomic-check-then-act":
	default:
		return false
	}
	return c.Pattern == atomicity.TestAndUse && f.ofOwnType() && !f.shared.StartsGoroutines() && !f.shared.Launched(f.body) &&
		!indivisible(end.Access) && f.closes(end) == "" &&
		!((f.entry.held.Any() || end.held.Any() || f.refusesSecond(end)) && f.givenOut())
}

// givenOut says whether an exported function of the package returns an object of the receiver's type,
// as an interface, so that others have it who do not know the type.
func (s *search) givenOut() bool {
	tn := accesses.TypeName(s.body.Outermost().Func.Signature().Recv().Type())
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() != nil || b.Func.Signature().Results().Len() == 0 {
			continue
		}
		if result := b.Func.Signature().Results().At(0).Type(); !types.IsInterface(result) || !isExportedName(result) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn && len(ret.Results) > 0 && accesses.TypeName(s.pkg.Info.TypeOf(ret.Results[0])) == tn {
					return true
				}
			}
		}
	}
	return false
}

func isExportedName(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Exported()
}

// ofOwnType says whether the body is a method of a type that is not exported, or a literal
// within one.
func (f *finding) ofOwnType() bool {
	fn := f.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(types.Unalias(fn.Signature().Recv().Type()))
	return tn != nil && !tn.Exported()
}
