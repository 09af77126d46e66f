package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// lockedEachTurn finds loops over a map or slice that take the lock which guards it in each turn, and so go
// from one element to the next without it:
//
//	for _, s := range b.scopes {
//		b.mu.RLock()
//		report(s)
//		b.mu.RUnlock()
//	}
//
// while others change b.scopes under b.mu.
func (s *search) lockedEachTurn() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		loop, ok := n.(*ast.RangeStmt)
		if !ok || len(loop.Body.List) < 3 {
			return true
		}
		first, last := loop.Body.List[0], loop.Body.List[len(loop.Body.List)-1]
		lock := s.lockCall(first, "RLock")
		if lock != "" && s.lockCall(last, "RUnlock") != lock {
			return true
		} else if lock == "" {
			if lock = s.lockCall(first, "Lock"); lock == "" || s.lockCall(last, "Unlock") != lock {
				return true
			}
		}
		e := s.loopRead(loop)
		place := s.pkg.PlaceOf(first.(*ast.ExprStmt).X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X)
		if e == nil || e.held.Any() || !place.Valid() || place.Root != e.place.Root || s.reachOf(e) == shared.Private {
			return true
		}
		w, in := s.collectionChanged(e.Var.Obj, locks.ClassOf(place))
		if w == nil {
			return true
		}
		c := s.direct("discipline", "unguarded-access", e.Access, e.Pos(), w.Pos())
		c.Roles = [2]string{"gone through", "changed"}
		c.Message = fmt.Sprintf("the loop goes through %s without %s, which it takes in each turn: %s, which holds it, can change %s between two turns", types.ExprString(loop.X), lock, in.Name, e.Var.Obj.Name())
		s.tell(c, e, e.Access)
		return true
	})
}

// loopRead is the read of the field that the loop goes through.
func (s *search) loopRead(loop *ast.RangeStmt) *occurrence {
	switch s.values.underlying(loop.X).(type) {
	case *types.Map, *types.Slice:
	default:
		return nil
	}
	for _, o := range s.order {
		if o.Mode == atomicity.Read && o.via == nil && ast.Unparen(loop.X) == o.Expr && o.Var.Obj.IsField() {
			return o
		}
	}
	return nil
}

// collectionChanged is a write of the field, or of what it contains, by another function that holds a lock of the class
// alone.
func (s *search) collectionChanged(field *types.Var, class string) (*occurrence, *access.Function) {
	if class == "" {
		return nil, nil
	}
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for _, o := range s.stateOf(b).order {
			if o.Var.Obj == field && o.Mode == atomicity.Write && o.via == nil && o.heldAs(class) == locks.Exclusive && writesItself(o) {
				return o, b.Fn
			}
		}
	}
	return nil, nil
}

// writesItself says whether o changes the collection: an entry of a map, or a slice as a whole.
func writesItself(o *occurrence) bool {
	if _, isMap := o.Var.Obj.Type().Underlying().(*types.Map); isMap {
		return o.Kind == access.MapElement || o.Kind == access.MapWhole || o.Kind == access.Cell
	}
	return o.Kind == access.Cell && !o.Var.Contents
}
