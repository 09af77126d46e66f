package section

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// addedBeside finds the store of an atomic number that was loaded in the same hold of a lock, where
// another function adds to it without that lock: what is added in between is lost, for the lock
// keeps nobody out who does not take it.
//
//	w.mu.Lock(); if n > w.next.Load() { w.next.Store(n) }; w.mu.Unlock()
//	id := w.next.Add(1) // elsewhere, under another lock or none
func (f *finding) addedBeside(ends []*hit) {
	e := f.entry
	if e.Kind != access.Atomic || e.via != nil || e.later || !f.strong || f.reach < shared.Meant || f.shared.Constructing(f.body) || f.readies() {
		return
	}
	for _, h := range ends {
		values := stored(h.Access)
		if h.Kind != access.Atomic || h.Mode != atomicity.Write || h.via != nil || indivisible(h.Access) || !protects(h.kept, true) || len(values) != 1 || f.pkg.Info.Types[values[0]].Value != nil {
			continue
		}
		t := f.pkg.Info.TypeOf(values[0])
		if t == nil { // of a package that does not compile
			continue
		}
		if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
			continue
		}
		adder, in := f.another(e.Var, f.body, func(k *occurrence) bool {
			return k.Mode == atomicity.Write && k.Kind == access.Atomic && strings.HasPrefix(k.Method, "Add") && !excludes(k.held, h.kept) && !f.shared.Constructing(f.pkg.ByNode[k.Func.Node])
		})
		if adder == nil {
			continue
		}
		c := f.direct("testuse", "test-and-use", e.Access, e.Pos(), h.Pos())
		c.Roles = [2]string{"loaded", "stored"}
		c.Message = fmt.Sprintf("%s is loaded and stored with %s held, which %s does not take that adds to it: what is added in between is lost", e.place, anyOf(h.kept), in.Name)
		f.tell(c, e, h.Access)
		return
	}
}
