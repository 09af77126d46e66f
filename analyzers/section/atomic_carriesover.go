package section

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// carriesOver says whether what h stores into an atomic variable is an object that contents
// of the one which the entry has loaded went into, by whatever clones, loops, literals and
// functions of the package: the next one is made of this one.
//
//	cur := g.live.Load()
//	next := &table{routes: maps.Clone(cur.routes)}
//	next.routes[prefix] = upstream
//	g.live.Store(next)
func (f *finding) carriesOver(h *hit) bool {
	if f.entry.Kind != access.Atomic || h.Kind != access.Atomic || f.entry.Mode != atomicity.Read {
		return false
	}
	values := stored(h.Access)
	if h.via != nil {
		values = h.stores
	}
	if !f.holdsPointer(values) {
		return false
	}
	c := &contents{search: f.search, values: f.values, read: f.entry.Access, seen: map[ast.Expr]bool{}}
	for _, v := range values {
		if c.in(v, 0) {
			return true
		}
	}
	return false
}

// contents traces what is inside of one value, that of a read or of a parameter, through the
// locals of a function.
type contents struct {
	*search
	values *values
	read   *access.Access
	param  types.Object
	seen   map[ast.Expr]bool
}

// cloning are the names of functions that return a copy of what they are given.
var cloning = pattern.New(`(?i)clone|copy`)

// in says whether some of the contents are in e as well.
func (c *contents) in(e ast.Expr, depth int) bool {
	if e == nil || depth > 16 {
		return false
	}
	for _, a := range c.values.reads[e] {
		if a == c.read {
			return true
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.in(e.X, depth)
	case *ast.Ident:
		return c.inLocal(e, depth)
	case *ast.UnaryExpr:
		return e.Op == token.AND && c.in(e.X, depth+1)
	case *ast.StarExpr:
		return c.in(e.X, depth+1)
	case *ast.SelectorExpr:
		return c.in(e.X, depth+1)
	case *ast.IndexExpr:
		return c.in(e.X, depth+1)
	case *ast.SliceExpr:
		return c.in(e.X, depth+1)
	case *ast.TypeAssertExpr:
		return c.in(e.X, depth+1)
	case *ast.BinaryExpr:
		return (e.Op == token.ADD || e.Op == token.SUB || e.Op == token.OR) && (c.in(e.X, depth+1) || c.in(e.Y, depth+1))
	case *ast.CompositeLit:
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			if c.in(el, depth+1) {
				return true
			}
		}
	case *ast.CallExpr:
		return c.inResult(e, depth)
	}
	return false
}

// inLocal is in for what the local has been set to, and what was stored into it, so far.
func (c *contents) inLocal(id *ast.Ident, depth int) bool {
	obj := c.pkg.Info.ObjectOf(id)
	if obj == nil {
		return false
	}
	if t := obj.Type(); t == nil || isError(t) || isBoolean(t) {
		return false
	}
	at := c.pkg.Order(id.Pos())
	once := func(e ast.Expr) bool {
		if c.seen[e] {
			return false
		}
		c.seen[e] = true
		return c.in(e, depth+1)
	}
	for _, list := range [][]assignment{c.values.filled[obj], c.values.within[obj]} {
		for _, d := range list {
			if d.at <= at && once(d.value) {
				return true
			}
		}
	}
	list := c.values.assigns[obj]
	for i := len(list) - 1; i >= 0; i-- {
		d := list[i]
		if d.at > at {
			continue
		}
		if once(d.value) {
			return true
		}
		if !d.onto && d.from <= at && at < d.to {
			return false
		}
	}
	return c.param != nil && obj == c.param
}

// inResult is in for the first result of a call.
func (c *contents) inResult(call *ast.CallExpr, depth int) bool {
	operands := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.pkg.Info.Selections[sel] != nil {
		operands = append([]ast.Expr{sel.X}, call.Args...)
	}
	anyOf := func(list []ast.Expr) bool {
		for _, e := range list {
			if c.in(e, depth+1) {
				return true
			}
		}
		return false
	}
	if c.pkg.Info.Types[call.Fun].IsType() {
		return anyOf(call.Args)
	}
	if id := identOf(call.Fun); id != nil {
		if b, ok := c.pkg.Info.Uses[id].(*types.Builtin); ok {
			switch b.Name() {
			case "append", "min", "max", "new":
				return anyOf(call.Args)
			}
			return false
		}
	}
	fn := c.locks.Callee(call)
	if fn == nil {
		return cloning.MatchString(types.ExprString(call.Fun)) && anyOf(operands)
	}
	if b := c.pkg.ByFunc[fn.Origin()]; b != nil {
		for _, p := range c.keptParams(b) {
			arg := c.locks.Argument(call, fn.Origin(), p)
			if arg == nil {
				arg = c.locks.Argument(call, fn, p)
			}
			if arg != nil && c.in(arg, depth+1) {
				return true
			}
		}
		return false
	}
	if fn.Pkg() == nil || access.IsAtomic(fn.Pkg().Path()) {
		return false
	}
	switch fn.Pkg().Path() {
	case "maps", "slices", "golang.org/x/exp/maps", "golang.org/x/exp/slices":
		return anyOf(call.Args)
	}
	sig := fn.Signature()
	if cloning.MatchString(fn.Name()) {
		return anyOf(operands)
	}
	// What a method makes of its receiver, as a logger With a field.
	return sig.Recv() != nil && sig.Results().Len() > 0 && types.Identical(sig.Results().At(0).Type(), sig.Recv().Type()) && len(operands) > 0 && anyOf(operands[:1])
}

// keptParams are the parameters of the function, and its receiver, of which contents are in its
// first result.
func (s *search) keptParams(b *accesses.Body) []*types.Var {
	if known, ok := s.kept[b]; ok {
		return known
	}
	if s.kept == nil {
		s.kept = map[*accesses.Body][]*types.Var{}
	}
	s.kept[b] = nil // recursion adds nothing
	sig := b.Func.Signature()
	if sig.Results().Len() == 0 || len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	var results []ast.Expr
	for _, events := range b.Events {
		for _, ev := range events {
			if ret, ok := ev.Node.(*ast.ReturnStmt); ok && ev.Kind == accesses.OnReturn && len(ret.Results) > 0 {
				results = append(results, s.pkg.PlainReturn(ret).Results[0])
			}
		}
	}
	var list []*types.Var
	consider := func(p *types.Var) {
		if p == nil {
			return
		}
		switch p.Type().Underlying().(type) {
		case *types.Basic, *types.Signature, *types.Chan:
			return
		}
		c := &contents{search: s, values: s.stateOf(b).values, param: p, seen: map[ast.Expr]bool{}}
		for _, r := range results {
			if c.in(r, 0) {
				list = append(list, p)
				return
			}
		}
	}
	consider(sig.Recv())
	for p := range sig.Params().Variables() {
		consider(p)
	}
	s.kept[b] = list
	return list
}
