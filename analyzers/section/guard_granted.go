package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// statesGranted are the states of the object that a method of it has found under a lock, which
// the body has called on the way to o: it returns an error otherwise, and the body does not
// come to o then.
func (s *search) statesGranted(o *occurrence) []stateSeen {
	var list []stateSeen
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || !s.alwaysComesFrom(&occurrence{block: block, index: index}, o) {
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			b := s.pkg.ByFunc[s.locks.Callee(call)]
			to := s.values.taken[call]
			if !ok || b == nil || b == s.body || b.Func.Signature().Recv() == nil || len(to) == 0 || s.pkg.PlaceOf(sel.X) != o.place.Object() {
				continue
			}
			err, ok := ast.Unparen(to[len(to)-1]).(*ast.Ident)
			if !ok {
				continue
			}
			if obj := s.pkg.Info.ObjectOf(err); obj != nil && isError(obj.Type()) && s.errorFound(obj, s.assignedAt(obj, call), o, false) {
				list = append(list, s.statesOfSuccess(b, o)...)
			}
		}
	}
	return list
}

// assignedAt is where the result of the call is assigned to the local.
func (s *search) assignedAt(local types.Object, call *ast.CallExpr) token.Pos {
	for _, d := range s.values.assigns[local] {
		if ast.Unparen(d.value) == ast.Expr(call) {
			return d.at
		}
	}
	return s.pkg.Order(call.End())
}

// statesOfSuccess are the states of its receiver that the method has found whenever it returns
// no error, as its caller sees them at o.
func (s *search) statesOfSuccess(b *accesses.Body, o *occurrence) []stateSeen {
	recv := b.Func.Signature().Recv()
	path := strings.TrimPrefix(o.place.Path, o.place.Object().Path)
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	var common []stateSeen
	first := true
	for block, events := range b.Events {
		for index, ev := range events {
			if ev.Kind != accesses.OnReturn || s.failsThere(ev, block, index) {
				continue
			}
			there := s.statesAt(&occurrence{Access: &access.Access{Var: o.Var}, block: block, index: index, place: accesses.Place{Root: recv, Path: path}})
			there = slices.DeleteFunc(there, func(x stateSeen) bool {
				return x.at.Mode != atomicity.Read || !first && !slices.ContainsFunc(common, func(y stateSeen) bool {
					return x.at.Var == y.at.Var && x.equal == y.equal && x.value.Kind() == y.value.Kind() && x.has(y.value)
				})
			})
			common, first = there, false
		}
	}
	return common
}

// failsThere says whether what returns there returns an error for sure.
func (s *search) failsThere(ev accesses.Event, block, index int) bool {
	ret, ok := ev.Node.(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	switch e := ast.Unparen(ret.Results[len(ret.Results)-1]).(type) {
	case *ast.CallExpr:
		fn := s.locks.Callee(e)
		return fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "fmt" && fn.Name() == "Errorf" || fn.Pkg().Path() == "errors" && fn.Name() == "New")
	case *ast.SelectorExpr:
		v, ok := s.pkg.Info.Uses[e.Sel].(*types.Var)
		return ok && accesses.IsGlobal(v) && isError(v.Type())
	case *ast.Ident:
		v, ok := s.pkg.Info.Uses[e].(*types.Var)
		if !ok || !isError(v.Type()) {
			return false
		}
		last := token.NoPos
		for _, d := range s.values.assigns[v] {
			if d.at <= s.pkg.Order(e.Pos()) {
				last = d.at
			}
		}
		return accesses.IsGlobal(v) || s.errorFound(v, last, &occurrence{block: block, index: index}, true)
	}
	return (&finding{search: s}).makes(ret.Results[len(ret.Results)-1])
}
