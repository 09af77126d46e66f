package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// growth is what a method does to its receiver.
type growth struct {
	grown  map[types.Object]bool // the fields that it adds to
	looked map[types.Object]bool // the fields of any object that it looks at
}

func (g growth) adds(fields map[types.Object]bool) bool { return meet(g.grown, fields) }

func (g growth) looksAt(fields map[types.Object]bool) bool { return meet(g.looked, fields) }

func meet(a, b map[types.Object]bool) bool {
	for v := range a {
		if b[v] {
			return true
		}
	}
	return false
}

// growthOf is the growth by the method, or by the methods of the receiver that it calls.
func (s *search) growthOf(fn *types.Func) growth {
	if g, ok := s.growths[fn]; ok {
		return g
	}
	g := growth{map[types.Object]bool{}, map[types.Object]bool{}}
	s.growths[fn] = g // recursion adds nothing
	b, recv := s.pkg.ByFunc[fn], fn.Signature().Recv()
	if b == nil || recv == nil {
		return g
	}
	current := s.bodyState
	s.bodyState = s.stateOf(b)
	defer func() { s.bodyState = current }()
	for _, o := range s.order {
		switch {
		case o.Mode == atomicity.Read:
			g.looked[o.Var.Obj] = true
		case o.via == nil && o.place.Root == types.Object(recv) && s.isGrowth(o):
			g.grown[o.Var.Obj] = true
		}
	}
	for _, events := range b.Events {
		for _, ev := range events {
			switch n := ev.Node.(type) {
			case *ast.SendStmt:
				if v := s.fieldOfReceiver(n.Chan, recv); v != nil && ev.Kind == accesses.OnSend {
					g.grown[v] = true
				}
			case *ast.CallExpr:
				if ev.Kind == accesses.OnCall {
					s.growthBy(n, recv, g)
				}
			}
		}
	}
	return g
}

// growthBy adds what a call inside the method does.
func (s *search) growthBy(call *ast.CallExpr, recv *types.Var, g growth) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	fn := s.locks.Callee(call)
	if !ok || fn == nil || fn.Signature().Recv() == nil {
		return
	}
	if v := s.fieldOfReceiver(sel.X, recv); v != nil && countable(v.Type()) && s.pkg.ByFunc[fn] == nil {
		for _, name := range []string{"Push", "Insert", "Store", "LoadOrStore"} {
			if strings.HasPrefix(fn.Name(), name) {
				g.grown[v] = true
			}
		}
	}
	if pl := s.pkg.PlaceOf(sel.X); pl.Root == types.Object(recv) && pl.Path == "" {
		called := s.growthOf(fn)
		maps.Copy(g.grown, called.grown)
		maps.Copy(g.looked, called.looked)
	}
}

// fieldOfReceiver is the field of the receiver that e is, or nil.
func (s *search) fieldOfReceiver(e ast.Expr, recv *types.Var) *types.Var {
	if pl := s.pkg.PlaceOf(e); pl.Root == types.Object(recv) && pl.Path != "" {
		return s.variable(e)
	}
	return nil
}

// isGrowth says whether the write adds to what is there: it counts up, appends, or
// stores an entry.
func (s *search) isGrowth(o *occurrence) bool {
	switch o.Kind {
	case access.Atomic:
		return s.step(o) > 0
	case access.MapElement:
		return o.Method == ""
	case access.SyncMap:
		return o.Method == "Store" || o.Method == "LoadOrStore"
	}
	switch stmt := o.Stmt.(type) {
	case *ast.IncDecStmt:
		return stmt.Tok == token.INC
	case *ast.AssignStmt:
		if stmt.Tok == token.ADD_ASSIGN {
			return true
		}
	}
	values := stored(o.Access)
	if len(values) != 1 {
		return false
	}
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || id.Name != "append" || !s.pkg.Info.Types[call.Fun].IsBuiltin() {
		return false
	}
	// append(x[:i], x[i+1:]...) removes, append(y, x...) puts something ahead
	return !call.Ellipsis.IsValid() || len(call.Args) == 2 && types.ExprString(call.Args[1]) == types.ExprString(o.Cell)
}
