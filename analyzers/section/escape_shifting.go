package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// movers are functions of the packages slices and sort that move elements in place.
var movers = pattern.New(`^(slices\.(Delete|DeleteFunc|Insert|Compact|CompactFunc|Replace|Reverse|Sort|SortFunc|SortStableFunc)|sort\.(Slice|SliceStable|Strings|Ints))$`)

// shiftOf is where another function moves elements of the slice with a lock of the class
// held, and that function.
func (s *search) shiftOf(v access.Var, class string) (ast.Node, *accesses.Body) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		if !slices.ContainsFunc(s.order, func(o *occurrence) bool {
			return o.Var == v && o.via == nil && o.held[o.lockOf(class)] == locks.Exclusive && s.reachOf(o) != shared.Private
		}) {
			continue
		}
		var shift ast.Node
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if _, isLit := n.(*ast.FuncLit); isLit || shift != nil {
				return false
			}
			switch n := n.(type) {
			case *ast.CallExpr:
				if s.moves(n, v) {
					shift = n
				}
			case *ast.AssignStmt: // s[i] = s[len(s)-1]
				for i, l := range n.Lhs {
					to, isElem := ast.Unparen(l).(*ast.IndexExpr)
					if !isElem || len(n.Lhs) != len(n.Rhs) || !s.partOf(to.X, v, 0) {
						continue
					}
					if from, isElem := ast.Unparen(n.Rhs[i]).(*ast.IndexExpr); isElem && s.partOf(from.X, v, 0) {
						shift = to
					}
				}
				if refill := s.rebuiltInPlace(n, v); refill != nil && shift == nil {
					shift = refill
				}
			}
			return true
		})
		if shift != nil {
			return shift, b
		}
	}
	return nil, nil
}

// moves says whether the call moves elements of the array that the variable refers to.
func (s *search) moves(call *ast.CallExpr, v access.Var) bool {
	if len(call.Args) == 0 {
		return false
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && s.pkg.Info.Types[call.Fun].IsBuiltin() {
		switch {
		case id.Name == "copy":
			return s.partOf(call.Args[0], v, 0) && s.partOf(call.Args[1], v, 0)
		case id.Name == "append" && len(call.Args) > 1:
			x, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
			if !ok {
				return s.refills(call.Args[0], v)
			}
			return !x.Slice3 && x.High != nil && s.partOf(x.X, v, 0) && s.keepsArray(call, x)
		}
		return false
	}
	fn := s.locks.Callee(call)
	return fn != nil && fn.Pkg() != nil && movers.MatchString(fn.Pkg().Name()+"."+fn.Name()) && s.partOf(call.Args[0], v, 0)
}

// keepsArray says whether the call takes elements out: append(s[:i], s[i+1:]...).
func (s *search) keepsArray(call *ast.CallExpr, x *ast.SliceExpr) bool {
	if !call.Ellipsis.IsValid() {
		return false
	}
	rest, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.SliceExpr)
	return ok && types.ExprString(rest.X) == types.ExprString(x.X)
}

// rebuiltInPlace is where the body appends to the slice that the statement has cut to nothing,
// so that what comes anew stands in the array of what was there before: x.list = x.list[:0];
// x.list = append(x.list, …). It is nil for other statements.
func (s *search) rebuiltInPlace(cut *ast.AssignStmt, v access.Var) ast.Expr {
	if len(cut.Lhs) != 1 || len(cut.Rhs) != 1 || cut.Tok != token.ASSIGN || !s.partOf(cut.Lhs[0], v, 0) {
		return nil
	}
	x, ok := ast.Unparen(cut.Rhs[0]).(*ast.SliceExpr)
	if !ok || x.Slice3 || x.High == nil || !s.zero(x.High) || !s.partOf(x.X, v, 0) || types.ExprString(x.X) != types.ExprString(cut.Lhs[0]) {
		return nil
	}
	var refill ast.Expr
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, isLit := n.(*ast.FuncLit); isLit || refill != nil {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < cut.End() || len(call.Args) < 2 {
			return true
		}
		id, ok := ast.Unparen(call.Fun).(*ast.Ident)
		if ok && id.Name == "append" && s.pkg.Info.Types[call.Fun].IsBuiltin() && types.ExprString(call.Args[0]) == types.ExprString(cut.Lhs[0]) {
			refill = call
		}
		return true
	})
	return refill
}

// refills says whether e is a local that begins as v[:0], to which elements are appended.
func (s *search) refills(e ast.Expr, v access.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	return slices.ContainsFunc(s.values.assigns[s.pkg.Info.ObjectOf(id)], func(d assignment) bool {
		x, ok := ast.Unparen(d.value).(*ast.SliceExpr)
		return ok && !x.Slice3 && x.High != nil && types.ExprString(x.High) == "0" && s.partOf(x.X, v, 0)
	})
}

// partOf says whether e is the slice that the variable holds, or a part of it, or a local
// that is always such.
func (s *search) partOf(e ast.Expr, v access.Var, depth int) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SliceExpr:
		return s.partOf(e.X, v, depth)
	case *ast.SelectorExpr:
		return !v.Contents && s.variable(e) == v.Obj
	case *ast.IndexExpr:
		return v.Contents && s.variable(e.X) == v.Obj
	case *ast.Ident:
		list := s.values.assigns[s.pkg.Info.ObjectOf(e)]
		if len(list) == 0 || depth > 2 {
			return false
		}
		return !slices.ContainsFunc(list, func(d assignment) bool { return !d.plain || !s.partOf(d.value, v, depth+1) })
	}
	return false
}
