package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// writeKinds are the kinds of memory that an assignment writes.
var writeKinds = []access.Kind{access.Cell, access.Element, access.MapElement}

// target is the left-hand side of an assignment while its statement is taken
// apart: its operands have been evaluated into temporaries where that could
// be noticed, so it can be written down more than once.
type target struct {
	hook   *hook    // nil: stored without a hook
	cell   dst.Expr // what is assigned to
	at     dst.Expr // pointer to it; nil for a map entry
	m, k   dst.Expr // of a map entry
	fixed  bool     // the key is a constant
	pinned bool
}

// newTarget fixes the operands of the left-hand side l. The statements that
// evaluate them are appended to seq. With pinned, nothing that the statement
// assigns to may change what the target denotes.
//
// The target is complete after locate, which comes when the right-hand sides
// have been evaluated: a nil pointer or an index out of range panics no earlier
// than without hooks.
func (p *pass) newTarget(l dst.Expr, h *hook, pinned bool, seq *[]dst.Stmt) (target, bool) {
	l = dstutil.Unparen(l)
	if ix, ok := l.(*dst.IndexExpr); ok && p.isMap(ix.X) {
		return p.mapTarget(ix, h, pinned, seq)
	}
	p.fix(l, seq)
	return target{hook: h, cell: l, pinned: pinned}, true
}

// locate takes the target's address where it is needed.
func (p *pass) locate(t *target, seq *[]dst.Stmt) {
	_, isIdent := t.cell.(*dst.Ident)
	switch {
	case t.m != nil:
		p.locateEntry(t, seq)
	case t.at != nil, t.hook == nil && isIdent:
	case t.hook == nil && !t.pinned && !isEffectful(t.cell):
	case isIdent, !t.pinned && p.isDirect(p.expr(t.cell)) && !isEffectful(t.cell):
		t.at = address(again(t.cell))
		if star, ok := t.cell.(*dst.StarExpr); ok {
			t.at = again(star.X)
		}
	default:
		name := p.temp(tempPrefix)
		*seq = append(*seq, define(name, address(t.cell)))
		t.cell = &dst.StarExpr{X: ident(name)}
		t.at = ident(name)
	}
}

func (p *pass) mapTarget(ix *dst.IndexExpr, h *hook, pinned bool, seq *[]dst.Stmt) (target, bool) {
	m, k := ix.X, ix.Index
	keySource := p.expr(k)
	if h != nil {
		converted, ok := p.key(h, k)
		if !ok {
			return target{}, false
		}
		k = converted
	}
	source, _ := p.expr(ix).(*ast.IndexExpr)
	if source != nil && p.runs(source.X) {
		m = p.intoTemp(m, seq)
	}
	if source != nil && p.runs(source.Index) {
		k = p.intoTemp(k, seq)
	}
	ix.X, ix.Index = m, k
	fixed := keySource != nil && tvConst(p.info, keySource)
	return target{hook: h, cell: ix, m: m, k: k, fixed: fixed, pinned: pinned}, true
}

// locateEntry puts the map and the key of the target into temporaries where
// they are needed again.
func (p *pass) locateEntry(t *target, seq *[]dst.Stmt) {
	if t.hook == nil && !t.pinned {
		return
	}
	t.m = p.intoTemp(t.m, seq)
	if !t.fixed {
		t.k = p.intoTemp(t.k, seq)
	}
	ix := t.cell.(*dst.IndexExpr)
	ix.X, ix.Index = t.m, t.k
}

func (p *pass) intoTemp(e dst.Expr, seq *[]dst.Stmt) dst.Expr {
	if id, ok := e.(*dst.Ident); ok && isTemp(id.Name) {
		return e
	}
	name := p.temp(tempPrefix)
	*seq = append(*seq, define(name, e))
	return ident(name)
}

func isTemp(name string) bool {
	return len(name) > len(tempPrefix) && name[:len(tempPrefix)] == tempPrefix
}

