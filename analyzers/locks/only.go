package locks

import "go/types"

// findOnly finds the methods that calls through an interface of the package reach, where
// one type of the package alone has them: a store interface and its one store.
func (r *Result) findOnly() {
	r.only, r.sole = map[*types.Func]*types.Func{}, map[*types.TypeName]*types.TypeName{}
	scope := r.pkg.Types.Scope()
	var concrete []*types.Named
	var interfaces []*types.Named
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		if i, ok := named.Underlying().(*types.Interface); !ok {
			concrete = append(concrete, named)
		} else if i.NumExplicitMethods() > 0 && i.IsMethodSet() {
			interfaces = append(interfaces, named)
		}
	}
	for _, named := range interfaces {
		i := named.Underlying().(*types.Interface)
		var one *types.Named
		several := false
		for _, c := range concrete {
			if types.Implements(types.NewPointer(c), i) {
				several = several || one != nil
				one = c
			}
		}
		if one == nil || several {
			continue
		}
		r.sole[named.Obj()] = one.Obj()
		for method := range i.ExplicitMethods() {
			obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(one), true, r.pkg.Types, method.Name())
			if fn, ok := obj.(*types.Func); ok && r.pkg.ByFunc[fn] != nil {
				r.only[method] = fn
			}
		}
	}
}

// Sole is the one type of the package that implements the interface, the type itself if it
// is none or there are several.
func (r *Result) Sole(tn *types.TypeName) *types.TypeName {
	if one := r.sole[tn]; one != nil {
		return one
	}
	return tn
}
