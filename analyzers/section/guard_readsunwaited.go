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

// readsUnwaited finds locals that a function reads when it gives up waiting for the goroutine that stores them:
//
//	go func() { res, err = c.call(req); close(done) }()
//	select {
//	case <-done:
//	case <-ctx.Done():
//	}
//	return res, err
//
// It has not been told that they are stored: the goroutine may be at it.
func (s *search) readsUnwaited() {
	for i, stmt := range s.body.Block.List {
		g, ok := stmt.(*ast.GoStmt)
		if !ok {
			continue
		}
		lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
		if !ok || takesLock(lit.Body, lit.End()) {
			continue
		}
		for j, later := range s.body.Block.List[i+1:] {
			if sel, ok := later.(*ast.SelectStmt); ok {
				s.readsUnwaitedIn(lit, sel, s.body.Block.List[i+j+2:])
			}
			if waitsWithin(later) {
				break // the goroutine may be through
			}
		}
	}
}

// readsUnwaitedIn tells of what the select, or what follows it, reads though the goroutine may still be at work.
func (s *search) readsUnwaitedIn(lit *ast.FuncLit, sel *ast.SelectStmt, rest []ast.Stmt) {
	stores := s.storesOf(lit)
	if len(stores) == 0 || !s.waitsForEnd(sel, lit) {
		return
	}
	for _, clause := range sel.Body.List {
		comm := clause.(*ast.CommClause)
		if !s.waitsForTime(comm) {
			continue
		}
		path := comm.Body
		if !leavesTurn(&ast.BlockStmt{List: comm.Body}) {
			path = append(append([]ast.Stmt{}, comm.Body...), rest...)
		}
		for _, stmt := range path {
			if takesLock(stmt, stmt.End()) || waitsWithin(stmt) {
				break
			}
			if v, at := s.readOf(stmt, stores); v != nil {
				s.tellUnwaited(v, at, stores[v])
				return
			}
		}
	}
}

func (s *search) tellUnwaited(v *types.Var, at ast.Node, store ast.Expr) {
	e, ok := at.(ast.Expr)
	if !ok {
		e = store // a bare return
	}
	a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Func: s.body.Fn, Expr: e, Cell: e}
	c := s.direct("discipline", "unguarded-access", a, at.Pos(), store.Pos())
	c.Name, c.EndName = v.Name(), v.Name()
	c.Roles = [2]string{"read", "stored by the goroutine"}
	c.Message = fmt.Sprintf("%s is read here though the wait for the goroutine that stores it was given up: it may store it at the same time", v.Name())
	s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: v}}, a)
}

// storesOf are the locals of the body, from outside of the literal, to which it assigns, and where.
func (s *search) storesOf(lit *ast.FuncLit) map[*types.Var]ast.Expr {
	stores := map[*types.Var]ast.Expr{}
	for n := range ast.Preorder(lit.Body) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || assign.Tok != token.ASSIGN {
			continue
		}
		for _, l := range assign.Lhs {
			v, ok := s.pkg.Info.Uses[identOf(l)].(*types.Var)
			if ok && !v.IsField() && !accesses.IsGlobal(v) && s.body.Node.Pos() <= v.Pos() && v.Pos() < s.body.Node.End() && (v.Pos() < lit.Pos() || lit.End() <= v.Pos()) && stores[v] == nil {
				stores[v] = l
			}
		}
	}
	return stores
}

// waitsForEnd says whether an arm of the select receives from a local channel that the literal closes or sends on.
func (s *search) waitsForEnd(sel *ast.SelectStmt, lit *ast.FuncLit) bool {
	for _, clause := range sel.Body.List {
		ch, ok := s.pkg.Info.Uses[identOf(received(clause.(*ast.CommClause)))].(*types.Var)
		if !ok {
			continue
		}
		for n := range ast.Preorder(lit.Body) {
			switch n := n.(type) {
			case *ast.SendStmt:
				if s.pkg.Info.Uses[identOf(n.Chan)] == types.Object(ch) {
					return true
				}
			case *ast.CallExpr:
				if id := identOf(n.Fun); id != nil && id.Name == "close" && len(n.Args) == 1 && s.pkg.Info.Uses[identOf(n.Args[0])] == types.Object(ch) {
					return true
				}
			}
		}
	}
	return false
}

// readOf is one of the variables that the statement reads, and where: a return without values reads the results
// that have names.
func (s *search) readOf(stmt ast.Stmt, stores map[*types.Var]ast.Expr) (read *types.Var, at ast.Node) {
	set := map[*ast.Ident]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id := identOf(l); id != nil {
					set[id] = true
				}
			}
		case *ast.ReturnStmt:
			if sig := s.body.Type(s.pkg.Info); sig != nil && len(n.Results) == 0 && read == nil {
				for v := range sig.Results().Variables() {
					if stores[v] != nil {
						read, at = v, n
					}
				}
			}
		case *ast.Ident:
			if v, ok := s.pkg.Info.Uses[n].(*types.Var); ok && stores[v] != nil && !set[n] && read == nil {
				read, at = v, n
			}
		}
		return read == nil
	})
	return read, at
}

// takesLock says whether the node calls a method named Lock, RLock or TryLock before the place.
func takesLock(n ast.Node, before token.Pos) bool {
	return makesCall(n, func(call *ast.CallExpr) bool {
		_, name := methodOn(call)
		return call.Pos() < before && (name == "Lock" || name == "RLock" || name == "TryLock")
	})
}

// waitsWithin says whether the statement receives, outside of a select with other arms, or waits for a group.
func waitsWithin(stmt ast.Stmt) bool {
	if _, ok := stmt.(*ast.SelectStmt); ok {
		return false
	}
	waits := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			waits = waits || n.Op == token.ARROW
		case *ast.RangeStmt:
			waits = true
		case *ast.CallExpr:
			_, name := methodOn(n)
			waits = waits || name == "Wait"
		}
		return !waits
	})
	return waits
}
