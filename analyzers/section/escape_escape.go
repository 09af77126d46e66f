package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// escapes finds maps that are guarded by a lock, copied into a local under it,
// and used through the local after its release: the copy refers to the very
// same entries. The spec cannot name the pair, which is about two variables.
func (s *search) escapes() {
	reported := map[types.Object]bool{}
	for _, o := range s.order {
		if o.Kind != access.MapElement && o.Kind != access.MapWhole || o.via != nil {
			continue
		}
		id, ok := ast.Unparen(o.Cell).(*ast.Ident)
		if !ok || reported[s.pkg.Info.ObjectOf(id)] {
			continue
		}
		src := s.copiedFrom(id)
		if src == nil || src.block == o.block && src.index > o.index || s.replaced(id, src) {
			continue
		}
		lock := escapedLock(src, o)
		if !lock.Valid() || !s.changes(src, o) {
			continue
		}
		if s.reachOf(src) == shared.Private || s.detached(src, id) {
			continue
		}
		reported[s.pkg.Info.ObjectOf(id)] = true
		s.escaped(src, o.Access, id.Name, lock)
	}
	s.escapesUnnamed()
}

// escapesUnnamed is escapes for what a getter returns that is given no name: it is walked through,
// or indexed, at once; and for what is handed to a function that reads it all.
func (s *search) escapesUnnamed() {
	reported := map[access.Var]bool{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		var list []ast.Expr
		read := false
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			list = []ast.Expr{n.X}
		case *ast.IndexExpr:
			list = []ast.Expr{n.X}
		case *ast.CallExpr:
			if s.readsAll(n) {
				list, read = n.Args, true
			}
		}
		for _, x := range list {
			src := s.mapItself(x, read)
			if src == nil || reported[src.Var] || src.lit {
				continue
			}
			use := &access.Access{Var: access.Var{Obj: src.Var.Obj, Contents: true}, Kind: access.MapWhole, Mode: atomicity.Read, Func: s.body.Fn, Expr: x, Cell: x}
			now := locks.Set{}
			if read {
				now = s.heldAtCall(n.(*ast.CallExpr))
			}
			lock := escapedLock(src, &occurrence{Access: use, held: now})
			if src.via != nil {
				lock = escapedLock(src, &occurrence{Access: use, held: src.outer})
			}
			if !lock.Valid() || !s.changes(src, &occurrence{Access: use}) || s.reachOf(src) == shared.Private {
				continue
			}
			if id, ok := ast.Unparen(x).(*ast.Ident); ok && (s.replaced(id, src) || s.detached(src, id)) {
				continue
			}
			reported[src.Var] = true
			s.escaped(src, use, types.ExprString(x), lock)
		}
		return true
	})
}

// mapItself is the read whose value, a map, the expression has: the call of a getter, or a local,
// if that counts; or nil.
func (s *search) mapItself(x ast.Expr, local bool) *occurrence {
	x = ast.Unparen(x)
	t := s.pkg.Info.TypeOf(x)
	if t == nil || !isMap(t) {
		return nil
	}
	if id, ok := x.(*ast.Ident); ok && local {
		if src := s.copiedFrom(id); src != nil && s.before(src, id) {
			return src
		}
		return nil
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return nil
	}
	for _, a := range s.values.reads[call] {
		src := s.occ[a]
		if src != nil && src.via == call && (a.Kind == access.Cell || a.Kind == access.MapElement) && s.returnsItself(src, t) {
			return src
		}
	}
	return nil
}

// wholeReaders are the packages whose functions read all of a map that they are given.
var wholeReaders = pattern.New(`^(fmt|log|log/slog|maps|golang\.org/x/exp/maps|encoding/(json|gob|xml|yaml)|gopkg\.in/yaml\.v\d|sigs\.k8s\.io/yaml|github\.com/goccy/go-(json|yaml))$`)

// readsAll says whether the call is one of a function that reads all of a map.
func (s *search) readsAll(call *ast.CallExpr) bool {
	fn := s.locks.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg() != s.pkg.Types && wholeReaders.MatchString(fn.Pkg().Path())
}

