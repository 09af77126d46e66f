package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// servesAfter finds methods that store in a field of their object, without a lock, and then take in
// what comes until the object is closed, where the method that closes it looks under the lock of the
// object whether the field is set:
//
//	func (s *Server) Serve(ln net.Listener) error { s.ln = ln; for { c, err := ln.Accept(); … } }
//
//	func (s *Server) Close() error { s.mu.Lock(); defer s.mu.Unlock(); if s.ln == nil { return errIdle }; … }
//
// As the first one does not return before, the second one is called by another goroutine.
func (s *search) servesAfter() {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || s.shared.Constructing(s.body) || !s.shared.Entered(s.body) {
		return
	}
	recv := fn.Signature().Recv()
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || len(w.held) > 0 || !w.Var.Obj.IsField() || w.place.Root != types.Object(recv) || s.nils(w) || s.saidHere(w) {
			continue
		}
		if !s.servesBelow(s.body, w, 0) {
			continue
		}
		r := s.lookedAtToClose(w)
		if r.occurrence == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), r.Pos())
		c.Roles = [2]string{"stored without the lock", "looked at with it"}
		c.Message = fmt.Sprintf("%s is stored here without %s, with which %s looks at it: that is called by another goroutine, as this method returns only when it has been",
			types.ExprString(w.Expr), anyOf(r.held), r.body.Fn.Name)
		s.tell(c, w, r.Access)
		return
	}
}

// servesBelow says whether the body, or a function that it calls after the write, has a loop without
// end in which it accepts.
func (s *search) servesBelow(b *accesses.Body, after *occurrence, depth int) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if found || after != nil && n.Pos() < after.Pos() {
				return !found
			}
			if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && accepting.MatchString(sel.Sel.Name) && forever(b.Block, n) {
				found = true
				return false
			}
			if callee := s.locks.Callee(n); callee != nil && depth < 3 {
				if below := s.pkg.ByFunc[callee]; below != nil && below != b {
					found = s.servesBelow(below, nil, depth+1)
				}
			}
		}
		return !found
	})
	return found
}

// lookedAtToClose is where a method that ends the object compares the field with nil under a lock of
// the object.
func (s *search) lookedAtToClose(w *occurrence) placed {
	for _, k := range s.ownAccesses(w.Var) {
		fn := k.body.Func
		if k.Mode != atomicity.Read || fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || fn.Signature().Recv() == nil || k.body.Outermost() == s.body.Outermost() {
			continue
		}
		looks := false
		s.inState(k.body, func() {
			looks = s.comparedWithNil(k.occurrence) && s.reachOf(k.occurrence) != shared.Private
		})
		if !looks {
			continue
		}
		for _, l := range locksOf(k.held) {
			if l.Root == k.place.Root && k.held[l] != locks.Possible {
				return k
			}
		}
	}
	return placed{}
}
