package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

var (
	mapGets = pattern.New(`^(Load|Get|Peek|Lookup|Contains|Has|Exists)$`)
	mapPuts = pattern.New(`^(Store|Set|Add|Put|Insert)$`)
	// both are the names of methods that look and store in one step.
	both = pattern.New(`^(Load|Get|Peek|Lookup|Contains)Or(Store|Set|Add|Put|Insert|Create|Compute|Init|New)|^(Set|Put|Add|Store|Insert|Compute)If(Absent|Missing|NotExists?|New)$|^SetNX$|^Upsert$`)
)

// mapLike is the access to a container that is like a sync.Map: the call is of a method
// that looks an entry up, or stores one, and the container, which is made for
// concurrent use, has another method that does both in one step.
func (s *search) mapLike(st *bodyState, call *ast.CallExpr, block, index int, held locks.Set) []*occurrence {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	a := &access.Access{Kind: access.SyncMap, Func: st.body.Fn, Expr: call, Cell: sel.X}
	switch name := sel.Sel.Name; {
	case mapGets.MatchString(name):
		a.Mode, a.Method, a.Key = atomicity.Read, "Load", call.Args[0]
	case mapPuts.MatchString(name):
		a.Mode, a.Method = atomicity.Write, "Store"
	default:
		return nil
	}
	selection := s.pkg.Info.Selections[sel]
	if selection == nil || !s.inOneStep(selection.Recv()) {
		return nil
	}
	pl := s.pkg.PlaceOf(sel.X)
	v := s.locks.Globals().Variable(pl)
	if !pl.Valid() || v == nil {
		return nil
	}
	a.Var = access.Var{Obj: v, Contents: true}
	a.Base, _ = pl.Root.(*types.Var)
	o := &occurrence{Access: a, block: block, index: index, held: held, outer: held, place: pl, like: true, key: allKeys}
	if a.Mode == atomicity.Read {
		o.key = types.ExprString(st.values.original(a.Key))
		st.values.reads[call] = append(st.values.reads[call], a)
	} else if len(call.Args) > 1 {
		a.Key = call.Args[0]
		o.key = types.ExprString(st.values.original(a.Key))
	}
	return []*occurrence{o}
}

// inOneStep says whether the type is made for concurrent use and has a method that
// looks and stores in one step. Of an interface the method alone must tell.
func (s *search) inOneStep(t types.Type) bool {
	if known, ok := s.oneStep[t]; ok {
		return known
	}
	if s.oneStep == nil {
		s.oneStep = map[types.Type]bool{}
	}
	found := false
	if tn := accesses.TypeName(t); tn != nil && (tn.Pkg() == nil || tn.Pkg().Path() != "sync") {
		set := types.NewMethodSet(t)
		if _, ptr := t.(*types.Pointer); !ptr && !types.IsInterface(t) {
			set = types.NewMethodSet(types.NewPointer(t))
		}
		for m := range set.Methods() {
			name := m.Obj().Name()
			found = found || both.MatchString(name) && (s.lockedInside(t) || types.IsInterface(t) && (name == "LoadOrStore" || name == "SetIfAbsent"))
		}
	}
	s.oneStep[t] = found
	return found
}

// looksAndStores says whether the type, of another package, is a container with locks of
// its own: it has a method that tells whether a key is there, and one that stores a value.
func (s *search) looksAndStores(t types.Type) bool {
	tn := accesses.TypeName(t)
	if tn == nil || tn.Pkg() == nil || tn.Pkg() == s.pkg.Types || tn.Pkg().Path() == "sync" || types.IsInterface(t) || !s.lockedInside(t) {
		return false
	}
	looks, stores := false, false
	if _, ptr := types.Unalias(t).(*types.Pointer); !ptr {
		t = types.NewPointer(t)
	}
	for m := range types.NewMethodSet(t).Methods() {
		fn, ok := m.Obj().(*types.Func)
		if !ok {
			continue
		}
		sig := fn.Signature()
		if res := sig.Results(); mapGets.MatchString(fn.Name()) && res.Len() > 0 {
			b, ok := res.At(res.Len() - 1).Type().Underlying().(*types.Basic)
			looks = looks || ok && b.Kind() == types.Bool
		}
		stores = stores || mapPuts.MatchString(fn.Name()) && sig.Params().Len() >= 2
	}
	return looks && stores
}

// lockedInside says whether the type is made for concurrent use, or is a mere shell, or
// list of parts, of one that is.
func (s *search) lockedInside(t types.Type) bool {
	if s.shared.Concurrent(t) {
		return true
	}
	tn := accesses.TypeName(t)
	if tn == nil {
		return false
	}
	parts := func(t types.Type) bool {
		switch t := t.Underlying().(type) {
		case *types.Slice:
			return s.shared.Concurrent(t.Elem())
		case *types.Array:
			return s.shared.Concurrent(t.Elem())
		}
		return false
	}
	str, ok := tn.Type().Underlying().(*types.Struct)
	if !ok {
		return parts(tn.Type())
	}
	for f := range str.Fields() {
		if f.Embedded() && s.shared.Concurrent(f.Type()) || parts(f.Type()) {
			return true
		}
	}
	return false
}

// keptInSharedMap says whether an exported method changes an entry of a map whose type has a
// lock inside, and says by its name that it is for several goroutines. Nobody takes such a
// one for an object that one goroutine has.
func (f *finding) keptInSharedMap(c *Candidate, end *hit) bool {
	fn := f.body.Func
	return c.Pattern == atomicity.LoadAndStore && fn != nil && fn.Exported() && fn.Signature().Recv() != nil && end.via != nil && f.entry.Var.Contents &&
		f.entry.held.Any() && f.entry.Base != nil && f.isReceiver(f.entry.Base) && sharedMaps.MatchString(f.pkg.Name(f.entry.Var))
}

var sharedMaps = pattern.New(`(Sync|Concurrent|Safe|Locked|Shared)Map\b|Map(Sync|Concurrent|Safe)`)
