package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// validatedApart finds functions that compare entries of a map with what was remembered of
// them, refuse to go on where one is another by now, and store entries in a later critical
// section without comparing again: two that have read the same both go on.
//
//	x.mu.RLock()
//	for k, version := range tx.reads {
//		if x.rows[k].version != version { x.mu.RUnlock(); return errConflict }
//	}
//	x.mu.RUnlock(); …; x.mu.Lock()
//	for k, v := range tx.writes { x.rows[k] = row{v, x.rows[k].version + 1} }
func (s *search) validatedApart() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.shared.Single(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	for _, r := range s.order {
		if r.Mode != atomicity.Read || r.Kind != access.MapElement || r.via != nil || !r.held.Any() || s.reachOf(r) == shared.Private {
			continue
		}
		cond, block, edge := s.validates(r)
		if cond == nil {
			continue
		}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.Kind != access.MapElement || w.Method == "delete" || w.Var != r.Var || w.place != r.place || w.later || !s.leadsTo(r, w) || s.leadsTo(w, r) || s.oneHold(r, w) {
				continue
			}
			class := lockOfBoth(w, r)
			if at := w.lockOf(class); class == "" || !at.Valid() || w.held[at] != locks.Exclusive {
				continue
			}
			if decides, goesOn := s.decides(block, w.block); !decides || goesOn != edge || s.validatesAgain(w) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, w.Var, map[*accesses.Body]bool{s.body: true}); !strong {
				continue
			}
			if slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Sure && c.Name == s.pkg.Name(r.Var) && c.Pos == r.Pos() }) {
				return
			}
			c := s.direct("testuse", "unlock-relock", r.Access, cond.Pos(), w.Pos())
			c.Protected = w.lockOf(class).String()
			c.Roles = [2]string{"compared", "stored"}
			if w.via != nil {
				c.EndVia, c.EndWithin = w.via, w.where()
			}
			c.Message = fmt.Sprintf("two goroutines can both find %s as it was and store in it: %s is released in between, and nothing is compared again",
				types.ExprString(r.Cell), c.Protected)
			s.tell(c, r, w.source())
			return
		}
	}
}

// validates is the comparison of what r reads with something remembered where the body
// returns an error, or false, if they differ; its block, and the edge on which they do not.
func (s *search) validates(r *occurrence) (cond ast.Expr, block, edge int) {
	for block, conds := range s.body.Conds {
		succs := s.body.CFG.Blocks[block].Succs
		if len(conds) != 1 || len(succs) != 2 {
			continue
		}
		for edge := range succs {
			if !s.turnsAway(succs[1-edge].Nodes) {
				continue
			}
			for _, p := range surely(conds[0], edge == 0) {
				b, ok := ast.Unparen(p.cond).(*ast.BinaryExpr)
				if !ok || (b.Op != token.EQL || !p.holds) && (b.Op != token.NEQ || p.holds) {
					continue
				}
				if s.readBy(b.X, r) && s.isRemembered(b.Y, r) || s.readBy(b.Y, r) && s.isRemembered(b.X, r) {
					return conds[0], block, edge
				}
			}
		}
	}
	return nil, 0, 0
}

// readBy says whether e is what r has read, or a field of it.
func (s *search) readBy(e ast.Expr, r *occurrence) bool {
	return s.values.of(e)[r.Access] || s.values.of(s.values.copyWith(e))[r.Access]
}

// isRemembered says whether e is a variable that does not come from the map now.
func (s *search) isRemembered(e ast.Expr, r *occurrence) bool {
	tv := s.pkg.Info.Types[e]
	if tv.Value != nil || tv.IsNil() || isBoolean(tv.Type) {
		return false
	}
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
	default:
		return false
	}
	for a := range s.values.of(e) {
		if a.Var == r.Var {
			return false
		}
	}
	return true
}

// turnsAway says whether the nodes of a block end in the return of an error, or of false.
func (s *search) turnsAway(nodes []ast.Node) bool {
	if s.returnsError(nodes) {
		return true
	}
	if len(nodes) == 0 {
		return false
	}
	ret, ok := nodes[len(nodes)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	last := ret.Results[len(ret.Results)-1]
	return isBoolean(s.pkg.Info.TypeOf(last)) && s.pkg.Info.Types[last].Value != nil && s.unsets(last)
}

// validatesAgain says whether something of the map, or of the object, that the critical
// section of w has read decides about it.
func (s *search) validatesAgain(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Read && o.place.Root == w.place.Root && s.oneHold(o, w) && s.decided(s.testsOf(o.Access, false), w.block) && !isWalk(o)
	})
}

// isWalk says whether o is the read by which a loop goes through a map or list.
func isWalk(o *occurrence) bool {
	return o.Kind == access.MapWhole && o.Method == "range" || o.Kind == access.Cell && isContainer(o.Var.Obj.Type())
}
