package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// onceCopied finds channels that are closed by way of a sync.Once which is a copy, as of a struct
// that is the value of a map:
//
//	v, _ := r.peers.Load(id)
//	p := v.(peer) // no pointer
//	p.once.Do(func() { close(p.gone) })
//
// The copies have one channel between them, but each has a Once of its own, or one as it was when
// it was copied: the second one closes the channel again.
func (s *search) onceCopied() {
	if s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	for block, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(call.Args) != 1 {
				continue
			}
			sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			fn := s.locks.Callee(call)
			lit, isLit := ast.Unparen(call.Args[0]).(*ast.FuncLit)
			if !isSel || !isLit || fn == nil || fn.FullName() != "(*sync.Once).Do" {
				continue
			}
			field, isField := ast.Unparen(sel.X).(*ast.SelectorExpr)
			if !isField || pointers(s.pkg.Info.TypeOf(field)) {
				continue
			}
			id := identOf(field.X)
			if id == nil || !s.isCopy(id) || s.comesByTest(id, block) {
				continue
			}
			ch := s.closedOf(lit, s.pkg.Info.ObjectOf(id))
			if ch == nil || s.variable(ch) == nil {
				continue
			}
			a := &access.Access{Var: access.Var{Obj: s.variable(ch)}, Mode: atomicity.Read, Func: s.body.Fn, Expr: ch, Cell: ch}
			c := s.direct("testuse", "double-close", a, call.Pos(), ch.Pos())
			c.Roles = [2]string{"left to a copy of the Once", "closed"}
			c.Message = fmt.Sprintf("%s is a copy: its sync.Once does not know of those of other copies, which close %s as well", id.Name, types.ExprString(ch))
			s.tell(c, &occurrence{Access: a, place: s.pkg.PlaceOf(ch)}, a)
			return
		}
	}
}

// isCopy says whether the variable is a struct, no pointer to one, that is given to a function,
// or is set once, to what is found in a map, or what an interface holds.
func (s *search) isCopy(id *ast.Ident) bool {
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) {
		return false
	}
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	for b := s.body; b != nil; b = b.Parent {
		if hasParameter(b.Type(s.pkg.Info), v) || b.Func != nil && types.Object(b.Func.Signature().Recv()) == types.Object(v) {
			return true
		}
	}
	copied, others := false, false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if !s.isObject(l, v) {
					continue
				}
				if i > 0 && len(n.Rhs) != len(n.Lhs) {
					others = true
					continue
				}
				switch ast.Unparen(n.Rhs[min(i, len(n.Rhs)-1)]).(type) {
				case *ast.TypeAssertExpr, *ast.IndexExpr, *ast.StarExpr:
					copied = true
				default:
					others = true
				}
			}
		case *ast.UnaryExpr:
			others = others || n.Op == token.AND && s.isObject(n.X, v) // kept elsewhere
		case *ast.RangeStmt:
			copied = copied || n.Value != nil && s.isObject(n.Value, v)
		}
		return true
	})
	return copied && !others
}

// comesByTest says whether a test of another field of the variable decides about the block: it may
// tell whether the channel is closed.
func (s *search) comesByTest(id *ast.Ident, block int) bool {
	obj := s.pkg.Info.ObjectOf(id)
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok || test == block {
			continue
		}
		for _, c := range conds {
			if obj != nil && s.mentions(c, obj) {
				return true
			}
		}
	}
	return false
}

// closedOf is the channel, a field of the object, that the literal closes, or nil.
func (s *search) closedOf(lit *ast.FuncLit, of types.Object) (ch ast.Expr) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if e := s.closeOf(n); e != nil {
			if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok && s.isObject(sel.X, of) {
				ch = e
			}
		}
		return ch == nil
	})
	return ch
}
