package access

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// syncCall handles calls of sync/atomic functions and of the methods of
// sync/atomic types and sync.Map, and reports whether e was one. The operands
// are evaluated before the call; the access is the call itself.
func (w *walker) syncCall(e *ast.CallExpr, fun ast.Expr) bool {
	if ix, ok := fun.(*ast.IndexExpr); ok { // explicit instantiation
		fun = ix.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	callee, ok := w.info.Uses[sel.Sel].(*types.Func)
	if !ok || callee.Pkg() == nil {
		return false
	}
	recv := callee.Signature().Recv()
	switch path := callee.Pkg().Path(); {
	case path == "sync/atomic" && recv == nil:
		return w.atomicFunction(e, callee.Name())
	case IsAtomic(path) && recv != nil:
		return w.syncMethod(e, sel, Atomic)
	case path == "sync" && recv != nil && typeName(recv.Type()) == "Map":
		return w.syncMethod(e, sel, SyncMap)
	}
	return false
}

// IsAtomic says whether the types of the package at this import path are atomics:
// those of sync/atomic and their namesakes of go.uber.org/atomic, which were the
// usual ones before Go 1.19.
func IsAtomic(path string) bool {
	return path == "sync/atomic" || path == "go.uber.org/atomic"
}

// unconverted is e without the pointer conversions around it, as in
// (*int32)(b) and (*unsafe.Pointer)(unsafe.Pointer(&x.f)): they denote the same
// memory.
func (w *walker) unconverted(e ast.Expr) ast.Expr {
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !w.info.Types[call.Fun].IsType() {
			return ast.Unparen(e)
		}
		switch t := types.Unalias(w.info.TypeOf(call.Args[0])).(type) {
		case *types.Pointer:
		case *types.Basic:
			if t.Kind() != types.UnsafePointer {
				return ast.Unparen(e)
			}
		default:
			return ast.Unparen(e)
		}
		e = call.Args[0]
	}
}

// atomicFunction handles atomic.AddInt64(&x.f, 1) and atomic.AddInt64(p, 1).
func (w *walker) atomicFunction(e *ast.CallExpr, name string) bool {
	if len(e.Args) == 0 {
		return false
	}
	a := &Access{Mode: syncMode(name), Kind: Atomic, Expr: e, Method: name}
	if u, ok := w.unconverted(e.Args[0]).(*ast.UnaryExpr); ok && u.Op == token.AND {
		a.Cell = ast.Unparen(u.X)
		a.Var, _, _ = w.variable(a.Cell)
		w.place(u.X)
	} else {
		a.Cell, a.Pointer = w.unconverted(e.Args[0]), true
		a.Var = w.contents(a.Cell)
		w.expr(e.Args[0])
	}
	w.exprs(e.Args[1:])
	w.emit(a)
	return true
}

// syncMethod handles x.f.Load() for a sync/atomic type or sync.Map x.f, or a
// pointer x.f to one.
func (w *walker) syncMethod(e *ast.CallExpr, sel *ast.SelectorExpr, kind Kind) bool {
	selection := w.info.Selections[sel]
	if selection == nil || selection.Kind() != types.MethodVal {
		return false
	}
	a := &Access{Mode: syncMode(sel.Sel.Name), Kind: kind, Expr: e, Cell: ast.Unparen(sel.X), Method: sel.Sel.Name}
	embedded := len(selection.Index()) > 1
	switch {
	case embedded:
		// The method is promoted from an embedded atomic: the variable is
		// the embedded field, which the source does not spell out.
		a.Var = Var{Obj: embeddedField(selection), Contents: kind == SyncMap}
		a.Promoted = true
	case isPointer(w.info.TypeOf(sel.X)):
		a.Pointer = true
		a.Var = w.contents(a.Cell)
	default:
		a.Var, _, _ = w.variable(a.Cell)
		a.Var.Contents = a.Var.Contents || kind == SyncMap
	}
	if a.Pointer || isPointer(w.info.TypeOf(sel.X)) {
		w.expr(sel.X)
	} else {
		w.place(sel.X)
	}
	w.exprs(e.Args)
	if kind == SyncMap && len(e.Args) > 0 && a.Method != "Range" {
		a.Key = e.Args[0]
	}
	w.emit(a)
	return true
}

// syncMode is the mode of a sync/atomic or sync.Map operation. A
// read-modify-write operation is one write: nothing comes between its parts.
func syncMode(name string) atomicity.AccessSet {
	if name == "String" || name == "MarshalJSON" || name == "MarshalText" {
		return atomicity.Read
	}
	if name == "Range" || strings.HasPrefix(name, "Load") && !strings.HasPrefix(name, "LoadOr") && !strings.HasPrefix(name, "LoadAnd") {
		return atomicity.Read
	}
	return atomicity.Write
}

// embeddedField is the last field on the path of a promoted method.
func embeddedField(sel *types.Selection) *types.Var {
	t := sel.Recv()
	var field *types.Var
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := underlying(deref(t)).(*types.Struct)
		if !ok || i >= s.NumFields() {
			return nil
		}
		field = s.Field(i)
		t = field.Type()
	}
	if field == nil {
		return nil
	}
	return field.Origin()
}
