package section

import (
	"fmt"
	"go/ast"
	"go/types"
)

// endsAsWell finds functions that close a channel at their end in any case, while a goroutine which they
// have started closes it too, because of an error of its own:
//
//	go func() {
//		if err := src.Copy(lines); err != nil {
//			close(out)
//		}
//	}()
//	for l := range lines { out <- l }
//	close(out)
//
// What ends the goroutine mostly ends the function as well, and the second close panics.
func (s *search) endsAsWell() {
	if s.recovers() {
		return
	}
	atEnd := s.closedInAnyCase()
	if len(atEnd) == 0 {
		return
	}
	for _, st := range s.body.Block.List {
		g, ok := st.(*ast.GoStmt)
		if !ok {
			continue
		}
		lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
		b := s.pkg.ByNode[lit]
		if !ok || b == nil || recoversIn(lit) {
			continue
		}
		told := false
		s.inState(b, func() {
			for _, c := range append(s.closeCalls(), s.deferredCloses()...) {
				v, isVar := c.channel.place.Root.(*types.Var)
				end := atEnd[v]
				if told || !isVar || end == nil || c.channel.place.Path != "" || len(c.held) > 0 || s.replacedHere(c) || s.lookedAt(c) != nil || inLoop(lit.Body, c.call) || !s.ownErrorAlone(c) || s.saidLooked(c.call) {
					continue
				}
				told = true
				d := s.direct("testuse", "double-close", c.channel.Access, c.call.Pos(), end.Pos())
				d.Name = v.Name()
				d.Roles = [2]string{"closed", "closed as well"}
				d.Message = fmt.Sprintf("%s is closed here, and by the function that has started this goroutine when it ends: nothing chooses one of them, and the second close panics", v.Name())
				s.tell(d, c.channel, c.channel.Access)
			}
		})
		if told {
			return
		}
	}
}

// closedInAnyCase are the channels, in locals or parameters that are given no other one, which the body closes
// in any case: by a deferred call, or by a statement of its block that no return comes before.
func (s *search) closedInAnyCase() map[*types.Var]ast.Node {
	list := map[*types.Var]ast.Node{}
	returned := false
	for _, st := range s.body.Block.List {
		var call ast.Node
		switch st := st.(type) {
		case *ast.DeferStmt:
			call = st.Call
		case *ast.ExprStmt:
			if !returned {
				call = st.X
			}
		}
		if ch := s.closeOf(call); ch != nil {
			id := identOf(ch)
			if id == nil {
				continue
			}
			if v, ok := s.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && !isPackageLevel(v) && len(s.values.assigns[v]) <= 1 {
				list[v] = call
			}
		}
		ast.Inspect(st, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt, *ast.BranchStmt:
				returned = true
			}
			return true
		})
	}
	return list
}
