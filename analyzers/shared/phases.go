package shared

import (
	"go/ast"
	"go/token"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// inPhases says whether the two roots are of goroutines that one function starts in one place each, and
// that it waits for those of the first place before it comes to the second:
//
//	for _, s := range shards { wg.Go(s.prepare) }
//	wg.Wait()
//	for i := range parts { wg.Go(func() { merge(&parts[i]) }) }
//	wg.Wait()
//
// Two calls of the function at once, on the same objects, are not thought of.
func (r *Result) inPhases(x, y int) bool {
	if x == y || len(r.spawnedIn[x]) != 1 || len(r.spawnedIn[y]) != 1 {
		return false
	}
	first, second := r.spawnedIn[x][0], r.spawnedIn[y][0]
	if first.Pos() > second.Pos() {
		first, second = second, first
	}
	from := r.bodyOf(first)
	if from == nil || from != r.bodyOf(second) || !counted(first) {
		return false
	}
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
