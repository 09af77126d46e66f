package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// firstOfHeap finds the first element of a heap that is looked at under its lock, used while the
// lock is released, here or by what is called, and taken out later, without a look at what is
// the first by then, where others push such as come before it:
//
//	next := q.items[0]
//	q.mu.Unlock(); q.run(next); q.mu.Lock()
//	heap.Pop(&q.items) // Add: heap.Push(&q.items, x)
func (s *search) firstOfHeap() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, look := range s.order {
		lock, local := locksOf(look.held), s.firstIn(look)
		if local == nil || len(lock) == 0 || s.reachOf(look) == shared.Private {
			continue
		}
		var gone *ast.CallExpr
		s.onward(look, func(block, index int, ev accesses.Event, kept locks.Set) bool {
			if gone != nil || kept.Any() {
				return gone != nil
			}
			switch ev.Kind {
			case accesses.OnCall:
				call := ev.Node.(*ast.CallExpr)
				if s.popsHeap(call) == look.Var.Obj && s.handedBetween(local, look, call) {
					gone = call
				}
				if slices.ContainsFunc(s.calls[call], func(o *occurrence) bool { return s.looksAtFirst(o, look) }) {
					return true
				}
			case accesses.OnAccess:
				if o := s.occ[ev.Access]; o != nil && s.looksAtFirst(o, look) {
					return true
				}
			}
			return index == len(s.body.Events[block])-1 && slices.ContainsFunc(s.body.Conds[block], func(c ast.Expr) bool { return s.mentions(c, local) })
		})
		if gone == nil {
			continue
		}
		in := s.pushedIn(look.Var)
		if in == nil {
			continue
		}
		c := s.direct("testuse", "unlock-relock", look.Access, look.Pos(), gone.Pos())
		c.Protected = lock[0].String()
		c.Roles = [2]string{"looked at", "taken out"}
		c.Message = fmt.Sprintf("what is taken out of %s need not be %s, which was its first when it was looked at here: %s is released in between, and %s can push another one",
			s.pkg.Name(access.Var{Obj: look.Var.Obj}), local.Name(), lock[0], in.Fn.Name)
		s.tell(c, look, look.Access)
		return
	}
}

// firstIn is the local that the first element, which the access reads, is kept in, or nil.
func (s *search) firstIn(look *occurrence) types.Object {
	if look.Mode != atomicity.Read || look.Kind != access.Element || look.via != nil || !s.isFirst(look.Expr) {
		return nil
	}
	for obj, list := range s.values.assigns {
		if slices.ContainsFunc(list, func(d assignment) bool { return ast.Unparen(d.value) == ast.Unparen(look.Expr) }) {
			return obj
		}
	}
	return nil
}

func (s *search) isFirst(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	tv := s.pkg.Info.Types[x.Index]
	return tv.Value != nil && constant.Compare(tv.Value, token.EQL, constant.MakeInt64(0))
}

// looksAtFirst says whether the access, here or in what is called, reads an element of the heap.
func (s *search) looksAtFirst(o, look *occurrence) bool {
	return o.Mode == atomicity.Read && o.Kind == access.Element && o.Var == look.Var
}

// handedBetween says whether a call between the two is given the local, or made on it.
func (s *search) handedBetween(local types.Object, look *occurrence, gone *ast.CallExpr) bool {
	used := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && look.Pos() < call.Pos() && call.End() < gone.Pos() && s.mentions(call, local) {
			used = true
		}
		return !used
	})
	return used
}

// popsHeap is the field or variable from which the call takes the first element of a heap, and
// drops it, or nil.
func (s *search) popsHeap(call *ast.CallExpr) *types.Var {
	fn := s.locks.Callee(call)
	first := fn != nil && fn.Name() == "Remove" && len(call.Args) == 2 && s.pkg.Info.Types[call.Args[1]].Value != nil
	if v := s.heapOf(call); v != nil && (fn.Name() == "Pop" || first) && s.isStatement(call) {
		return v
	}
	return nil
}

// heapOf is the field or variable that the function of container/heap is called with, or nil.
func (s *search) heapOf(call *ast.CallExpr) *types.Var {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "container/heap" || len(call.Args) == 0 {
		return nil
	}
	arg := ast.Unparen(call.Args[0])
	if u, ok := arg.(*ast.UnaryExpr); ok && u.Op == token.AND {
		arg = u.X
	}
	return s.variable(arg)
}

// pushedIn is another function, which can run meanwhile, that pushes an element, or nil.
func (s *search) pushedIn(heap access.Var) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || s.heapOf(call) != heap.Obj || s.locks.Callee(call).Name() != "Push" {
					continue
				}
				if _, strong, _ := s.shared.RivalsAmong(s.body, heap, map[*accesses.Body]bool{b: true}); strong {
					return b
				}
			}
		}
	}
	return nil
}
