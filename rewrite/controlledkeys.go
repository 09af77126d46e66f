package rewrite

import (
	"go/ast"
	"go/types"
	"go/version"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// controlKeys has the scheduler number the keys of entries that may be new, as in
// m[k] = v and in literals, if keys of their type have no order of their own: a loop over
// the map then goes by the numbers.
func (p *pass) controlKeys(c *dstutil.Cursor, e dst.Expr, source ast.Expr) {
	switch e := e.(type) {
	case *dst.IndexExpr:
		index := source.(*ast.IndexExpr)
		if m, ok := p.info.TypeOf(index.X).Underlying().(*types.Map); ok && isAssigned(c) && p.isNumbered(m.Key(), index.Index) {
			e.Index = p.numbered(e.Index, index.Index)
		}
	case *dst.CompositeLit:
		m, ok := p.info.TypeOf(source).Underlying().(*types.Map)
		if !ok {
			return
		}
		for _, element := range e.Elts {
			entry := element.(*dst.KeyValueExpr)
			if lit, ok := entry.Key.(*dst.CompositeLit); ok && lit.Type == nil {
				continue
			}
			if key := p.sourceOf(entry.Key); p.isNumbered(m.Key(), key) {
				entry.Key = p.numbered(entry.Key, key)
			}
		}
	}
}

func (p *pass) numbered(key dst.Expr, source ast.Expr) dst.Expr {
	number := p.sched("Key", key)
	p.attribute(number, source)
	return number
}

// isAssigned says whether the expression is assigned to.
func isAssigned(c *dstutil.Cursor) bool {
	switch c.Parent().(type) {
	case *dst.AssignStmt:
		return c.Name() == "Lhs"
	case *dst.IncDecStmt:
		return true
	}
	return false
}

// isNumbered says whether the key, of a map with keys of the type, needs a number. A
// constant needs none, and a parameter of a generic function may be anything.
func (p *pass) isNumbered(t types.Type, key ast.Expr) bool {
	if isOrdered(t) || tvConst(p.info, key) {
		return false
	}
	if _, bad := key.(*ast.BadExpr); bad {
		return false
	}
	tv := p.info.Types[key]
	return !tv.IsNil() && !p.isUntypedBool(key) && !p.isUntypedShift(key) && p.isKey(t)
}

// isKey says whether a type parameter of the scheduler's that is comparable can stand
// for the keys: for interfaces, from Go 1.20 on.
func (p *pass) isKey(t types.Type) bool {
	if isStrictlyComparable(t) || p.plan.pkg.Module == nil { // the standard library's
		return true
	}
	v := p.info.FileVersions[p.file]
	return version.IsValid(v) && version.Compare(v, "go1.20") >= 0
}

func isStrictlyComparable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	default:
		switch t := t.Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Chan:
			return true
		case *types.Array:
			return isStrictlyComparable(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if !isStrictlyComparable(f.Type()) {
					return false
				}
			}
			return true
		}
		return false
	}
}
