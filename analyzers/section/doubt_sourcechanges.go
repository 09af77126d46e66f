package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sourceChanges says whether what the end puts into a map was read, without the lock, from a
// field of the object to which another function writes before it stores or deletes the
// entry of a key that it was given: what was read before is older than that, and takes its
// place for good.
//
//	data, err := c.backend.Read(key)       // Put: c.backend.Write(key, data)
//	c.mu.Lock(); c.blobs[key] = data       //      c.mu.Lock(); c.blobs[key] = data
//
// So it is where another function puts into the map what it was given, to be written to the source later: that is
// lost with the entry.
func (f *finding) sourceChanges(end *hit) bool {
	if end.Kind != access.MapElement || end.Mode != atomicity.Write || end.via != nil || f.entry.via != nil {
		return false
	}
	for _, v := range stored(end.Access) {
		source, reads := f.readFromField(v)
		if source != nil && (f.writesThrough(source, reads, end) || f.writesBack(end)) {
			return true
		}
	}
	return false
}

// readFromField is the field whose method has returned the value of v, with no lock held,
// and the name of that method.
func (f *finding) readFromField(v ast.Expr) (*types.Var, string) {
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return nil, ""
	}
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		if field, method := f.methodOfField(d.value); field != nil && f.before(f.entry, d.value) {
			return field, method
		}
	}
	return nil, ""
}

// methodOfField is the field that e calls a method of, and the method's name.
func (s *search) methodOfField(e ast.Expr) (*types.Var, string) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return nil, ""
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, ""
	}
	v := s.variable(sel.X)
	if v == nil || !v.IsField() {
		return nil, ""
	}
	return v, sel.Sel.Name
}

// writesThrough says whether another function calls another method of the field, with the
// key that it was given, and then stores or deletes the entry of that key.
func (f *finding) writesThrough(source *types.Var, reads string, end *hit) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || f.shared.Constructing(b) || !f.shared.Entered(b) && !f.shared.Launched(b) {
			continue
		}
		f.bodyState = f.states[b]
		if slices.ContainsFunc(f.order, func(w *occurrence) bool {
			key := f.localKey(w)
			given, ok := key.of.(*types.Var)
			return ok && w.Mode == atomicity.Write && w.Var == end.Var && w.via == nil && ownHold(w) == locks.Exclusive && f.isParameterOf(given) &&
				f.reachOf(w) != shared.Private && f.writesBefore(source, reads, given, w)
		}) {
			return true
		}
	}
	return false
}

// writesBefore says whether the body hands the key to another method of the field than that
// which reads, before w.
func (s *search) writesBefore(source *types.Var, reads string, key *types.Var, w *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || s.before(w, call) {
			return !found
		}
		field, method := s.methodOfField(call)
		found = found || field == source && method != reads && slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return s.mentions(a, key) })
		return !found
	})
	return found
}

// writesBack says whether a function that outside callers have stores a value that it was
// given at a key that it was given.
func (f *finding) writesBack(end *hit) bool {
	current := f.bodyState
	defer func() { f.bodyState = current }()
	for _, b := range f.pkg.Bodies {
		if b.Func == nil || b == current.body.Outermost() || !b.Func.Exported() || !f.shared.Entered(b) {
			continue
		}
		f.bodyState = f.states[b]
		if slices.ContainsFunc(f.order, func(w *occurrence) bool {
			key, ok := f.localKey(w).of.(*types.Var)
			return ok && w.Mode == atomicity.Write && w.Var == end.Var && w.via == nil && w.Kind == access.MapElement && ownHold(w) == locks.Exclusive && f.isParameterOf(key) &&
				f.reachOf(w) != shared.Private && slices.ContainsFunc(stored(w.Access), func(v ast.Expr) bool {
				id, ok := ast.Unparen(v).(*ast.Ident)
				return ok && f.isParameter(id) && f.pkg.Info.ObjectOf(id) != key
			})
		}) {
			return true
		}
	}
	return false
}
