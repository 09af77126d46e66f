package shared

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// findPhases finds the couples of roots, of goroutines that one function starts in one place each, where it
// waits for those of the first place before it comes to the second:
//
//	for _, s := range shards { wg.Go(s.prepare) }
//	wg.Wait()
//	for i := range parts { wg.Go(func() { merge(&parts[i]) }) }
//	wg.Wait()
//
// Two calls of the function at once, on the same objects, are not thought of.
func (r *Result) findPhases() {
	startedBy := map[*accesses.Body][]int{}
	for id := range r.roots {
		if len(r.spawnedIn[id]) == 1 && counted(r.spawnedIn[id][0]) {
			if from := r.bodyOf(r.spawnedIn[id][0]); from != nil && r.joinsIn(from, from.Block.Pos(), from.Block.End()) {
				startedBy[from] = append(startedBy[from], id)
			}
		}
	}
	r.phases = map[[2]int]bool{}
	for from, list := range startedBy {
		for _, x := range list {
			for _, y := range list {
				if x != y && r.waitsBetween(from, r.spawnedIn[x][0], r.spawnedIn[y][0]) {
					r.phases[[2]int{x, y}], r.phases[[2]int{y, x}] = true, true
				}
			}
		}
	}
}

// waitsBetween says whether the body waits after the loop, or the statement, in which the first goroutine is started,
// and before that of the second.
func (r *Result) waitsBetween(from *accesses.Body, first, second ast.Node) bool {
	begin, end := first.End(), second.Pos()
	if loop := innermostLoop(from, first); loop != nil {
		begin = loop.End()
	}
	if loop := innermostLoop(from, second); loop != nil {
		end = loop.Pos()
	}
	return begin < end && r.joinsIn(from, begin, end)
}

// counted says whether somebody can wait for the goroutine: a group starts it, or it calls Done.
func counted(at ast.Node) bool {
	start, ok := at.(*ast.GoStmt)
	if !ok {
		return true
	}
	found := false
	ast.Inspect(start, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "Done" {
			found = true
		}
		return !found
	})
	return found
}

// joinsIn says whether the body calls something named Wait between the two places, and in any case.
func (r *Result) joinsIn(b *accesses.Body, from, to token.Pos) bool {
	for _, st := range b.Block.List {
		if st.Pos() < from || to < st.End() {
			continue
		}
		var call ast.Expr
		switch st := st.(type) {
		case *ast.ExprStmt:
			call = st.X
		case *ast.AssignStmt:
			if len(st.Rhs) == 1 {
				call = st.Rhs[0]
			}
		case *ast.IfStmt: // if err := g.Wait(); err != nil
			if set, ok := st.Init.(*ast.AssignStmt); ok && len(set.Rhs) == 1 {
				call = set.Rhs[0]
			}
		}
		if x, ok := call.(*ast.CallExpr); ok {
			if fn := r.locks.Callee(x); fn != nil && fn.Name() == "Wait" {
				return true
			}
		}
	}
	return false
}
