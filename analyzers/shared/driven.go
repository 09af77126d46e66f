package shared

import "go/types"

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
