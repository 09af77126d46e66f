package shared

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findImplied finds the types that the lock of another type shows to be meant for
// concurrent use: that of objects which the package keeps nowhere but in theirs, and
// hands to nobody.
func (r *Result) findImplied() {
	holders := r.holders()
	exposed := r.exposed()
	scope := r.pkg.Types.Scope()
	for changed := true; changed; {
		changed = false
		for _, name := range scope.Names() {
			held, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || held.IsAlias() || exposed[held] || r.forOne[held] || !r.implied[held] && !r.ownState[held] && !holdsMutex(held.Type(), 0) {
				continue
			}
			within := map[*types.TypeName]bool{}
			r.reachable(held.Type(), within, 0)
			var only *types.TypeName
			n := 0
			for h := range holders[held] {
				if !within[h] {
					only = h
					n++
				}
			}
			if n == 1 && only != nil && !r.implied[only] && !r.concurrent[only] && !r.forOne[only] {
				r.implied[only] = true
				changed = true
			}
		}
	}
}

// holders are the types of which an object holds one of the type, for each type of the
// package; nil stands for package-level variables and types from outside.
func (r *Result) holders() map[*types.TypeName]map[*types.TypeName]bool {
	holders := map[*types.TypeName]map[*types.TypeName]bool{}
	add := func(of types.Type, by *types.TypeName) {
		for _, t := range mentioned(of, 0) {
			t = r.locks.Sole(t)
			if holders[t] == nil {
				holders[t] = map[*types.TypeName]bool{}
			}
			holders[t][by] = true
		}
	}
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Var:
			add(obj.Type(), nil)
		case *types.TypeName:
			if s, ok := obj.Type().Underlying().(*types.Struct); ok {
				for field := range s.Fields() {
					add(field.Type(), obj)
				}
			} else {
				add(obj.Type().Underlying(), obj)
			}
		}
	}
	return holders
}

// exposed are the types of which exported functions return objects, or take them.
func (r *Result) exposed() map[*types.TypeName]bool {
	set := map[*types.TypeName]bool{}
	for _, b := range r.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() {
			continue
		}
		sig := b.Func.Signature()
		if recv := sig.Recv(); recv != nil {
			if tn := accesses.TypeName(recv.Type()); !r.pkg.Shown(tn) {
				continue
			}
		}
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				for _, t := range mentioned(v.Type(), 0) {
					set[r.locks.Sole(t)] = true
				}
			}
		}
	}
	return set
}

// mentioned are the named types that an object of the type holds itself, or refers to.
func mentioned(t types.Type, depth int) []*types.TypeName {
	if depth > 6 {
		return nil
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return []*types.TypeName{t.Origin().Obj()}
	case *types.Map:
		return append(mentioned(t.Key(), depth+1), mentioned(t.Elem(), depth+1)...)
	case *types.Pointer:
		return mentioned(t.Elem(), depth+1)
	case *types.Slice:
		return mentioned(t.Elem(), depth+1)
	case *types.Array:
		return mentioned(t.Elem(), depth+1)
	case *types.Chan:
		return mentioned(t.Elem(), depth+1)
	case *types.Struct:
		var list []*types.TypeName
		for field := range t.Fields() {
			list = append(list, mentioned(field.Type(), depth+1)...)
		}
		return list
	}
	return nil
}

// holdsMutex says whether a struct holds a mutex, by value or pointer.
func holdsMutex(t types.Type, depth int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range s.Fields() {
		ft := types.Unalias(f.Type())
		if ptr, ok := ft.(*types.Pointer); ok {
			ft = ptr.Elem()
		} else if _, ok := ft.Underlying().(*types.Struct); ok && holdsMutex(ft, depth+1) {
			return true
		}
		if tn := accesses.TypeName(ft); tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "sync" && (tn.Name() == "Mutex" || tn.Name() == "RWMutex" || tn.Name() == "Locker") {
			return true
		}
	}
	return false
}
