package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// sentKept finds slices that are handed to another goroutine, on a channel or as an argument of a go
// statement, while who hands them over keeps their array and fills it again:
//
//	batch = append(batch, x)
//	if len(batch) == size {
//		out <- batch
//		batch = batch[:0] // the next elements go where the receiver reads
//	}
//
// and those that are read into, again and again, and handed over each time as they are:
//
//	for {
//		n, err := conn.Read(buf)
//		…
//		go handle(buf[:n])
//	}
//
// A wait for an answer after it makes it right.
func (s *search) sentKept() {
	reported := map[accesses.Place]bool{}
	for _, h := range s.handings() {
		if reported[h.place] {
			continue
		}
		again, how := s.emptiedAfter(h), "%s[:0] keeps its array: what is appended next overwrites what that one uses"
		if again == nil {
			again, how = s.readIntoAgain(h), "the next round reads into the array of %s while that one uses it"
		}
		if again == nil {
			continue
		}
		reported[h.place] = true
		root, _ := h.place.Root.(*types.Var)
		v := root
		if f := h.place.Field(); f != nil {
			v = f
		}
		if v == nil {
			continue
		}
		a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Func: s.body.Fn, Expr: h.slice, Cell: h.slice}
		c := s.direct("testuse", "guarded-escape", a, h.slice.Pos(), again.Pos())
		c.Roles = [2]string{"handed to another goroutine", "kept for what comes next"}
		c.Message = fmt.Sprintf("%s is handed to another goroutine as it is, not a copy, and "+how, types.ExprString(h.slice), types.ExprString(h.of))
		c.Ends = []*access.Access{a}
		c.Sure = !forTests(s.pkg.Types) // that one goroutine runs here, as comments say, changes nothing
		s.found = append(s.found, c)
	}
}

// A handing is a statement that gives a slice, or a part of it, to another goroutine.
type handing struct {
	stmt  ast.Stmt // the send or go statement, or the select that the send is an arm of
	rest  []ast.Stmt
	slice ast.Expr // what is given
	of    ast.Expr // the variable that it is, or a part of
	place accesses.Place
}

// handings lists those of the body, with the statements that come after each.
func (s *search) handings() []handing {
	var list []handing
	add := func(stmt ast.Stmt, rest []ast.Stmt, e ast.Expr) {
		slice := ast.Unparen(e)
		of := cutOf(slice)
		if !isSlice(s.pkg.Info.TypeOf(of)) {
			return
		}
		if pl := s.pkg.PlaceOf(of); pl.Valid() {
			list = append(list, handing{stmt, rest, slice, of, pl})
		}
	}
	given := func(stmt ast.Stmt, rest []ast.Stmt, e ast.Expr) {
		add(stmt, rest, e)
		e = ast.Unparen(e)
		if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
			e = ast.Unparen(u.X)
		}
		if lit, ok := e.(*ast.CompositeLit); ok {
			for _, part := range partsOfLit(lit) {
				add(stmt, rest, part)
			}
		}
	}
	inList := func(stmts []ast.Stmt) {
		for i, stmt := range stmts {
			switch x := stmt.(type) {
			case *ast.SendStmt:
				given(x, stmts[i+1:], x.Value)
			case *ast.GoStmt:
				for _, arg := range x.Call.Args {
					given(x, stmts[i+1:], arg)
				}
				if lit, ok := ast.Unparen(x.Call.Fun).(*ast.FuncLit); ok {
					makesCall(lit, func(call *ast.CallExpr) bool {
						for _, arg := range call.Args {
							if id := identOf(cutOf(arg)); id != nil && s.pkg.Info.Uses[id] != nil && s.pkg.Info.Uses[id].Pos() < x.Pos() {
								add(x, stmts[i+1:], arg)
							}
						}
						return false
					})
				}
			case *ast.SelectStmt:
				for _, clause := range x.Body.List {
					comm := clause.(*ast.CommClause)
					if send, ok := comm.Comm.(*ast.SendStmt); ok {
						given(x, slices.Concat(comm.Body, stmts[i+1:]), send.Value)
					}
				}
			}
		}
	}
	s.inspectOwn(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.BlockStmt:
			inList(n.List)
		case *ast.CaseClause:
			inList(n.Body)
		case *ast.CommClause:
			inList(n.Body)
		}
	})
	return list
}

// cutOf is what e is a part of, by s[i:j], or e itself.
func cutOf(e ast.Expr) ast.Expr {
	if cut, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		e = cut.X
	}
	return ast.Unparen(e)
}

