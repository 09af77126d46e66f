package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Accesses to the elements of a slice that no index expression shows: the
// values of a range loop, copy, clear, and append(…, list...). They are in no
// section, so package access does not number them; -races hooks them.

// bulk is a statement or call with such accesses.
type bulk struct {
	node        ast.Node // *ast.RangeStmt or *ast.CallExpr
	read, write *access.Access
}

// bulkHooks are the hooks of a bulk; either may be nil.
type bulkHooks struct{ read, write *hook }

// bulks finds those of one function.
func bulks(info *types.Info, fn *access.Function) []bulk {
	var found []bulk
	fn.Inspect(func(n ast.Node, stmt ast.Stmt, scope ast.Node) {
		found = append(found, bulkOf(info, fn, n, stmt, scope)...)
	})
	return found
}

// bulkOf finds the one that the node is.
func bulkOf(info *types.Info, fn *access.Function, n ast.Node, stmt ast.Stmt, scope ast.Node) []bulk {
	at := func(e ast.Expr, mode atomicity.AccessSet) *access.Access {
		if t := info.TypeOf(e); t == nil || !isSlice(t) {
			return nil
		}
		base := ast.Unparen(e)
		for {
			s, ok := base.(*ast.SliceExpr)
			if !ok {
				break
			}
			base = ast.Unparen(s.X)
		}
		v := access.Contents(info, base)
		if v.Obj == nil || v.Obj.Name() == "_" || scope == nil {
			return nil
		}
		return &access.Access{Var: v, Mode: mode, Kind: access.Element, Expr: e, Cell: e, Stmt: stmt, Scope: scope, Func: fn}
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		if id, isIdent := n.Value.(*ast.Ident); n.Value != nil && !(isIdent && id.Name == "_") {
			return []bulk{{node: n, read: at(n.X, atomicity.Read)}}
		}
	case *ast.CallExpr:
		id, ok := ast.Unparen(n.Fun).(*ast.Ident)
		if !ok {
			break
		}
		b, ok := info.Uses[id].(*types.Builtin)
		switch {
		case !ok:
		case b.Name() == "copy" && len(n.Args) == 2:
			return []bulk{{n, at(n.Args[1], atomicity.Read), at(n.Args[0], atomicity.Write)}}
		case b.Name() == "clear" && len(n.Args) == 1:
			return []bulk{{node: n, write: at(n.Args[0], atomicity.Write)}}
		case b.Name() == "append" && n.Ellipsis.IsValid() && len(n.Args) == 2:
			return []bulk{{node: n, read: at(n.Args[1], atomicity.Read)}}
		}
	}
	return nil
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// addBulk hooks those of the accesses that can race.
func (p *plan) addBulk(found []bulk, shared func(*access.Access) bool) {
	hooked := func(a *access.Access) *hook {
		if a == nil || !shared(a) || isZeroSize(p.pkg.TypesInfo.TypeOf(a.Expr).Underlying().(*types.Slice).Elem()) {
			return nil
		}
		return p.newHook(a, nil)
	}
	for _, b := range found {
		if h := (bulkHooks{hooked(b.read), hooked(b.write)}); h != (bulkHooks{}) {
			p.bulk[b.node] = h
		}
	}
}

// bulkCall hooks copy, clear of a slice, and the last argument of append; nil
// leaves the call in its place.
func (p *pass) bulkCall(e *dst.CallExpr, source ast.Expr) dst.Expr {
	h, ok := p.plan.bulk[source]
	if !ok {
		return nil
	}
	if p.detached[e] == "go" || p.declares("nil") {
		return nil // the other goroutine's stack is not known here
	}
	if e.Ellipsis {
		e.Args[1] = p.heal("PeekSlice", append(p.use(h.read), e.Args[1])...)
		return nil
	}
	if p.plan.control {
		return p.controlBulk(e, source, h)
	}
	var self, to, from dst.Expr = ident("nil"), ident("nil"), ident("nil")
	if h.write != nil {
		args := p.use(h.write)
		self, to = args[0], args[1]
	}
	if len(e.Args) == 1 {
		return p.heal("ClearSlice", self, to, e.Args[0])
	}
	if !isSlice(p.info.TypeOf(source.(*ast.CallExpr).Args[1])) {
		return p.heal("CopyString", self, to, e.Args[0], e.Args[1])
	}
	if h.read != nil {
		from = p.use(h.read)[0]
	}
	return p.heal("CopySlice", self, to, from, e.Args[0], e.Args[1])
}

// rangeElements looks for writers of the element that a round of the loop has
// read, as first thing in its body: nothing stands in between. The slice goes
// into a temporary by the statements returned.
func (p *pass) rangeElements(s *dst.RangeStmt, source *ast.RangeStmt, h *hook) []dst.Stmt {
	key, isIdent := s.Key.(*dst.Ident)
	switch {
	case s.Key == nil || isBlank(s.Key):
		if s.Tok != token.DEFINE {
			p.unhooked(h, "a range clause that assigns to a variable and has no index")
			return nil
		}
		key = ident(p.temp(tempPrefix))
		s.Key = key
	case !isIdent:
		p.unhooked(h, "the index of the range clause is no variable of its own")
		return nil
	}
	var seq []dst.Stmt
	list := p.intoTemp(s.X, &seq)
	s.X = list
	element := &dst.IndexExpr{X: again(list), Index: ident(key.Name)}
	if p.plan.control {
		p.controlElement(s, source, element)
	}
	look := statement(p.heal("Look", append(p.use(h), p.pointer(address(element)), p.sizeof(again(element)))...))
	p.attribute(look, source)
	look.Decorations().Before, look.Decorations().After = dst.NewLine, dst.NewLine
	s.Body.List = append([]dst.Stmt{look}, s.Body.List...)
	return seq
}
