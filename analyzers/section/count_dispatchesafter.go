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

// dispatchesAfter finds methods by which an object ends that wait for a sync.WaitGroup, and only then end what a
// loop has its work from which counts in the group and starts goroutines:
//
//	func (q *Queue) Close() { q.running.Wait(); q.timer.Stop() }
//	for job := range q.timer.C() { q.running.Add(1); go func() { defer q.running.Done(); q.do(job) }() }
//
// Nothing has told the loop of the end by then: what it starts after the wait runs on with what has been ended,
// and nobody waits for it.
func (s *search) dispatchesAfter() {
	fn := s.body.Func
	if fn == nil || !fn.Exported() || !endings.MatchString(fn.Name()) || fn.Signature().Recv() == nil || s.shared.Sequential(s.body) {
		return
	}
	recv := types.Object(fn.Signature().Recv())
	waits := s.groupCalls("Wait")
	if len(waits) != 1 {
		return // where there are two, the second one waits for the rest
	}
	wait := waits[0]
	if on := s.pkg.PlaceOf(wait.on); wait.group == nil || !wait.group.IsField() || on.Root != recv || wait.held.Any() || s.actsBefore(recv, wait.call) {
		return
	}
	for _, st := range s.body.Block.List {
		source, end := s.endOfSource(st, recv)
		if source == nil || st.Pos() < wait.call.End() {
			continue
		}
		for _, b := range s.pkg.Bodies {
			add := s.startsFrom(b, source, wait.group)
			if add == nil || b.Outermost() == s.body || !s.shared.Spawned(b) || s.waitsBetween(s.body, wait.call.End(), end.Pos()) {
				continue
			}
			a := &access.Access{Var: access.Var{Obj: wait.group}, Mode: atomicity.Read, Func: s.body.Fn, Expr: wait.on, Cell: wait.on}
			c := s.direct("testuse", "use-after-unlock", a, wait.call.Pos(), add.Pos())
			c.Roles = [2]string{"waited for", "counted in"}
			c.Message = fmt.Sprintf("%s can start another goroutine after %s and before %s, which ends what it has its work from: that one runs on with what is ended, and nobody waits for it",
				b.Fn.Name, types.ExprString(wait.call), types.ExprString(end))
			s.tell(c, &occurrence{Access: a, place: s.pkg.PlaceOf(wait.on)}, a)
			return
		}
	}
}

// actsBefore says whether the body does something with the object before the call, or waits, or hands something
// on: it may tell somebody of the end.
func (s *search) actsBefore(recv types.Object, call *ast.CallExpr) bool {
	acts := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || acts || n.Pos() >= call.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.Ident:
			acts = s.pkg.Info.Uses[n] == recv
		case *ast.CallExpr:
			acts = s.closeOf(n) != nil || s.pkg.ByFunc[s.locks.Callee(n)] != nil || endings.MatchString(calledName(n)) || ownEndings.MatchString(calledName(n))
		case *ast.GoStmt, *ast.DeferStmt, *ast.SendStmt, *ast.SelectStmt:
			acts = true
		case *ast.UnaryExpr:
			acts = n.Op == token.ARROW
		}
		return !acts
	})
	return acts
}

// endOfSource is the field of the object that the statement ends, by a method of its or by closing it, and the call.
func (s *search) endOfSource(st ast.Stmt, recv types.Object) (*types.Var, *ast.CallExpr) {
	var call *ast.CallExpr
	switch st := st.(type) {
	case *ast.ExprStmt:
		call, _ = ast.Unparen(st.X).(*ast.CallExpr)
	case *ast.AssignStmt:
		if len(st.Rhs) == 1 {
			call, _ = ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
		}
	case *ast.ReturnStmt:
		if len(st.Results) == 1 {
			call, _ = ast.Unparen(st.Results[0]).(*ast.CallExpr)
		}
	}
	if call == nil {
		return nil, nil
	}
	of := s.closeOf(call)
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); of == nil && ok && (endings.MatchString(sel.Sel.Name) || ownEndings.MatchString(sel.Sel.Name)) {
		of = sel.X
	}
	if of == nil {
		return nil, nil
	}
	if pl := s.pkg.PlaceOf(of); pl.Root != recv || pl.Field() == nil || pl.Path != "."+pl.Field().Name() {
		return nil, nil
	}
	return s.variable(of), call
}

// startsFrom is where a loop of the body, over what comes from the channel in the field, or from one that a method
// of it returns, counts in the group, and starts a goroutine.
func (s *search) startsFrom(b *accesses.Body, source, group *types.Var) (add *ast.CallExpr) {
	ast.Inspect(b.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if _, lit := n.(*ast.FuncLit); lit || add != nil {
			return false
		}
		if !ok {
			return true
		}
		from := ast.Unparen(loop.X)
		if call, isCall := from.(*ast.CallExpr); isCall {
			if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && len(call.Args) == 0 {
				from = sel.X
			}
		}
		t := s.pkg.Info.TypeOf(loop.X)
		if t == nil || s.variable(from) != source {
			return true
		}
		if _, isChan := t.Underlying().(*types.Chan); !isChan {
			return true
		}
		starts := false
		var counts *ast.CallExpr
		for _, st := range loop.Body.List {
			switch st := st.(type) {
			case *ast.GoStmt:
				starts = starts || counts != nil
			case *ast.ExprStmt:
				if call, isCall := ast.Unparen(st.X).(*ast.CallExpr); isCall {
					if v, _ := s.groupOf(call, "Add"); v == group {
						counts = call
					}
				}
			}
		}
		if starts {
			add = counts
		}
		return true
	})
	return add
}
