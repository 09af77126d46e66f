package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lengthAsked finds a method that returns the element of a slice at an index, called with
// one that another method, which returns how long the slice is, has bounded: each takes
// the lock on its own, and who makes the slice shorter in between leaves the index out of
// range:
//
//	for i := 0; i < list.Len(); i++ { use(list.At(i)) }
func (s *search) lengthAsked() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	var lengths, elements []*askedCall
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() {
			return
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		b := s.pkg.ByFunc[s.locks.Callee(call)]
		if !isSel || b == nil || b.Func.Signature().Recv() == nil || !s.pkg.PlaceOf(sel.X).Valid() {
			return
		}
		if o := s.returnsLength(b); o != nil {
			lengths = append(lengths, &askedCall{call, s.pkg.PlaceOf(sel.X), o, 0})
		}
		if o, i := s.returnsElement(b); o != nil && i < len(call.Args) {
			elements = append(elements, &askedCall{call, s.pkg.PlaceOf(sel.X), o, i})
		}
	})
	for _, n := range lengths {
		for _, at := range elements {
			if n.on != at.on || n.read.Var.Obj != at.read.Var.Obj || !s.boundedBy(at, n) {
				continue
			}
			in := s.shortens(at.read)
			if in == nil {
				continue
			}
			c := s.direct("testuse", "unlock-relock", n.read.Access, n.call.Pos(), at.call.Pos())
			c.Via, c.EndVia = n.call, at.call
			c.Within, c.EndWithin = n.read.Pos(), at.read.Pos()
			c.Roles = [2]string{"measured", "indexed"}
			c.Message = fmt.Sprintf("%s is asked how long it is, and for an element under the lock taken anew: %s can make it shorter in between, and the index is out of range",
				s.pkg.Name(n.read.Var), in.Fn.Name)
			s.tell(c, n.read, at.read.Access)
			return
		}
	}
}

// An askedCall is a call, on an object, of a method that makes the access with the object's
// lock held; for an element, arg is the argument that is its index.
type askedCall struct {
	call *ast.CallExpr
	on   accesses.Place
	read *occurrence
	arg  int
}

// returnsLength is the access to a slice of the receiver of which the method returns the
// length, under a lock of its own; or nil.
func (s *search) returnsLength(b *accesses.Body) *occurrence {
	list := b.Block.List
	if len(list) == 0 || len(list) > 5 {
		return nil
	}
	ret, ok := list[len(list)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil
	}
	ret = s.pkg.PlainReturn(ret)
	call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if bi, ok := s.pkg.Info.Uses[identOf(call.Fun)].(*types.Builtin); !ok || bi.Name() != "len" {
		return nil
	}
	for _, o := range s.states[b].order {
		if o.via == nil && o.Mode == atomicity.Read && o.Expr == ast.Unparen(call.Args[0]) && o.place.Root == types.Object(b.Func.Signature().Recv()) && isSlice(s.pkg.Info.TypeOf(o.Expr)) && o.held.Any() {
			return o
		}
	}
	return nil
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := ast.Unparen(e).(*ast.Ident)
	return id
}

// returnsElement is the access to the element of a slice of the receiver, under a lock of
// its own, whose index is a parameter that the method does not look at; and which one.
func (s *search) returnsElement(b *accesses.Body) (*occurrence, int) {
	for _, o := range s.states[b].order {
		x, ok := ast.Unparen(o.Expr).(*ast.IndexExpr)
		if !ok || o.via != nil || o.Kind != access.Element || o.place.Root != types.Object(b.Func.Signature().Recv()) || !o.held.Any() {
			continue
		}
		id := identOf(x.Index)
		if id == nil || !o.Var.Obj.IsField() {
			continue
		}
		i := 0
		for p := range b.Func.Signature().Params().Variables() {
			if types.Object(p) == s.pkg.Info.ObjectOf(id) && !s.looksAtParam(b, p) {
				return o, i
			}
			i++
		}
	}
	return nil, 0
}

// looksAtParam says whether a condition in the body mentions the parameter, or it is set.
func (s *search) looksAtParam(b *accesses.Body, p *types.Var) bool {
	for _, conds := range b.Conds {
		for _, c := range conds {
			if s.mentions(c, p) {
				return true
			}
		}
	}
	return len(s.states[b].values.assigns[p]) > 0
}

// boundedBy says whether the length that n returns bounds the index at which at asks for an
// element: by a loop, by a test around, or since the index is made of it.
func (s *search) boundedBy(at, n *askedCall) bool {
	index := at.call.Args[at.arg]
	length := func(e ast.Expr) bool {
		found := false
		ast.Inspect(e, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.CallExpr:
				found = found || m == n.call
			case *ast.Ident:
				list := s.values.assigns[s.pkg.Info.ObjectOf(m)]
				found = found || len(list) == 1 && ast.Unparen(list[0].value) == ast.Expr(n.call)
			}
			return !found
		})
		return found
	}
	if length(index) {
		return true
	}
	id := identOf(index)
	if id == nil {
		return false
	}
	i := s.pkg.Info.ObjectOf(id)
	found := false
	ast.Inspect(s.body.Block, func(m ast.Node) bool {
		if m == nil || found || at.call.Pos() < m.Pos() || m.End() < at.call.End() {
			return m != nil && !found && m.Pos() <= at.call.Pos() && at.call.End() <= m.End()
		}
		var cond ast.Expr
		switch m := m.(type) {
		case *ast.ForStmt:
			cond = m.Cond
		case *ast.IfStmt:
			cond = m.Cond
		case *ast.RangeStmt:
			key := identOf(m.Key)
			found = key != nil && s.pkg.Info.ObjectOf(key) == i && length(m.X)
		}
		if cond == nil {
			return !found
		}
		ast.Inspect(cond, func(c ast.Node) bool {
			b, ok := c.(*ast.BinaryExpr)
			if ok && (b.Op == token.LSS || b.Op == token.LEQ || b.Op == token.GTR || b.Op == token.GEQ || b.Op == token.NEQ) {
				found = found || s.mentions(b.X, i) && length(b.Y) || s.mentions(b.Y, i) && length(b.X)
			}
			return !found
		})
		return !found
	})
	return found
}

// shortens is a function other than this one that cuts the slice, or empties it, while this
// one runs.
func (s *search) shortens(at *occurrence) *accesses.Body {
	for _, k := range s.ownAccesses(access.Var{Obj: at.Var.Obj}) {
		if k.Mode != atomicity.Write || k.Kind != access.Cell || k.body.Outermost() == s.body.Outermost() {
			continue
		}
		for _, v := range stored(k.Access) {
			cuts := s.pkg.Info.Types[v].IsNil()
			ast.Inspect(v, func(n ast.Node) bool {
				x, ok := n.(*ast.SliceExpr)
				cuts = cuts || ok && s.variable(x.X) == at.Var.Obj
				return !cuts
			})
			if !cuts {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, access.Var{Obj: at.Var.Obj}, map[*accesses.Body]bool{k.body: true}); strong {
				return k.body
			}
		}
	}
	return nil
}