// fix evaluates the operands of the place e that call or receive into
// temporaries, in Go's order, and puts the temporaries in their place. What is
// only read stays where it is, to be read when the right-hand sides have been
// evaluated, as the compiler does it.
func (p *pass) fix(e dst.Expr, seq *[]dst.Stmt) {
	source := p.expr(e)
	value := func(x *dst.Expr, source ast.Expr) {
		if isEffectful(*x) && p.runs(source) {
			name := p.temp(tempPrefix)
			*seq = append(*seq, define(name, *x))
			*x = ident(name)
		}
	}
	switch e := e.(type) {
	case *dst.ParenExpr:
		p.fix(e.X, seq)
	case *dst.StarExpr:
		if source, ok := source.(*ast.StarExpr); ok {
			value(&e.X, source.X)
		}
	case *dst.SelectorExpr:
		source, ok := source.(*ast.SelectorExpr)
		switch {
		case !ok:
		case pointsTo(p.info.TypeOf(source.X)):
			value(&e.X, source.X)
		default:
			p.fix(e.X, seq)
		}
	case *dst.IndexExpr:
		source, ok := source.(*ast.IndexExpr)
		if !ok {
			return
		}
		if _, isArray := p.info.TypeOf(source.X).Underlying().(*types.Array); isArray {
			p.fix(e.X, seq)
		} else {
			value(&e.X, source.X)
		}
		value(&e.Index, source.Index)
	}
}

// isDirect says whether writing the place down twice is sure to denote the
// same memory both times, whatever other goroutines do: a chain of fields
// whose only pointer, if any, is an uncaptured local.
func (p *pass) isDirect(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		sel := p.info.Selections[e]
		if sel == nil {
			return true // a variable of another package
		}
		if _, isPointer := p.info.TypeOf(e.X).Underlying().(*types.Pointer); isPointer {
			return len(sel.Index()) == 1 && p.isOwn(e.X)
		}
		return !sel.Indirect() && p.isDirect(e.X)
	case *ast.StarExpr:
		return p.isOwn(e.X)
	case *ast.Ident:
		return true
	}
	return false
}

// isOwn says whether e is a local variable that no function literal shares.
func (p *pass) isOwn(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.info.ObjectOf(id).(*types.Var)
	if !ok || !isLocal(v) || p.plan.changing[v] {
		return false
	}
	return p.hook(e, atomicity.Read, access.Cell) == nil && within(v, p.fn().node)
}

func within(v *types.Var, n ast.Node) bool {
	return n != nil && n.Pos() <= v.Pos() && v.Pos() < n.End()
}

func (p *pass) isMap(e dst.Expr) bool {
	source := p.expr(e)
	if source == nil {
		return false
	}
	_, ok := p.info.TypeOf(source).Underlying().(*types.Map)
	return ok
}

func (p *pass) isPointer(e dst.Expr) bool {
	source := p.expr(e)
	if source == nil {
		return false
	}
	_, ok := p.info.TypeOf(source).Underlying().(*types.Pointer)
	return ok
}

// store assigns the value to the target, between the hooks if it has one.
// Nothing but the store stands between them.
func (p *pass) store(t target, value dst.Expr) []dst.Stmt {
	if t.hook == nil {
		return []dst.Stmt{assign(t.cell, value)}
	}
	if t.m != nil {
		return p.around(t, assign(t.cell, value))
	}
	return p.bracketed(t.hook, p.pointer(t.at), p.sizeof(again(t.cell)), assign(t.cell, value))
}

// bracketed hooks the write to the size bytes at the pointer: in the window of
// a full hook is that of a light one.
func (p *pass) bracketed(h *hook, at, size dst.Expr, write dst.Stmt) []dst.Stmt {
	marked := p.marked(h, at, size, write)
	if !h.full {
		return marked
	}
	location := p.location(h)
	after := statement(call(selector(frameName, "After"), again(location), again(at)))
	p.useFrame(h)
	if !p.isPlain(h) {
		before := statement(call(selector(frameName, "Before"), location, again(at), again(size)))
		return append(append([]dst.Stmt{before}, marked...), after)
	}
	touched := p.temp(touchPrefix)
	touch := define(touched, call(selector(frameName, "Touch"), location, again(at), again(size)))
	return append(append([]dst.Stmt{touch}, marked...),
		&dst.IfStmt{Cond: ident(touched), Body: &dst.BlockStmt{List: []dst.Stmt{after}}})
}

