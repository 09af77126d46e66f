package section

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// askedBefore is the look, by a method that does no more than poll a channel of the object, that
// decides whether the body comes to reg, with where another function closes the channel and
// goes through the list.
func (s *search) askedBefore(reg *occurrence) (*occurrence, *occurrence, *accesses.Body) {
	all := s.closersOfAll()
	for _, ch := range slices.SortedFunc(maps.Keys(all), func(a, b access.Var) int { return int(a.Obj.Pos() - b.Obj.Pos()) }) {
		if all[ch][s.body].call != nil {
			continue
		}
		for block, conds := range s.body.Conds {
			for _, cond := range conds {
				call, ok := ast.Unparen(cond).(*ast.CallExpr)
				if not, isNot := ast.Unparen(cond).(*ast.UnaryExpr); isNot {
					call, ok = ast.Unparen(not.X).(*ast.CallExpr)
				}
				if !ok {
					continue
				}
				read := s.polledBy(call, ch)
				if read == nil {
					continue
				}
				asked := *read
				asked.Expr, asked.Stmt = call, nil
				look := &occurrence{Access: &asked, block: block, place: accesses.Place{Root: reg.place.Root, Path: "." + ch.Obj.Name()}, via: call, origin: read, at: read.Pos(), held: s.heldAtCall(call), outer: s.heldAtCall(call)}
				if decides, _ := s.decides(block, reg.block); !decides || s.receiverOf(call).Root != reg.place.Root || look.held.Any() || s.pollsAgain(call, reg, ch) {
					continue
				}
				if set, in := s.endsAll(ch, reg.Var.Obj); set != nil {
					return look, set, in
				}
			}
		}
	}
	return nil, nil, nil
}

// pollsAgain says whether the channel is looked at once more after the call and before the
// body is done.
func (s *search) pollsAgain(call *ast.CallExpr, reg *occurrence, ch access.Var) bool {
	return s.meanwhile(call.End(), s.body.Block.End(), func(ev accesses.Event, held locks.Set) bool {
		if !held.Any() && s.before(ev, reg) {
			return false
		}
		again, ok := ev.Node.(*ast.CallExpr)
		if ok && ev.Kind == accesses.OnCall && s.polledBy(again, ch) != nil {
			return true
		}
		u, ok := ev.Node.(*ast.UnaryExpr)
		return ok && ev.Kind == accesses.OnReceive && s.variable(u.X) == ch.Obj
	})
}

// polledBy is where the method that is called looks at the channel of its receiver, which is
// all it does; nil if it is no such method.
func (s *search) polledBy(call *ast.CallExpr, ch access.Var) *access.Access {
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	if b == nil || b.Func.Signature().Recv() == nil || len(b.Block.List) > 2 || len(b.Block.List) == 0 {
		return nil
	}
	poll, ok := b.Block.List[0].(*ast.SelectStmt)
	if !ok {
		return nil
	}
	for _, o := range s.stateOf(b).order {
		if o.Mode != atomicity.Read || o.Var != ch || o.via != nil || o.place.Root != types.Object(b.Func.Signature().Recv()) {
			continue
		}
		if received, _, _ := s.poll(poll, o.place); received != nil && received.Pos() == o.Pos() {
			return o.Access
		}
	}
	return nil
}

// heldAtCall is what is held where the call is made.
func (s *search) heldAtCall(call *ast.CallExpr) locks.Set {
	var set locks.Set
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Kind == accesses.OnCall && ev.Node == ast.Node(call) {
			set = held
		}
	})
	return set
}
