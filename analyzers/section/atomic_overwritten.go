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

// overwritesSync finds fields of type sync.Map or sync.Pool, or of one of sync/atomic, that an exported method
// overwrites as a whole, by a plain assignment and without any lock, while others use their methods:
//
//	func (c *cache) Clear()                     { c.entries = sync.Map{} }
//	func (c *cache) Get(key string) (any, bool) { return c.entries.Load(key) }
//
// The types are for concurrent use by their methods; their memory is not: who is inside finds a part of the
// old and a part of the new one.
func (s *search) overwritesSync() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || !s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.shared.SetsGoing(s.body) || s.shared.UsedByOne(s.body) || s.readies() || fn.Name() == "New" {
		return
	}
	for at := range ast.Preorder(s.body.Block) {
		assign, ok := at.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN || len(assign.Lhs) != 1 {
			continue
		}
		place := s.pkg.PlaceOf(assign.Lhs[0])
		v, of := place.Field(), syncType(s.pkg.Info.TypeOf(assign.Lhs[0]))
		if v == nil || of == nil || place.Root != types.Object(fn.Signature().Recv()) || unshared.MatchString(fn.Name()) && of.Name() != "Map" || s.locksAhead(assign.Pos()) {
			continue
		}
		use, in := s.methodUsed(v)
		if use == nil {
			continue
		}
		a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Write, Func: s.body.Fn, Expr: assign.Lhs[0], Cell: assign.Lhs[0]}
		c := s.direct("discipline", "mixed-atomic-plain", a, assign.Pos(), use.Pos())
		c.Roles = [2]string{"overwritten", "used"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is overwritten as a whole here, by a plain assignment, while %s may be using it: %s.%s is safe for goroutines by its methods alone", types.ExprString(a.Expr), in.Fn.Name, of.Pkg().Name(), of.Name())
		s.tell(c, &occurrence{Access: a, place: place}, a)
		return
	}
}

// syncType is the type, if it is one that goroutines may share by its methods and that holds a state.
func syncType(t types.Type) *types.TypeName {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	tn := named.Obj()
	switch tn.Pkg().Path() {
	case "sync":
		if tn.Name() == "Map" || tn.Name() == "Pool" {
			return tn
		}
	case "sync/atomic":
		return tn
	}
	return nil
}

// methodUsed is a call of a method of the field by another function that outside callers or goroutines run, and
// which takes no lock before.
func (s *search) methodUsed(v *types.Var) (ast.Node, *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) || !s.shared.Entered(b) && !s.shared.Spawned(b) {
			continue
		}
		var used ast.Node
		ast.Inspect(b.Block, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || used != nil {
				return used == nil
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && s.pkg.PlaceOf(sel.X).Field() == v {
				used = call
			}
			return true
		})
		if used == nil {
			continue
		}
		locks := false
		s.inState(b, func() { locks = s.locksAhead(used.Pos()) })
		if !locks {
			return used, b
		}
	}
	return nil, nil
}

// locksAhead says whether the body takes a lock, of whatever object, before the place, or is called with one.
func (s *search) locksAhead(at token.Pos) bool {
	decl, ok := s.body.Outermost().Node.(*ast.FuncDecl)
	return ok && accesses.SaysLocked(decl) || takesLock(s.body.Block, at)
}
