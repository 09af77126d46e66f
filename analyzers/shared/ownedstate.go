package shared

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findOwnedState finds the types that have all their state, and the lock of it, in an object that each of theirs has for
// itself:
//
//	type Index struct { state *state }
//
//	func NewIndex() *Index { return &Index{state: &state{docs: map[int]*Doc{}}} }
//
//	func (ix *Index) Add(d *Doc) { ix.state.mu.Lock(); … }
//
// The state has no methods, so that it is those of the type that take the lock. They are made for concurrent use as if
// they had the lock themselves.
func (r *Result) findOwnedState() {
	r.ownParts, r.ownState = map[*types.Var]bool{}, map[*types.TypeName]bool{}
	for f, list := range r.stores {
		own := true
		for _, s := range list {
			own = own && isNew(s.value)
		}
		if !own {
			continue
		}
		r.ownParts[f] = true
		tn := r.owners[f]
		of := accesses.TypeName(f.Type())
		if of == nil || of.Pkg() != r.pkg.Types || of.Exported() || r.concurrent[tn] || r.forOne[tn] || !r.concurrent[of] {
			continue
		}
		if named, ok := of.Type().(*types.Named); !ok || named.NumMethods() > 0 || !holdsMutex(named, 0) {
			continue
		}
		r.concurrent[tn], r.ownState[tn] = true, true
	}
}
