package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// ownPosition finds positions of what was appended to a list that are computed from its
// length in a later critical section, where others may have appended theirs as well:
//
//	x.push(v)                       // x.vecs = append(x.vecs, v), under x.mu
//	x.mu.Lock()
//	x.slot[id] = len(x.vecs) - 1    // under x.mu
func (s *search) ownPosition() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, v := range n.Rhs {
				s.positionKept(v)
			}
		case *ast.ReturnStmt:
			for _, v := range n.Results {
				s.positionKept(v)
			}
		case *ast.KeyValueExpr:
			s.positionKept(n.Value)
		}
		return true
	})
}

// positionKept reports value, which is kept, if it is the place of the last element of a
// list to which the body has appended in an earlier critical section.
func (s *search) positionKept(value ast.Expr) {
	minus, ok := ast.Unparen(value).(*ast.BinaryExpr)
	if !ok || minus.Op != token.SUB {
		return
	}
	one, isOne := ast.Unparen(minus.Y).(*ast.BasicLit)
	call, isCall := ast.Unparen(minus.X).(*ast.CallExpr)
	if !isOne || one.Value != "1" || !isCall || len(call.Args) != 1 {
		return
	}
	for _, r := range s.order {
		if r.Mode != atomicity.Read || r.Kind != access.Cell || !r.Var.Obj.IsField() || !isSlice(r.Var.Obj.Type()) || !r.held.Any() || s.reachOf(r) < shared.Meant ||
			r.via == nil && ast.Unparen(call.Args[0]) != r.Expr || r.via != nil && r.via != call {
			continue
		}
		if slices.ContainsFunc(s.order, func(w *occurrence) bool {
			return w.Mode == atomicity.Write && w.Var == r.Var && (s.oneHold(w, r) || s.oneHold(r, w))
		}) {
			continue
		}
		for _, grown := range s.order {
			if grown.Mode != atomicity.Write || grown.Var != r.Var || grown.place != r.place || grown.later || grown.depth > 1 || !appends(s.pkg.Info, grown) ||
				!s.leadsTo(grown, r) || s.leadsTo(r, grown) || s.oneHold(grown, r) {
				continue
			}
			class := ""
			for _, l := range locksOf(grown.held) {
				if grown.held[l] == locks.Exclusive && r.lockOf(locks.ClassOf(l)).Valid() {
					class = l.String()
				}
			}
			if class == "" {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, r.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			c := s.direct("testuse", "unlock-relock", grown.source(), grown.Pos(), r.Pos())
			c.Via, c.EndVia = grown.via, r.via
			c.Protected = class
			c.Roles = [2]string{"appended to", "asked for its length"}
			c.Message = fmt.Sprintf("another goroutine can append to %s before its length is asked for, as %s is released in between: the last element is that one's then", grown.place, class)
			s.tell(c, r, grown.source())
			return
		}
	}
}
