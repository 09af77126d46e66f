package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// usedAfterPut finds objects that are used after they were put back into a sync.Pool, one step later:
//
//	r.pool.Put(r)
//	r.pool = nil
//
// The next goroutine that takes the object from the pool has it by then.
func (s *search) usedAfterPut() {
	if !s.importsSync() {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(call.Args) != 1 {
				continue
			}
			fn := s.locks.Callee(call)
			id := identOf(call.Args[0])
			if fn == nil || fn.FullName() != "(*sync.Pool).Put" || id == nil {
				continue
			}
			v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
			if !ok || accesses.IsGlobal(v) {
				continue
			}
			if _, pointer := v.Type().Underlying().(*types.Pointer); !pointer {
				continue
			}
			if o := s.nextUse(v, block, index, call); o != nil && !isReturn(o.Stmt) { // see pooledBytes
				c := s.direct("testuse", "guarded-escape", o.Access, o.Pos(), call.Pos())
				c.Roles = [2]string{"used", "put back into the pool"}
				c.Message = fmt.Sprintf("%s is used here after %s was put back into the pool: the next goroutine that takes it from there has it already", types.ExprString(o.Expr), id.Name)
				s.tell(c, o, o.Access)
				return
			}
		}
	}
}

// nextUse is what the block does next to a field of the object that v points to, before it is another one; or nil.
func (s *search) nextUse(v *types.Var, block, index int, put *ast.CallExpr) *occurrence {
	var next *occurrence
	for _, o := range s.order {
		if o.block == block && o.index > index && o.via == nil && !o.lit && !o.later && o.Base == v && o.Pos() > put.End() && (next == nil || o.index < next.index) {
			next = o
		}
	}
	if next == nil {
		return nil
	}
	for _, ev := range s.body.Events[block][index:next.index] {
		if assign, ok := ev.Node.(*ast.AssignStmt); ok && ev.Kind == accesses.OnAssign {
			for _, l := range assign.Lhs {
				if id := identOf(l); id != nil && s.pkg.Info.ObjectOf(id) == types.Object(v) {
					return nil // another one
				}
			}
		}
	}
	return next
}

func isReturn(s ast.Stmt) bool {
	_, ok := s.(*ast.ReturnStmt)
	return ok
}
