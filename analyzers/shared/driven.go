package shared

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// driven are the interfaces of database/sql/driver whose methods database/sql calls one at a time
// for a connection and all that comes of it: "it is not used concurrently by multiple goroutines".
var driven = [...]string{"Conn", "Stmt", "Rows"}

// findDriven finds the types of the package that are connections, statements or rows of a driver
// for database/sql. One caller uses a connection and what it has made.
func (r *Result) findDriven() {
	for _, imported := range r.pkg.Types.Imports() {
		if imported.Path() != "database/sql/driver" {
			continue
		}
		for _, name := range driven {
			tn, ok := imported.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			contract, ok := tn.Type().Underlying().(*types.Interface)
			if !ok {
				continue
			}
			scope := r.pkg.Types.Scope()
			for _, own := range scope.Names() {
				tn, ok := scope.Lookup(own).(*types.TypeName)
				if !ok || tn.IsAlias() || types.IsInterface(tn.Type()) {
					continue
				}
				if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
					continue
				}
				if types.Implements(types.NewPointer(tn.Type()), contract) {
					if r.drivenFirst == nil {
						r.drivenFirst = tn
					}
					r.driven[tn], r.forOne[tn] = true, true
				}
			}
		}
	}
}

// machineOf is the type of the method's receiver, if the method is one of raft.FSM's, and of that type: "Apply and
// Snapshot are always called from the same thread", and Restore is called while none of the others runs. Or nil.
func (r *Result) machineOf(fn *types.Func) *types.TypeName {
	if fn == nil || fn.Signature().Recv() == nil {
		return nil
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	for _, imported := range r.pkg.Types.Imports() {
		if imported.Path() != "github.com/hashicorp/raft" || tn == nil {
			continue
		}
		contract, ok := imported.Scope().Lookup("FSM").(*types.TypeName)
		if !ok {
			continue
		}
		machine, ok := contract.Type().Underlying().(*types.Interface)
		if !ok || !types.Implements(types.NewPointer(tn.Type()), machine) {
			continue
		}
		for m := range machine.Methods() {
			if m.Name() == fn.Name() {
				return tn
			}
		}
	}
	return nil
}
