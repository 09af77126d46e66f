package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity/access"
)

// pooledBytes finds what is returned of an object that goes back into a sync.Pool:
//
//	buf := pool.Get().(*bytes.Buffer)
//	defer pool.Put(buf)
//	…
//	return buf.Bytes()
//
// The next goroutine that takes the buffer overwrites what the caller has got. The object may be
// taken and put back by functions of the package; what is returned may be the bytes of a buffer, a
// part of a slice, or the object itself.
func (s *search) pooledBytes() {
	if !s.importsSync() {
		return
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok && len(assign.Rhs) == 1 && s.fromPool(assign.Rhs[0], 0) {
			if id := identOf(assign.Lhs[0]); id != nil {
				s.tellOfPooled(s.pkg.Info.ObjectOf(id))
			}
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
}

// importsSync says whether the package imports sync, as one must that declares a sync.Pool.
func (s *search) importsSync() bool {
	return slices.ContainsFunc(s.pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "sync" })
}

// tellOfPooled tells of what the body returns of the object, which it has taken from a pool.
func (s *search) tellOfPooled(obj types.Object) {
	local, ok := obj.(*types.Var)
	if !ok || len(s.values.assigns[obj]) != 1 {
		return
	}
	put, later := s.givenToPool(obj)
	if put == nil {
		return
	}
	what := s.returnedOf(obj, put, later)
	if what == nil {
		return
	}
	a := &access.Access{Var: access.Var{Obj: local}, Expr: what, Func: s.body.Fn}
	c := s.direct("testuse", "guarded-escape", a, what.Pos(), put.Pos())
	c.Roles = [2]string{"returned", "put back into the pool"}
	c.Message = fmt.Sprintf("%s is returned here, while %s goes back into the pool: the next goroutine that takes it from there overwrites what the caller has got", types.ExprString(what), obj.Name())
	s.tell(c, &occurrence{Access: a}, a)
}

// fromPool says whether the expression is what Get of a sync.Pool returns, or a function of the package
// that returns nothing else.
func (s *search) fromPool(e ast.Expr, depth int) bool {
	e = ast.Unparen(e)
	if ta, ok := e.(*ast.TypeAssertExpr); ok {
		e = ast.Unparen(ta.X)
	}
	if id, ok := e.(*ast.Ident); ok && depth > 0 {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		return len(list) == 1 && depth < 4 && s.fromPool(list[0].value, depth+1)
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := s.locks.Callee(call)
	if fn == nil || fn.FullName() == "(*sync.Pool).Get" {
		return fn != nil
	}
	b := s.pkg.ByFunc[fn]
	if b == nil || depth > 2 {
		return false
	}
	lends, known := s.lendsPooled[fn]
	if known {
		return lends
	}
	s.inState(b, func() {
		for _, ret := range returnsOf(b) {
			if lends = len(ret.Results) == 1 && s.fromPool(ret.Results[0], depth+1); !lends {
				return
			}
		}
	})
	if s.lendsPooled == nil {
		s.lendsPooled = map[*types.Func]bool{}
	}
	s.lendsPooled[fn] = lends
	return lends
}

// returnsOf are the return statements of the body, not those of literals in it.
func returnsOf(b *accesses.Body) []*ast.ReturnStmt {
	var list []*ast.ReturnStmt
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			list = append(list, ret)
		}
		_, lit := n.(*ast.FuncLit)
		return !lit
	})
	return list
}

// givenToPool is where the body puts the object back into a pool, and whether it does so when it
// returns, by a deferred call.
func (s *search) givenToPool(obj types.Object) (put *ast.CallExpr, later bool) {
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			call := n.Call
			if lit, ok := call.Fun.(*ast.FuncLit); ok && len(lit.Body.List) == 1 {
				if stmt, ok := lit.Body.List[0].(*ast.ExprStmt); ok {
					if inner, ok := stmt.X.(*ast.CallExpr); ok {
						call = inner
					}
				}
			}
			if s.putsInPool(call, obj, 0) {
				put, later = call, true
			}
			return false
		case *ast.CallExpr:
			if put == nil && s.putsInPool(n, obj, 0) {
				put = n
			}
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return put, later
}

// putsInPool says whether the call puts the object, its receiver or an argument, into a sync.Pool, or
// calls a function of the package that does so.
func (s *search) putsInPool(call *ast.CallExpr, obj types.Object, depth int) bool {
	is := func(e ast.Expr) bool {
		id := identOf(e)
		return id != nil && s.pkg.Info.ObjectOf(id) == obj
	}
	fn := s.locks.Callee(call)
	if fn == nil || fn.FullName() == "(*sync.Pool).Put" {
		return fn != nil && len(call.Args) == 1 && is(call.Args[0])
	}
	b := s.pkg.ByFunc[fn]
	if b == nil || depth > 2 {
		return false
	}
	var given types.Object
	if at := slices.IndexFunc(call.Args, is); at >= 0 && at < fn.Signature().Params().Len() {
		given = fn.Signature().Params().At(at)
	} else if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil && is(sel.X) {
		given = fn.Signature().Recv()
	}
	return given != nil && s.listPuts(b.Block.List, given, depth+1)
}

// listPuts says whether one of the statements puts the object into a pool, whatever happens, or
// unless it is nil or has grown too large.
func (s *search) listPuts(list []ast.Stmt, obj types.Object, depth int) bool {
	return slices.ContainsFunc(list, func(stmt ast.Stmt) bool {
		switch stmt := stmt.(type) {
		case *ast.ExprStmt:
			call, ok := stmt.X.(*ast.CallExpr)
			return ok && s.putsInPool(call, obj, depth)
		case *ast.IfStmt:
			cond, ok := ast.Unparen(stmt.Cond).(*ast.BinaryExpr)
			return ok && (comparesWithNil(s.pkg.Info, cond) || s.asksCapacity(cond.X) || s.asksCapacity(cond.Y)) && s.listPuts(stmt.Body.List, obj, depth)
		}
		return false
	})
}

// asksCapacity says whether the expression is cap(b) or b.Cap(), or the same of a length.
func (s *search) asksCapacity(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return fun.Name == "cap" || fun.Name == "len"
	case *ast.SelectorExpr:
		return fun.Sel.Name == "Cap" || fun.Sel.Name == "Len"
	}
	return false
}

// returnedOf is what the body returns of the object's memory, once it has put it back or will do so when
// it returns.
func (s *search) returnedOf(obj types.Object, put *ast.CallExpr, later bool) ast.Expr {
	after := statementsFrom(s.body.Block, put)
	for _, ret := range returnsOf(s.body) {
		if accesses.IsBare(ret) || // of which nobody may look at anything but an error
			later && put.Pos() > ret.Pos() || !later && !slices.Contains(after, ast.Stmt(ret)) {
			continue
		}
		for _, r := range ret.Results {
			if s.sharesArray(r, obj, 0) {
				return r
			}
		}
	}
	return nil
}
