package section

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// removal is where an entry of a map is deleted because its object is empty.
type removal struct {
	body   *accesses.Body
	delete *occurrence
	class  string                // the lock that is held, "" for a sync.Map
	asked  map[types.Object]bool // the fields that tell that the object is empty
	marks  map[types.Object]bool // the fields by which it is marked as removed
}

// removals are those of the package, by the map that they delete from.
func (s *search) removals() map[access.Var][]*removal {
	if s.emptied != nil {
		return s.emptied
	}
	s.emptied = map[access.Var][]*removal{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		for _, gone := range s.order {
			if gone.Mode != atomicity.Write || !strings.HasPrefix(strings.ToLower(gone.source().Method), "delete") && gone.Method != "LoadAndDelete" {
				continue
			}
			if r := s.removalOf(gone); r != nil {
				s.emptied[gone.Var] = append(s.emptied[gone.Var], r)
			}
		}
	}
	return s.emptied
}

// removalOf is the removal of an empty object that gone is, or nil.
func (s *search) removalOf(gone *occurrence) *removal {
	r := &removal{body: s.body, delete: gone, asked: map[types.Object]bool{}}
	for _, l := range gone.held.Places() {
		if gone.held[l] == locks.Exclusive && l.Root != nil && (l.Root == gone.place.Root || accesses.IsGlobal(l.Root)) {
			r.class = locks.ClassOf(l)
		}
	}
	if r.class == "" && gone.Kind != access.SyncMap {
		return nil
	}
	for block, conds := range s.body.Conds {
		if ok, _ := s.decides(block, gone.block); !ok || block == gone.block {
			continue
		}
		for _, c := range conds {
			s.askedBy(c, r.asked, 0)
		}
	}
	if len(r.asked) == 0 || s.putElsewhere(gone) {
		return nil
	}
	r.marks = map[types.Object]bool{}
	s.addMarks(s.body, 0, r.marks, map[*accesses.Body]int{})
	return r
}

// putElsewhere says whether an object that a condition of the body is about goes back into the
// map after the deletion, under another key: it has moved, and is not done with.
func (s *search) putElsewhere(gone *occurrence) bool {
	for _, w := range s.order {
		values := stored(w.Access)
		if w.Var != gone.Var || w.Mode != atomicity.Write || w.Method != "" || w.via != nil || len(values) != 1 || !s.leadsTo(gone, w) {
			continue
		}
		id := identOf(values[0])
		if id == nil {
			continue
		}
		for _, conds := range s.body.Conds {
			for _, c := range conds {
				if s.mentions(c, s.pkg.Info.ObjectOf(id)) {
					return true
				}
			}
		}
	}
	return false
}

// askedBy adds the fields that can be counted and that the expression asks for, by
// itself, by locals and by methods of this package.
func (s *search) askedBy(e ast.Node, into map[types.Object]bool, depth int) {
	if depth > 3 {
		return
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SelectorExpr:
			if sel := s.pkg.Info.Selections[n]; sel != nil && sel.Kind() == types.FieldVal && countable(sel.Type()) {
				into[sel.Obj()] = true
			}
		case *ast.CallExpr:
			if b := s.pkg.ByFunc[s.locks.Callee(n)]; b != nil && b.Func.Signature().Recv() != nil && b.Func.Signature().Results().Len() > 0 {
				s.askedIn(b, into, depth+1)
			}
		case *ast.Ident:
			for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(n)] {
				if t := s.pkg.Info.TypeOf(n); t != nil && (isBoolean(t) || countable(t)) {
					s.askedBy(d.value, into, depth+1)
				}
			}
		}
		return true
	})
}

// askedIn adds the fields that decide, or are, what a small method returns.
func (s *search) askedIn(b *accesses.Body, into map[types.Object]bool, depth int) {
	if len(b.CFG.Blocks) > maxBlocks {
		return
	}
	current := s.bodyState
	s.bodyState = s.stateOf(b)
	defer func() { s.bodyState = current }()
	for _, conds := range b.Conds {
		for _, c := range conds {
			s.askedBy(c, into, depth)
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn {
				s.askedBy(ret, into, depth)
			}
		}
	}
}

// countable says whether a value of the type can tell that an object is empty.
func countable(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if tn := accesses.TypeName(t); tn != nil && tn.Pkg() != nil {
		switch tn.Pkg().Path() {
		case "time":
			return false
		case "container/list", "sync":
			return tn.Name() == "List" || tn.Name() == "Map"
		}
		if access.IsAtomic(tn.Pkg().Path()) {
			return strings.Contains(tn.Name(), "nt") && tn.Name() != "Pointer"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsInteger != 0
	case *types.Map, *types.Slice, *types.Chan:
		return true
	}
	return false
}

// addMarks adds the flags that b or what it calls sets, and the channels it closes: by them
// others can tell that an object is done with.
func (s *search) addMarks(b *accesses.Body, depth int, marks map[types.Object]bool, seen map[*accesses.Body]int) {
	if at, ok := seen[b]; b == nil || ok && at <= depth || depth > maxDepth {
		return
	}
	seen[b] = depth
	current := s.bodyState
	s.bodyState = s.stateOf(b)
	defer func() { s.bodyState = current }()
	for _, o := range s.order {
		if o.Mode == atomicity.Write && o.Var.Obj.IsField() && !countable(o.Var.Obj.Type()) {
			marks[o.Var.Obj] = true
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok {
				continue
			}
			if ch := s.closeOf(call); ch != nil {
				if v := s.variable(ch); v != nil {
					marks[v] = true
				}
			}
			s.addMarks(s.pkg.ByFunc[s.locks.Callee(call)], depth+1, marks, seen)
		}
	}
}
