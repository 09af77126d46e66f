package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// writtenKept finds Write methods that leave the bytes that they are given to another goroutine, as they
// are, and return:
//
//	func (w *async) Write(p []byte) (int, error) {
//		w.lines <- p
//		return len(p), nil
//	}
//
// An io.Writer must not keep what it is given: the caller fills the same array again, as fmt.Fprintf,
// log.Logger and io.Copy do, while the other goroutine reads it. The bytes can go on a channel, to a go
// statement, or into a field that a goroutine of the package reads; and by way of a function that
// the method calls.
func (s *search) writtenKept() {
	p := s.writtenBytes()
	if p == nil {
		return
	}
	s.keepsBytes(s.body, p, nil, 0)
}

// writtenBytes is the parameter of a method of the form of io.Writer, io.WriterAt or WriteTo of a
// net.PacketConn, of a type that others can get at; or nil.
func (s *search) writtenBytes() *types.Var {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || fn.Name() != "Write" && fn.Name() != "WriteAt" && fn.Name() != "WriteTo" || s.uncalled(fn.Pos()) {
		return nil
	}
	params, results := fn.Signature().Params(), fn.Signature().Results()
	if params.Len() == 0 || results.Len() != 2 || !isInteger(results.At(0).Type()) || !isError(results.At(1).Type()) || types.TypeString(params.At(0).Type(), nil) != "[]byte" {
		return nil
	}
	return params.At(0)
}

// keepsBytes tells of the place in the body where the bytes are left to another goroutine. The call is
// that by which the method hands them on, if it does not do so itself.
func (s *search) keepsBytes(b *accesses.Body, p types.Object, by *ast.CallExpr, depth int) bool {
	if b == nil || depth > 2 || p == nil {
		return false
	}
	found := false
	s.inState(b, func() {
		if len(s.values.assigns[p]) > 0 {
			return // it may be a copy by then
		}
		for _, h := range s.handings() {
			if s.sharesArray(h.slice, p, 0) && !slices.ContainsFunc(h.rest, s.awaitsAnswer) && !s.waitsLast() {
				found = s.tellOfKept(h.slice, h.stmt, by, nil)
				return
			}
		}
		if at, reader := s.storedForOthers(p); at != nil {
			found = s.tellOfKept(at, at, by, reader)
			return
		}
		s.inspectOwn(func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || found {
				return
			}
			fn := s.locks.Callee(call)
			callee := s.pkg.ByFunc[fn]
			if callee == nil || callee == b {
				return
			}
			at := slices.IndexFunc(call.Args, func(e ast.Expr) bool { return s.sharesArray(e, p, 0) })
			if at < 0 || at >= fn.Signature().Params().Len() || fn.Signature().Variadic() {
				return
			}
			if after := statementsFrom(b.Block, call); len(after) > 0 && slices.ContainsFunc(after[1:], s.awaitsAnswer) {
				return
			}
			first := by
			if first == nil {
				first = call
			}
			found = s.keepsBytes(callee, fn.Signature().Params().At(at), first, depth+1)
		})
	})
	return found
}

// waitsLast says whether a deferred call of the body waits for others: none that stops a timer.
func (s *search) waitsLast() bool {
	found := false
	s.inspectOwn(func(n ast.Node) {
		if d, ok := n.(*ast.DeferStmt); ok && s.waitsBy(d.Call) {
			fn := s.locks.Callee(d.Call)
			found = found || fn.Pkg() == nil || fn.Pkg().Path() != "time"
		}
	})
	return found
}

// tellOfKept reports the place, where the bytes are left; reader is who reads the field that they are in.
func (s *search) tellOfKept(what ast.Expr, at ast.Node, by *ast.CallExpr, reader *occurrence) bool {
	obj, end := s.rootOf(what), s.body.Block.Rbrace
	if obj == nil {
		return false
	}
	for _, ret := range returnsOf(s.body) {
		if ret.Pos() > at.Pos() && ret.Pos() < end {
			end = ret.Pos()
		}
	}
	a := &access.Access{Var: access.Var{Obj: obj}, Mode: atomicity.Read, Func: s.body.Fn, Expr: what, Cell: what}
	told, use := "is handed to another goroutine as it is", "free to change again"
	if reader != nil {
		told, use, end = fmt.Sprintf("is kept as it is for %s", reader.Func.Name), "read by another goroutine", reader.Pos()
	}
	pos := what.Pos()
	if by != nil {
		pos, end, use = by.Pos(), what.Pos(), "left to another goroutine"
	}
	c := s.direct("testuse", "guarded-escape", a, pos, end)
	c.Roles = [2]string{"given", use}
	c.Message = fmt.Sprintf("%s %s, not a copy, and Write returns: its caller may fill the array again at once, while that one still reads it", types.ExprString(what), told)
	c.Ends = []*access.Access{a}
	c.Sure = !forTests(s.pkg.Types)
	s.found = append(s.found, c)
	return true
}