// inspectOwn visits what is in the body, function literals left out.
func (s *search) inspectOwn(visit func(ast.Node)) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// emptiedAfter is where what was handed over is cut to nothing, s = s[:0], among the statements that
// come after it, if elements are appended to it somewhere.
func (s *search) emptiedAfter(h handing) ast.Node {
	for _, stmt := range h.rest {
		if s.awaitsAnswer(stmt) {
			return nil
		}
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for i, left := range assign.Lhs {
			if s.pkg.PlaceOf(left) != h.place || len(assign.Lhs) != len(assign.Rhs) {
				continue
			}
			cut, ok := ast.Unparen(assign.Rhs[i]).(*ast.SliceExpr)
			if !ok || cut.Low != nil || cut.High == nil || !s.zero(cut.High) || cut.Max != nil || s.pkg.PlaceOf(cut.X) != h.place || !s.appendedTo(h.place) {
				return nil
			}
			return assign
		}
	}
	return nil
}

// appendedTo says whether a function of the package appends to the slice: the same local, or the
// field of any object.
func (s *search) appendedTo(pl accesses.Place) bool {
	for _, b := range s.pkg.Bodies {
		if pl.Field() == nil && b.Outermost() != s.body.Outermost() {
			continue
		}
		if makesCall(b.Block, func(call *ast.CallExpr) bool {
			id := identOf(call.Fun)
			if id == nil || len(call.Args) < 2 {
				return false
			}
			if builtin, ok := s.pkg.Info.Uses[id].(*types.Builtin); !ok || builtin.Name() != "append" {
				return false
			}
			to := s.pkg.PlaceOf(call.Args[0])
			return to == pl || pl.Field() != nil && to.Field() == pl.Field()
		}) {
			return true
		}
	}
	return false
}

// readIntoAgain is the call, in the loop around and before the handover, that reads into the array,
// where each round uses the one that was made before the loop.
func (s *search) readIntoAgain(h handing) ast.Node {
	var loop *ast.BlockStmt
	s.inspectOwn(func(n ast.Node) {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.ForStmt:
			body = n.Body
		case *ast.RangeStmt:
			body = n.Body
		}
		if body != nil && body.Pos() <= h.stmt.Pos() && h.stmt.End() <= body.End() {
			loop = body // the innermost one
		}
	})
	if loop == nil || slices.ContainsFunc(h.rest, s.endsRounds) {
		return nil
	}
	if root := h.place.Root; root.Pos() >= loop.Pos() && root.Pos() < loop.End() {
		return nil
	}
	var reads ast.Node
	made := s.answeredIn(loop)
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			made = made || slices.ContainsFunc(n.Lhs, func(left ast.Expr) bool { return s.pkg.PlaceOf(left) == h.place })
		case *ast.CallExpr:
			if reads == nil && n.End() <= h.stmt.Pos() && s.readsInto(n, h.place) {
				reads = n
			}
		}
		return true
	})
	if made {
		return nil
	}
	return reads
}

// answeredIn says whether a round of the loop waits for another goroutine: receives something, other
// than a sign that it is over, or calls a Wait.
func (s *search) answeredIn(loop *ast.BlockStmt) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.CommClause:
			if received(n) != nil && len(n.Body) > 0 && s.endsRounds(n.Body[len(n.Body)-1]) {
				return false
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || s.waitsBy(n)
		}
		return !found
	})
	return found
}

// endsRounds says whether the statement leaves the loop or the function.
func (s *search) endsRounds(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return stmt.Tok == token.BREAK || stmt.Tok == token.GOTO
	}
	return false
}

func (s *search) waitsBy(call *ast.CallExpr) bool {
	fn := s.locks.Callee(call)
	return fn != nil && waiting.MatchString(fn.Name())
}

// reading are the names of functions that fill a slice of bytes which they are given.
var reading = pattern.New(`^Read(Full|AtLeast|At|From|FromUDP|FromUDPAddrPort|FromIP|FromUnix|Msg|MsgUDP)?$`)

// readsInto says whether the call fills the slice.
func (s *search) readsInto(call *ast.CallExpr, pl accesses.Place) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr) // of an interface, mostly
	if !ok || !reading.MatchString(sel.Sel.Name) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		arg = cutOf(arg)
		t := s.pkg.Info.TypeOf(arg)
		return isSlice(t) && types.Identical(t.Underlying().(*types.Slice).Elem().Underlying(), types.Typ[types.Byte]) && s.pkg.PlaceOf(arg) == pl
	})
}

// awaitsAnswer says whether the statement waits for another goroutine: receives, or calls a Wait.
func (s *search) awaitsAnswer(stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			found = found || s.waitsBy(n)
		}
		return !found
	})
	return found
}