// isPlain says whether no section begins or ends at the hook, and nothing heals
// its variable by default.
func (p *pass) isPlain(h *hook) bool {
	l := &h.table.locations[h.index]
	return len(l.entry) == 0 && len(l.ends) == 0 && len(l.sets) == 0 && !p.isHealed(h)
}

// marked puts the light hooks around the write to the size bytes at the pointer.
func (p *pass) marked(h *hook, at, size dst.Expr, write dst.Stmt) []dst.Stmt {
	if p.plan.control {
		p.count(h)
		return []dst.Stmt{statement(p.heal("Access", p.location(h), at, size, p.truth())), write}
	}
	p.fn().self = true
	p.count(h)
	args := []dst.Expr{ident(selfName), p.location(h), at, size}
	mark := p.temp(marksPrefix)
	return []dst.Stmt{
		statement(p.heal("Look", againAll(args[1:])...)),
		define(mark, p.heal("Mark", args...)),
		write,
		statement(p.heal("Clear", ident(mark))),
	}
}

// around hooks a write to the map entry of the target.
func (p *pass) around(t target, write dst.Stmt) []dst.Stmt {
	args := append(p.use(t.hook), again(t.m), again(t.k))
	if p.plan.control {
		return []dst.Stmt{statement(p.heal("AccessMap", args...)), write}
	}
	if !t.hook.full {
		mark := p.temp(marksPrefix)
		return []dst.Stmt{define(mark, p.heal("MarkMap", args...)), write, statement(p.heal("Clear", ident(mark)))}
	}
	return []dst.Stmt{
		statement(p.heal("BeforeKey", args...)),
		write,
		statement(p.heal("AfterKey", againAll(args)...)),
	}
}

func againAll(list []dst.Expr) []dst.Expr {
	out := make([]dst.Expr, len(list))
	for i, e := range list {
		out[i] = again(e)
	}
	return out
}

// load is the hooked value of the target, for x op= y and x++.
func (p *pass) loadTarget(t target, h *hook) dst.Expr {
	if h == nil {
		return again(t.cell)
	}
	if t.m != nil {
		name := "MapPeek"
		if h.full {
			name = "MapLoad"
		}
		return p.heal(name, append(p.use(h), again(t.m), again(t.k))...)
	}
	return p.loadAt(h, again(t.at))
}

// value puts e into a temporary unless its evaluation is beyond notice. The
// result is to be assigned to a variable of type want.
func (p *pass) value(e dst.Expr, want types.Type, seq *[]dst.Stmt) (dst.Expr, bool) {
	source := p.expr(e)
	if source == nil || p.isTrivial(source) {
		return e, true
	}
	name := p.temp(tempPrefix)
	if p.isUntypedShift(source) {
		t, ok := p.typeExpr(p.info.TypeOf(source), source.Pos())
		if !ok {
			return nil, false
		}
		e = call(t, e)
	}
	*seq = append(*seq, define(name, e))
	if p.isUntypedBool(source) && !isPlainBool(want) {
		return &dst.BinaryExpr{X: ident(name), Op: token.EQL, Y: p.truth()}, true
	}
	return ident(name), true
}

func isPlainBool(t types.Type) bool {
	return t != nil && (types.IsInterface(t) || types.Identical(t, types.Typ[types.Bool]))
}

// isTrivial says whether e can be evaluated between the hooks: a constant,
// nil, a function's name, or a local variable of this function alone.
func (p *pass) isTrivial(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tvConst(p.info, e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		if _, ok := p.info.Uses[e].(*types.Func); ok {
			return true
		}
		return p.isOwn(e)
	case *ast.SelectorExpr:
		_, isFunc := p.info.Uses[e.Sel].(*types.Func)
		return isFunc && p.info.Selections[e] == nil
	case *ast.IndexExpr:
		return p.isTrivialInstance(e.X)
	case *ast.IndexListExpr:
		return p.isTrivialInstance(e.X)
	}
	return false
}

func (p *pass) isTrivialInstance(e ast.Expr) bool {
	_, isFunc := p.info.TypeOf(e).(*types.Signature)
	return isFunc && p.isTrivial(e)
}
