package rewrite

import (
	"go/ast"
	"go/types"
	"go/version"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leaveExpr hooks the accesses that are expressions: reads of memory and of
// maps, and calls that are atomic operations.
func (p *pass) leaveExpr(c *dstutil.Cursor, e dst.Expr) {
	source := p.expr(e)
	if _, isParen := e.(*dst.ParenExpr); isParen || source == nil {
		return // what is inside the parentheses has been hooked
	}
	if call, ok := e.(*dst.CallExpr); ok {
		hooked := p.hookCall(call, source)
		if hooked == nil {
			hooked = p.bulkCall(call, source)
		}
		if hooked == nil && p.plan.control {
			hooked = p.controlExpr(c, e, source)
		}
		if hooked != nil {
			t, _ := p.arrayPointer(source)
			p.replace(c, e, converted(t, hooked))
		}
		return
	}
	if p.plan.control {
		p.controlKeys(c, e, source)
	}
	if p.place[e] {
		return
	}
	if p.plan.control {
		if controlled := p.controlExpr(c, e, source); controlled != nil {
			t, _ := p.arrayPointer(source)
			p.replace(c, e, converted(t, controlled))
			return
		}
	}
	if h := p.hook(source, atomicity.Read, access.Cell, access.Element); h != nil {
		t, ok := p.arrayPointer(source)
		if !ok {
			p.unhooked(h, "the type of the pointer to an array cannot be named here")
			return
		}
		p.replace(c, e, converted(t, p.load(h, e)))
	} else if h := p.hook(source, atomicity.Read, access.MapElement); h != nil {
		t, ok := p.arrayPointer(source)
		if !ok {
			p.unhooked(h, "the type of the pointer to an array cannot be named here")
			return
		}
		if hooked := p.mapLoad(h, e.(*dst.IndexExpr), source); hooked != nil {
			p.replace(c, e, converted(t, hooked))
		}
	}
}

// arrayPointer is the type of e if that is a pointer to an array, and otherwise nil; ok is
// false if it cannot be named there. The
// compiler (Go 1.26) does not see through what a generic function returns, unless it inlines
// that or the type is said once more: it cannot slice such an array then.
func (p *pass) arrayPointer(e ast.Expr) (t dst.Expr, ok bool) {
	typ := p.info.TypeOf(e)
	if !isArrayPointer(typ) {
		return nil, true
	}
	return p.typeExpr(typ, e.Pos())
}

func isArrayPointer(t types.Type) bool {
	pointer, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = pointer.Elem().Underlying().(*types.Array)
	return ok
}

// converted is e as a value of the type t, if there is one.
func converted(t, e dst.Expr) dst.Expr {
	if t == nil {
		return e
	}
	return call(t, e)
}

// replace puts a generated expression in the place of e, with its line breaks
// and comments, and its type.
func (p *pass) replace(c *dstutil.Cursor, e, by dst.Expr) {
	p.attribute(by, p.ast(e))
	from, to := e.Decorations(), by.Decorations()
	to.Before, to.After = from.Before, from.After
	to.Start, to.End = from.Start, from.End
	*from = dst.NodeDecs{}
	c.Replace(by)
}

// load is the hooked value of the memory that e denotes.
func (p *pass) load(h *hook, e dst.Expr) dst.Expr {
	var at dst.Expr
	if star, ok := e.(*dst.StarExpr); ok {
		at = star.X
	} else {
		at = address(e)
	}
	return p.loadAt(h, at)
}

// loadAt is the hooked value of what at points to.
func (p *pass) loadAt(h *hook, at dst.Expr) dst.Expr {
	if !h.full {
		return p.heal("Peek", append(p.use(h), at)...)
	}
	if t := p.info.TypeOf(h.access.Cell); p.isPlain(h) && t != nil && !holdsPointers(t) {
		// Reach may return a copy, and what that points to would escape.
		p.count(h)
		return p.heal("Peek", p.location(h), p.heal("Reach", p.location(h), at))
	}
	return p.heal("Load", append(p.use(h), at)...)
}

// mapLoad is the hooked m[k], with one result or two.
func (p *pass) mapLoad(h *hook, e *dst.IndexExpr, source ast.Expr) dst.Expr {
	results, two := p.info.TypeOf(source).(*types.Tuple)
	if two && !types.Identical(results.At(1).Type(), types.Typ[types.Bool]) {
		p.unhooked(h, "whether there is an entry is assigned to a variable of another type than bool")
		return nil
	}
	if two && isArrayPointer(results.At(0).Type()) {
		p.unhooked(h, "the compiler cannot slice what a generic function returns beside another value") // see arrayPointer
		return nil
	}
	key, ok := p.key(h, e.Index)
	if !ok {
		return nil
	}
	name := "MapPeek"
	if h.full {
		name = "MapLoad"
	}
	if two {
		name += "2"
	}
	return p.heal(name, append(p.use(h), e.X, key)...)
}

// key is the key of a map access, converted to the map's key type where Go's
// type inference would not do what an index expression does.
func (p *pass) key(h *hook, k dst.Expr) (dst.Expr, bool) {
	if !p.takesMap(h) {
		return nil, false
	}
	m := p.info.TypeOf(h.access.Cell).Underlying().(*types.Map)
	if tvConst(p.info, h.access.Key) {
		if !types.IsInterface(m.Key()) {
			return k, true
		}
	} else if types.Identical(p.info.TypeOf(h.access.Key), m.Key()) && !p.isContextual(h.access.Key) {
		return k, true
	}
	t, ok := p.typeExpr(m.Key(), h.access.Pos())
	if !ok {
		p.unhooked(h, "the map's key type cannot be named here")
		return nil, false
	}
	return call(t, k), true
}

// takesMap says whether the runtime's generic functions take the map of the
// access, and notes it if not.
func (p *pass) takesMap(h *hook) bool {
	m, ok := p.info.TypeOf(h.access.Cell).Underlying().(*types.Map)
	if !ok {
		p.unhooked(h, "the map's type is a type parameter")
		return false
	}
	if v := p.info.FileVersions[p.file]; version.IsValid(v) && version.Compare(v, "go1.20") < 0 && !strictlyComparable(m.Key()) {
		p.unhooked(h, "in %s, no type parameter stands for a map's key that holds an interface", v)
		return false
	}
	return true
}

// strictlyComparable says whether comparing values of the type cannot panic,
// which type parameters asked of their arguments up to Go 1.19.
func strictlyComparable(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return strictlyComparable(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !strictlyComparable(f.Type()) {
				return false
			}
		}
	}
	return true
}

func tvConst(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil || tv.IsNil()
}
