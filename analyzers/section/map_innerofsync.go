package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// innerOfSync finds plain maps that are the values of a sync.Map and are changed where they lie, while
// another function looks into them, without any lock:
//
//	v, _ := x.byName.Load(name)
//	v.(map[string]int)[key] = n // elsewhere: v.(map[string]int)[key]
//
// The sync.Map guards what it holds, not what that holds.
func (s *search) innerOfSync() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, v := range s.innerVars() {
		for _, w := range s.innerUses[v] {
			if !w.writes || w.body != s.body {
				continue
			}
			others, own := []innerUse{}, []innerUse{}
			for _, r := range s.innerUses[v] {
				if r.body == s.body {
					own = append(own, r)
				} else {
					others = append(others, r)
				}
			}
			for _, r := range append(others, own...) {
				if r.locks || r.body == w.body && (w.locks || r.writes == w.writes && !s.shared.Entered(s.body) && !s.shared.Launched(s.body)) {
					continue
				}
				if _, strong, _ := s.shared.RivalsAmong(r.body, access.Var{Obj: v}, map[*accesses.Body]bool{w.body: true}); !strong {
					continue
				}
				a := &access.Access{Var: access.Var{Obj: v}, Func: s.body.Fn, Expr: w.of, Cell: w.of}
				c := s.direct("testuse", "sync-map", a, w.at.Pos(), r.at.Pos())
				c.Roles = [2]string{"a map that it holds is changed", "one is looked into"}
				c.Message = fmt.Sprintf("%s is a map that %s holds, and is changed here while %s can look into it without a lock: the sync.Map guards the values, not what is in them", types.ExprString(w.of), v.Name(), r.body.Fn.Name)
				s.tell(c, &occurrence{Access: a}, a)
				return
			}
		}
	}
}

// innerUse is where a function of the package changes a plain map that is a value of a sync.Map, or looks
// into it; locks says that the function takes some lock, or is called with one held.
type innerUse struct {
	body   *accesses.Body
	of     ast.Expr // the map
	at     ast.Node
	writes bool
	locks  bool
}

// innerVars are the sync.Maps whose inner maps are used, in the order of the source.
func (s *search) innerVars() []*types.Var {
	if s.innerUses == nil {
		s.innerUses = map[*types.Var][]innerUse{}
		current := s.bodyState
		for _, b := range s.pkg.Bodies {
			if b.Func != nil && !s.shared.Constructing(b) {
				s.bodyState = s.states[b]
				s.noteInner()
			}
		}
		s.bodyState = current
	}
	var list []*types.Var
	for v := range s.innerUses {
		at := len(list)
		for at > 0 && list[at-1].Pos() > v.Pos() {
			at--
		}
		list = append(list[:at], append([]*types.Var{v}, list[at:]...)...)
	}
	return list
}

// noteInner adds the uses in the body and its literals.
func (s *search) noteInner() {
	takes := len(s.locks.Entry(s.body)) > 0
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			takes = takes || isSel && (sel.Sel.Name == "Lock" || sel.Sel.Name == "RLock")
		}
		return !takes
	})
	changed := map[ast.Expr]bool{}
	note := func(of ast.Expr, at ast.Node, writes bool) {
		if v := s.heldBySync(of, 0); v != nil {
			s.innerUses[v] = append(s.innerUses[v], innerUse{s.body, of, at, writes, takes})
		}
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if x, ok := ast.Unparen(l).(*ast.IndexExpr); ok && n.Tok != token.DEFINE {
					changed[x] = true
					note(x.X, n, true)
				}
			}
		case *ast.IncDecStmt:
			if x, ok := ast.Unparen(n.X).(*ast.IndexExpr); ok {
				changed[x] = true
				note(x.X, n, true)
			}
		case *ast.CallExpr:
			if id := identOf(n.Fun); id != nil && id.Name == "delete" && s.pkg.Info.Types[id].IsBuiltin() && len(n.Args) == 2 {
				note(n.Args[0], n, true)
			}
		case *ast.IndexExpr:
			if !changed[n] {
				note(n.X, n, false)
			}
		case *ast.RangeStmt:
			note(n.X, n.X, false)
		}
		return true
	})
}

// heldBySync is the sync.Map, in a field or of the package, from which the map was taken by Load and a type
// assertion, be it in a local; or nil.
func (s *search) heldBySync(e ast.Expr, depth int) *types.Var {
	if t := s.pkg.Info.TypeOf(e); depth > 3 || t == nil {
		return nil
	} else if _, isMap := t.Underlying().(*types.Map); !isMap {
		return nil
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return s.loadedFromSync(e.X)
	case *ast.Ident:
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(e)] {
			if d.value == nil || ast.Unparen(d.value) == ast.Expr(e) {
				continue
			}
			if v := s.heldBySync(d.value, depth+1); v != nil {
				return v
			}
		}
	}
	return nil
}

// loadedFromSync is the sync.Map of which Load has returned the value.
func (s *search) loadedFromSync(e ast.Expr) *types.Var {
	var calls []ast.Expr
	if id := identOf(e); id != nil {
		for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
			calls = append(calls, d.value)
		}
	} else {
		calls = append(calls, e)
	}
	for _, x := range calls {
		call, ok := ast.Unparen(x).(*ast.CallExpr)
		if !ok {
			continue
		}
		fn := s.locks.Callee(call)
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if fn != nil && isSel && (fn.FullName() == "(*sync.Map).Load" || fn.FullName() == "(*sync.Map).LoadOrStore") {
			return s.variable(sel.X)
		}
	}
	return nil
}
