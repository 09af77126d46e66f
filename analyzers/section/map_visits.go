package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// visit is a walk through all entries of a sync.Map.
type visit struct {
	place      accesses.Place
	key, value types.Object
	body       *ast.BlockStmt
	held       locks.Set // at the call
}

// visits are the walks of the body searched: m.Range(func(k, v any) bool {…}), the like of
// it by a method that calls Range, and for k, v := range m.Range.
func (s *search) visits() []visit {
	var list []visit
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || len(call.Args) == 0 {
			return
		}
		lit, isLit := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.FuncLit)
		if !isLit || lit.Type.Params.NumFields() != 2 {
			return
		}
		var names []types.Object
		for _, field := range lit.Type.Params.List {
			for _, id := range field.Names {
				names = append(names, s.pkg.Info.ObjectOf(id))
			}
		}
		if pl := s.rangedOver(call.Fun); pl.Valid() && len(names) == 2 {
			list = append(list, visit{pl, names[0], names[1], lit.Body, held})
		}
	})
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || loop.Key == nil || loop.Value == nil {
			return true
		}
		key, isKey := loop.Key.(*ast.Ident)
		value, isValue := loop.Value.(*ast.Ident)
		if pl := s.rangedOver(loop.X); pl.Valid() && isKey && isValue {
			list = append(list, visit{pl, s.pkg.Info.ObjectOf(key), s.pkg.Info.ObjectOf(value), loop.Body, nil})
		}
		return true
	})
	return list
}

// rangedOver is the sync.Map whose method fun is, if that goes through its entries.
func (s *search) rangedOver(fun ast.Expr) accesses.Place {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return accesses.Place{}
	}
	fn, _ := s.pkg.Info.ObjectOf(sel.Sel).(*types.Func)
	if fn == nil || fn.Signature().Recv() == nil {
		return accesses.Place{}
	}
	if fn.FullName() == "(*sync.Map).Range" {
		for _, o := range s.order {
			if o.Kind == access.SyncMap && o.Method == "Range" && o.via == nil && ast.Unparen(o.Expr).Pos() == sel.Pos() {
				return o.place
			}
		}
		return s.pkg.PlaceOf(sel.X)
	}
	b := s.pkg.ByFunc[fn.Origin()]
	if b == nil {
		return accesses.Place{}
	}
	for _, o := range s.stateOf(b).order {
		if o.Kind == access.SyncMap && o.Method == "Range" && o.via == nil && o.place.Root == types.Object(b.Func.Signature().Recv()) {
			pl := s.pkg.PlaceOf(sel.X)
			pl.Path += o.place.Path
			return pl
		}
	}
	return accesses.Place{}
}

// foundOld is the condition of the visit by which gone deletes the key of an entry that it
// has looked at, there or by way of a list: it asks for times.
func (s *search) foundOld(v visit, gone *occurrence) ast.Expr {
	key := gone.Key
	if gone.via != nil {
		if key = gone.keyArg; key == nil && len(gone.via.Args) > 0 {
			key = gone.via.Args[0]
		}
	}
	if inside(v.body, gone) {
		if s.isOf(key, v.key, 0) {
			return s.timely(v, gone.Pos())
		}
		return nil
	}
	if sel, ok := ast.Unparen(key).(*ast.SelectorExpr); ok {
		key = sel.X
	}
	id, ok := ast.Unparen(key).(*ast.Ident)
	if !ok {
		return nil
	}
	for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] { // for _, k := range list
		list, ok := ast.Unparen(d.value).(*ast.Ident)
		if !ok {
			continue
		}
		for _, add := range s.values.assigns[s.pkg.Info.ObjectOf(list)] {
			call, ok := ast.Unparen(add.value).(*ast.CallExpr)
			if !ok || call.Pos() < v.body.Pos() || v.body.End() < call.End() || len(call.Args) != 2 {
				continue
			}
			if s.isOf(call.Args[1], v.key, 0) || s.isOf(call.Args[1], v.value, 0) {
				return s.timely(v, call.Pos())
			}
		}
	}
	return nil
}

func inside(body *ast.BlockStmt, o *occurrence) bool {
	return body.Pos() <= o.Pos() && o.Pos() < body.End()
}

// isOf says whether e is the object, converted or not, or a local that holds it.
func (s *search) isOf(e ast.Expr, obj types.Object, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		return s.isOf(e.X, obj, depth)
	case *ast.CallExpr:
		tv := s.pkg.Info.Types[e.Fun]
		return tv.IsType() && len(e.Args) == 1 && s.isOf(e.Args[0], obj, depth)
	case *ast.Ident:
		if s.pkg.Info.ObjectOf(e) == obj {
			return true
		}
		list := s.values.assigns[s.pkg.Info.ObjectOf(e)]
		return depth < 3 && len(list) == 1 && s.isOf(list[0].value, obj, depth+1)
	}
	return false
}

// timely is a condition of the visit, ahead of the position, that asks for a time in
// the entry's value.
func (s *search) timely(v visit, at token.Pos) ast.Expr {
	var by ast.Expr
	ast.Inspect(v.body, func(n ast.Node) bool {
		var conds []ast.Expr
		switch branch := n.(type) {
		case *ast.IfStmt:
			conds = []ast.Expr{branch.Cond}
		case *ast.SwitchStmt:
			if branch.Tag != nil {
				conds = []ast.Expr{branch.Tag}
				break
			}
			for _, c := range branch.Body.List {
				conds = append(conds, c.(*ast.CaseClause).List...)
			}
		}
		for _, cond := range conds {
			if by == nil && cond.Pos() < at && s.madeOfObject(cond, v.value, 0) && s.byClock(cond, 0) {
				by = cond
			}
		}
		return by == nil
	})
	return by
}

// madeOfObject says whether the object is mentioned in e, or in what its locals hold.
func (s *search) madeOfObject(e ast.Expr, obj types.Object, depth int) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || found {
			return !found
		}
		local := s.pkg.Info.ObjectOf(id)
		found = local == obj
		for _, d := range s.values.assigns[local] {
			found = found || depth < 3 && s.madeOfObject(d.value, obj, depth+1)
		}
		return !found
	})
	return found
}
