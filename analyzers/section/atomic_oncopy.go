package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// onCopy finds functions of sync/atomic that work on a local which nobody else can reach, and which
// was copied from what others share:
//
//	busy := s.busy[name]
//	if atomic.CompareAndSwapUint32(&busy, 0, 1) { s.busy[name] = 1; … }
//
// Each goroutine has a copy of its own: all of them find it free. Asked for is that the copy is
// stored back, or swapped.
func (s *search) onCopy() {
	if s.shared.Constructing(s.body) {
		return
	}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, _ locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		name, local := s.atomicOn(call)
		if local == nil || s.values.assigns[local] == nil || !s.onlyAtomically(local) {
			return
		}
		for _, d := range s.values.assigns[local] {
			for _, read := range s.order {
				if read.Mode != atomicity.Read || read.via != nil || read.Expr != ast.Unparen(d.value) || read.Kind != access.Cell && read.Kind != access.MapElement ||
					read.held.Any() || s.reachOf(read) == shared.Private {
					continue
				}
				s.tellOfCopy(read, call, name)
				return
			}
		}
	})
}

// tellOfCopy reports the operation on the copy, if goroutines can meet at what it was copied from: that
// they do, the author says by the very operation.
func (s *search) tellOfCopy(read *occurrence, call *ast.CallExpr, name string) {
	var back *occurrence
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.via == nil && w.Kind == read.Kind && w.sameInstance(read) && s.leadsTo(read, w) && w.Pos() > call.Pos() && back == nil {
			back = w
		}
	}
	if back == nil && !strings.HasPrefix(name, "CompareAndSwap") {
		return
	}
	if ok, _, _ := s.rivals(read.Var); !ok {
		return
	}
	c := s.direct("loadstore", "atomic-load-and-store", read.Access, read.Pos(), call.Pos())
	c.Pattern = atomicity.LoadAndStore
	c.Roles = [2]string{"copied", "changed in the copy"}
	c.Message = fmt.Sprintf("%s works on a copy of %s that only this goroutine has: two goroutines can both find it as it was; keep a pointer there, or a value of an atomic type",
		name, types.ExprString(read.Expr))
	s.tell(c, read, read.Access)
}

// atomicOn is the name of the function of sync/atomic that depends on what is in a local of the body and
// changes it, and the local.
func (s *search) atomicOn(call *ast.CallExpr) (string, types.Object) {
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || fn.Signature().Recv() != nil || len(call.Args) == 0 || strings.HasPrefix(fn.Name(), "Load") || strings.HasPrefix(fn.Name(), "Store") {
		return "", nil
	}
	addr, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return "", nil
	}
	id, ok := ast.Unparen(addr.X).(*ast.Ident)
	if !ok {
		return "", nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || isPackageLevel(v) || v.Pos() < s.body.Block.Pos() || v.Pos() > s.body.Block.End() {
		return "", nil
	}
	return fn.Name(), v
}

// onlyAtomically says whether no literal uses the local, and its address is given to nobody but the
// functions of sync/atomic.
func (s *search) onlyAtomically(local types.Object) bool {
	own := true
	ast.PreorderStack(s.body.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || s.pkg.Info.ObjectOf(id) != local {
			return own
		}
		for i, outer := range stack {
			switch outer := outer.(type) {
			case *ast.FuncLit:
				own = false
			case *ast.UnaryExpr:
				if outer.Op == token.AND {
					call, ok := stack[i-1].(*ast.CallExpr)
					if !ok {
						own = false
					} else if name, on := s.atomicOn(call); on != local && name == "" {
						fn := s.locks.Callee(call)
						own = own && fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic"
					}
				}
			}
		}
		return own
	})
	return own
}
