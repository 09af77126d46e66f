package section

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
)

// nilAlone is the test that alone decides about closing c, whether the channel is nil, where
// nobody sets it to nil again:
//
//	func (s *Session) Close() {
//		if s.done != nil { // as it was for the call before
//			close(s.done)
//		}
//	}
//
// It provides for an object that was never started. That a second call does not come is
// nothing that the method of a library can count on.
func (s *search) nilAlone(c closeCall) ast.Expr {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) || !s.endsForOthers(fn) ||
		c.held.Holds(locks.Once) || s.inSelect(c.call) || inLoop(s.body.Block, c.call) || s.recovers() || len(s.nilledIn(c.channel.Var)) > 0 || !s.saysNothing(fn) || s.pollsToLeave(c.call) {
		return nil
	}
	if slices.ContainsFunc(s.order, func(o *occurrence) bool { // the channel, or a whole that it is in
		return o.place.Root == c.channel.place.Root && strings.HasPrefix(c.channel.place.Path, o.place.Path) && o.Mode == atomicity.Write && o.via == nil
	}) {
		return nil
	}
	var look ast.Expr
	for block, conds := range s.body.Conds {
		if decides, _ := s.decides(block, c.block); !decides {
			continue
		}
		for _, cond := range conds {
			b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
			if !ok || look != nil || !s.pkg.Info.Types[b.Y].IsNil() || s.pkg.PlaceOf(b.X) != c.channel.place {
				return nil
			}
			look = cond
		}
	}
	if slices.ContainsFunc(s.found, func(d *Candidate) bool { return d.Sure && look != nil && d.Pos == look.Pos() }) {
		return nil // told already
	}
	return look
}

// pollsToLeave says whether the body polls some channel before the call, and returns if it is closed, as for one that
// has ended already: select { case <-s.ctx.Done(): return; default: }.
func (s *search) pollsToLeave(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok || s.pkg.Order(sel.Pos()) > s.pkg.Order(call.Pos()) {
			return !found
		}
		for _, clause := range sel.Body.List {
			comm, ok := clause.(*ast.CommClause)
			found = found || ok && comm.Comm != nil && leavesForGood(comm.Body)
		}
		return !found
	})
	return found
}

// endsForOthers says whether fn, or an exported method that calls it whatever the state of its
// object, ends an object of an exported type that other modules can have.
func (s *search) endsForOthers(fn *types.Func) bool {
	path := "/" + s.pkg.Types.Path() + "/"
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	if s.pkg.Types.Name() == "main" || strings.Contains(path, "/internal/") || tn == nil || !tn.Exported() {
		return false
	}
	if fn.Exported() {
		return endings.MatchString(fn.Name())
	}
	return s.calledToEnd(fn) != nil
}
