package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/atomicity/access"
)

// noKind is the kind of what is more than one word of memory.
const noKind = "KindNone"

// basicKinds are the runtime's names for what is one word of memory.
var basicKinds = map[types.BasicKind]string{
	types.Bool: "KindBool", types.Uintptr: "KindUintptr", types.UnsafePointer: "KindPointer",
	types.Int: "KindInt", types.Int8: "KindInt8", types.Int16: "KindInt16", types.Int32: "KindInt32", types.Int64: "KindInt64",
	types.Uint: "KindUint", types.Uint8: "KindUint8", types.Uint16: "KindUint16", types.Uint32: "KindUint32", types.Uint64: "KindUint64",
	types.Float32: "KindFloat32", types.Float64: "KindFloat64",
}

// atomicKinds are those of the types of sync/atomic.
var atomicKinds = map[string]string{
	"Bool": "KindAtomicBool", "Int32": "KindInt32", "Int64": "KindInt64", "Uint32": "KindUint32", "Uint64": "KindUint64",
	"Uintptr": "KindUintptr", "Pointer": "KindPointer",
}

// kindOf is the runtime's name for what memory of the type holds.
func kindOf(t types.Type) string {
	t = types.Unalias(t)
	if _, isParam := t.(*types.TypeParam); isParam {
		return noKind
	}
	if named, ok := t.(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != nil && pkg.Path() == "sync/atomic" && atomicKinds[named.Obj().Name()] != "" {
			return atomicKinds[named.Obj().Name()]
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if kind := basicKinds[t.Kind()]; kind != "" {
			return kind
		}
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature:
		return "KindPointer"
	}
	return noKind
}

// addKind notes what the memory holds at which the access finds the variable. Where
// its accesses do not agree, for some of them are to what it points to, the runtime looks
// at none of them.
func (v *variable) addKind(info *types.Info, a *access.Access) {
	kind := noKind
	switch t := info.TypeOf(a.Cell); {
	case t == nil || a.Promoted || a.Key != nil || a.Kind == access.MapWhole || a.Kind == access.Call && a.Var.Contents:
	case a.Kind == access.Call:
		kind = kindOf(a.Var.Obj.Type())
	case a.Kind == access.Element && !isIndex(a.Cell):
		return // of many elements, each of which is like others
	case a.Pointer:
		if pointer, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
			kind = kindOf(pointer.Elem())
		}
	default:
		kind = kindOf(t)
	}
	if v.kind != "" && v.kind != kind {
		kind = noKind
	}
	v.kind = kind
}

func isIndex(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	return ok
}

// kindSource is the kind in the table.
func (v *variable) kindSource() string {
	if v.kind == "" || v.kind == noKind {
		return ""
	}
	return ", Kind: " + healName + "." + v.kind
}