// rootOf is the local that the expression is, or is cut of.
func (s *search) rootOf(e ast.Expr) *types.Var {
	id := identOf(cutOf(e))
	if id == nil {
		return nil
	}
	v, _ := s.pkg.Info.ObjectOf(id).(*types.Var)
	return v
}

// storedForOthers is where the body stores the bytes in a field, or appends them to one, and where a
// goroutine of the package reads that, if the body does not wait afterwards.
func (s *search) storedForOthers(p types.Object) (what ast.Expr, reader *occurrence) {
	s.inspectOwn(func(n ast.Node) {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || what != nil || len(assign.Lhs) != len(assign.Rhs) {
			return
		}
		for i, left := range assign.Lhs {
			field := s.variable(left)
			if field == nil || !field.IsField() {
				continue
			}
			value := ast.Unparen(assign.Rhs[i])
			if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 2 && !call.Ellipsis.IsValid() && s.isBuiltin(call, "append") {
				value = call.Args[1]
			}
			if s.rootOf(value) == nil || !s.sharesArray(value, p, 0) || s.clearsLater(field, assign) {
				continue
			}
			r, _ := s.another(access.Var{Obj: field}, s.body, func(k *occurrence) bool {
				b := s.pkg.ByNode[k.Func.Node]
				return k.Mode == atomicity.Read && b != nil && s.shared.Spawned(b) && !s.shared.Entered(b)
			})
			if r != nil {
				what, reader = value, r
			}
		}
	})
	return what, reader
}

// clearsLater says whether the body waits after the store, or stores something else in the field then.
func (s *search) clearsLater(field *types.Var, store *ast.AssignStmt) bool {
	found := s.waitsLast()
	s.inspectOwn(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || n.Pos() > store.Pos() && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return s.variable(e) == field })
		case *ast.CallExpr:
			found = found || n.Pos() > store.Pos() && s.waitsBy(n)
		case *ast.UnaryExpr:
			found = found || n.Pos() > store.Pos() && s.awaitsAnswer(&ast.ExprStmt{X: n})
		}
	})
	return found
}

// sharesArray says whether the expression shares the memory of obj, which is a slice or leads to one: the
// object itself, a part of the slice, a local that is nothing else, the bytes of a buffer, or what
// bytes.Trim leaves of them.
func (s *search) sharesArray(e ast.Expr, obj types.Object, depth int) bool {
	if depth > 4 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		local := s.pkg.Info.ObjectOf(e)
		if local == obj {
			return true
		}
		shares := false
		for _, d := range s.values.assigns[local] {
			if id := identOf(cutOf(d.value)); id != nil && s.pkg.Info.ObjectOf(id) == local {
				continue // a part of what it was
			}
			if !s.sharesArray(d.value, obj, depth+1) {
				return false
			}
			shares = true
		}
		return shares
	case *ast.StarExpr:
		return isSlice(s.pkg.Info.TypeOf(e)) && s.sharesArray(e.X, obj, depth+1)
	case *ast.SliceExpr:
		return isSlice(s.pkg.Info.TypeOf(e)) && s.sharesArray(e.X, obj, depth+1)
	case *ast.CallExpr:
		fn := s.locks.Callee(e)
		if fn == nil {
			return false
		}
		switch fn.FullName() {
		case "bytes.NewBuffer":
			return s.sharesArray(e.Args[0], obj, depth+1)
		case "(*bytes.Buffer).Next", "(*bytes.Buffer).Bytes":
			sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			return ok && s.sharesArray(sel.X, obj, depth+1)
		}
		return fn.Pkg() != nil && fn.Pkg().Path() == "bytes" && strings.HasPrefix(fn.Name(), "Trim") && len(e.Args) > 0 && s.sharesArray(e.Args[0], obj, depth+1)
	}
	return false
}