// escaped reports the use of the map that src has read, by the name, after the release of the lock.
func (s *search) escaped(src *occurrence, use *access.Access, name string, lock accesses.Place) {
	if s.waitedBefore(src) {
		return // those who change it may be over
	}
	_, strong, evidence := s.shared.Rivals(s.body, src.Var)
	if !strong && !src.Var.Contents && src.via == nil { // a getter may return a copy as long as it is filled
		_, strong, evidence = s.shared.Rivals(s.body, access.Var{Obj: src.Var.Obj, Contents: true})
	}
	if src.Var.Contents || !strong {
		strong = s.shared.Launched(s.body) || s.shared.Entered(s.body)
	}
	if !strong && src.Var.Contents {
		_, strong, evidence = s.shared.RivalsAmong(s.body, src.Var, s.inner(src.Var))
	}
	s.found = append(s.found, &Candidate{
		Package:   s.pkg.Types.Path(),
		Variable:  src.Var,
		Name:      s.pkg.Name(src.Var),
		Type:      types.TypeString(src.Var.Obj.Type(), types.RelativeTo(s.pkg.Types)),
		Pattern:   atomicity.TestAndUse,
		Analyzer:  "testuse",
		Entry:     src.source(),
		Ends:      []*access.Access{use},
		Via:       src.via,
		Category:  "guarded-escape",
		Protected: lock.String(),
		Shared:    true,
		Evidence:  evidence,
		Sure:      strong,
		Message: fmt.Sprintf("%s is the map %s itself, not a copy; it is used after %s was released, while others change it",
			name, src.itself(s), lock),
		Pos:    src.Pos(),
		EndPos: use.Pos(),
	})
}

// itself is the map that is read, as the function that reads it calls it.
func (o *occurrence) itself(s *search) string {
	if o.via != nil {
		return s.pkg.Name(o.Var)
	}
	return types.ExprString(o.Expr)
}

// copiedFrom is the read whose value the local always holds, if it is the read
// of a map.
func (s *search) copiedFrom(id *ast.Ident) *occurrence {
	list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
	for _, d := range list {
		for _, a := range s.values.reads[ast.Unparen(d.value)] {
			o := s.occ[a]
			if o == nil || o.lit || a.Kind != access.Cell && a.Kind != access.MapElement || a.Expr != ast.Unparen(d.value) {
				continue
			}
			if o.via == nil || s.returnsItself(o, s.pkg.Info.TypeOf(id)) {
				return o
			}
		}
	}
	return nil
}

// replaced says whether the local holds something else by the time of its use at id.
func (s *search) replaced(id *ast.Ident, src *occurrence) bool {
	for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
		if s.before(src, d.value) && d.at <= s.pkg.Order(id.Pos()) && d.from <= s.pkg.Order(id.Pos()) && s.pkg.Order(id.Pos()) < d.to {
			return true
		}
	}
	return false
}

// detached says whether the body replaces what it has read by something else, in
// the same critical section: then the map is its own from there on.
func (s *search) detached(src *occurrence, id *ast.Ident) bool {
	for _, o := range s.order {
		if o.Mode != atomicity.Write || !o.sameInstance(src) || !s.oneHold(src, o) {
			continue
		}
		values := stored(o.Access)
		if len(values) != 1 {
			return true
		}
		if v, ok := ast.Unparen(values[0]).(*ast.Ident); !ok || s.pkg.Info.ObjectOf(v) != s.pkg.Info.ObjectOf(id) {
			return true
		}
	}
	return false
}

// escapedLock is a lock of the variable's own object that is held at the read
// and not at the use.
func escapedLock(src, use *occurrence) accesses.Place {
	for _, l := range src.held.Places() {
		if src.held.Holds(l) && l.Root != nil && l.Root == src.place.Root {
			if _, still := use.held[l]; !still {
				return l
			}
		}
	}
	return accesses.Place{}
}

// changes says whether entries of the map are written while others use them:
// here after the release, or elsewhere through the guarded variable.
func (s *search) changes(src, use *occurrence) bool {
	if use.Mode == atomicity.Write {
		return true
	}
	if src.Var.Contents {
		return len(s.inner(src.Var)) > 0
	}
	entries := access.Var{Obj: src.Var.Obj, Contents: true}
	return s.shared.Use(entries).Written() && !s.alwaysIntoNew(entries) && !s.filledAtFirst(src, entries)
}

// inner is the set of the other bodies that write entries of the maps which are
// the elements of v.
func (s *search) inner(v access.Var) map[*accesses.Body]bool {
	writers := map[*accesses.Body]bool{}
	for _, w := range s.innerWrites(v) {
		writers[w.body] = true
	}
	return writers
}

// innerWrites are the writes by other bodies of entries of the maps which are the elements of v.
func (s *search) innerWrites(v access.Var) []placed {
	var list []placed
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() {
			continue
		}
		st := s.states[b]
		for _, o := range st.order {
			if o.Kind != access.MapElement || o.Mode != atomicity.Write || o.via != nil {
				continue
			}
			cells := []ast.Expr{ast.Unparen(o.Cell)}
			if id, ok := cells[0].(*ast.Ident); ok {
				for _, d := range st.values.assigns[s.pkg.Info.ObjectOf(id)] {
					cells = append(cells, ast.Unparen(d.value))
				}
			}
			if slices.ContainsFunc(cells, func(cell ast.Expr) bool {
				return slices.ContainsFunc(st.values.reads[cell], func(a *access.Access) bool { return a.Var == v && a.Kind == access.MapElement })
			}) {
				list = append(list, placed{o, b})
			}
		}
	}
	return list
}
