package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// setInTurn finds two fields that are given the parts of one value by two critical sections
// in turn, mostly by a setter each: x.setHost(a.Host); x.setPort(a.Port). Others read both
// in one critical section and use them together: the one that is new with the other one.
// Where another function sets both in one critical section, or the one tells where to find
// something in the other, they belong together whatever they are made of.
func (s *search) setInTurn() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.readies() || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, e := range s.order {
		if !s.partStored(e) || !s.ownLockOf(e, e.held) || s.reachOf(e) < shared.Meant {
			continue
		}
		done := false
		s.later(e, func(o *occurrence) {
			if done || !s.partStored(o) || e.via == o.via && e.via != nil || s.awaits(e, o) {
				return
			}
			var reader *accesses.Body
			if (s.ofOneValue(e, o) || s.matched(e, o)) && s.setOnlyHere(e, o) {
				reader = s.usesBoth(e.Var, o.Var)
			}
			if reader == nil {
				reader = s.readerOfBoth(e, o)
			}
			if reader == nil || reader.Outermost() == s.body.Outermost() || s.setsBoth(e, o) {
				return
			}
			if _, strong, _ := s.shared.RivalsAmong(s.body, e.Var, map[*accesses.Body]bool{reader: true}); !strong {
				return
			}
			done = true
			s.halfSet(e, o, reader)
		})
	}
}

// setsBoth says whether the other field is set in the critical section of e as well, as it is
// where the section is entered anew by a loop or by another call: c.set(a, b); …; c.set(d, e).
func (s *search) setsBoth(e, o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(p *occurrence) bool {
		if p.Var != o.Var || p.Mode != atomicity.Write || p.place != o.place || (p.via == nil) != (e.via == nil) {
			return false
		}
		return p.via == e.via && (p.via != nil || s.oneHold(e, p) || s.oneHold(p, e))
	})
}

func (s *search) halfSet(e, o *occurrence, reader *accesses.Body) {
	if slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Analyzer == "multivar" && c.Pos == e.Pos() && c.EndPos == o.Pos()
	}) {
		return
	}
	c := s.direct("multivar", "multi-variable", e.source(), e.Pos(), o.Pos())
	c.Via, c.EndVia = e.via, o.via
	c.EndName = s.pkg.Name(o.source().Var)
	c.Roles = [2]string{"set", "set later"}
	c.Message = fmt.Sprintf("%s and %s are set in two critical sections, one after the other; %s reads both in one, and can find the new one of the first with the old one of the second",
		e.place, o.place, reader.Fn.Name)
	s.tell(c, e, o.source())
}

// partStored says whether the write gives a field a value that is no constant.
func (s *search) partStored(w *occurrence) bool {
	if w.Mode != atomicity.Write || w.Kind != access.Cell || w.lit || w.later || w.Update != nil || w.Var.Contents || isFlag(w.Var) || !w.place.Valid() || !w.Var.Obj.IsField() || w.depth > 1 {
		return false
	}
	v := s.given(w)
	return v != nil && s.pkg.Info.Types[v].Value == nil && !s.unsets(v)
}

// given is the expression of this body whose value the write stores, or nil.
func (s *search) given(w *occurrence) ast.Expr {
	values := w.stores
	if w.via == nil {
		values = stored(w.Access)
	}
	if len(values) != 1 {
		return nil
	}
	return values[0]
}

// ofOneValue says whether the two store parts of one value: fields of one local, results of
// one call, or two parameters of the function.
func (s *search) ofOneValue(e, o *occurrence) bool {
	from := s.origins(s.given(e))
	return slices.ContainsFunc(s.origins(s.given(o)), func(x any) bool { return slices.Contains(from, x) })
}

// origins are the origins of the expression, or of the fields of the struct that it makes.
func (s *search) origins(e ast.Expr) []any {
	parts := []ast.Expr{e}
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		parts = nil
		for _, el := range lit.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			parts = append(parts, el)
		}
	}
	var list []any
	for _, part := range parts {
		from := s.origin(part, 0)
		if from == nil {
			continue
		}
		list = append(list, from)
		if call, ok := from.(*ast.CallExpr); ok { // of parts of a value, which it may check as well
			for _, arg := range call.Args {
				if _, isField := ast.Unparen(arg).(*ast.SelectorExpr); !isField {
					continue
				}
				if from := s.origin(arg, 0); from != nil {
					list = append(list, from)
				}
			}
		}
	}
	return list
}

// matched says whether what the two store are locals that a call of the body has taken
// together before, as one that checks whether a key belongs to a certificate, or that come
// from two calls of one function.
func (s *search) matched(e, o *occurrence) bool {
	a, b := s.local(s.given(e)), s.local(s.given(o))
	if a == nil || b == nil || a == b {
		return false
	}
	if x, y := s.maker(a), s.maker(b); x != nil && x == y {
		return true
	}
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() > e.Pos() || reporting.MatchString(types.ExprString(call.Fun)) {
			return !found
		}
		first, second := false, false
		for _, x := range call.Args {
			first, second = first || s.local(x) == a, second || s.local(x) == b
		}
		found = found || first && second
		return !found
	})
	return found
}

// local is the local variable that the expression is, or nil.
func (s *search) local(e ast.Expr) types.Object {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) {
		return nil
	}
	return v
}

// maker is the function whose call has returned what the local holds, or nil.
func (s *search) maker(local types.Object) *types.Func {
	list := s.values.assigns[local]
	if len(list) != 1 {
		return nil
	}
	call, ok := ast.Unparen(list[0].value).(*ast.CallExpr)
	if !ok {
		return nil
	}
	return s.locks.Callee(call)
}

// origin is the local whose parts make the expression, the call that has returned it, or
// the signature whose parameter it is.
func (s *search) origin(e ast.Expr, depth int) any {
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if sel := s.pkg.Info.Selections[x]; sel != nil && sel.Kind() == types.FieldVal {
			return s.base(x.X)
		}
	case *ast.IndexExpr:
		return s.base(x.X)
	case *ast.CallExpr:
		if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && len(x.Args) == 0 && s.pkg.Info.Selections[sel] != nil {
			return s.base(sel.X) // a getter of the value
		}
		if len(x.Args) == 1 && s.pkg.Info.Types[x.Fun].IsType() {
			return s.origin(x.Args[0], depth)
		}
	case *ast.Ident:
		obj := s.pkg.Info.ObjectOf(x)
		list := s.values.assigns[obj]
		if len(list) == 1 && depth < 3 {
			if call, ok := ast.Unparen(list[0].value).(*ast.CallExpr); ok && len(s.values.taken[call]) > 1 {
				return call
			}
			return s.origin(list[0].value, depth+1)
		}
		if sig := s.body.Type(s.pkg.Info); len(list) == 0 && sig != nil {
			for p := range sig.Params().Variables() {
				if types.Object(p) == obj {
					return sig
				}
			}
		}
	}
	return nil
}

// base is the local at the root of the expression, if it is one of the body's own.
func (s *search) base(e ast.Expr) any {
	pl := s.pkg.PlaceOf(e)
	if !pl.Valid() || accesses.IsGlobal(pl.Root) {
		return nil
	}
	if fn := s.body.Outermost().Func; fn != nil && fn.Signature().Recv() != nil && pl.Root == types.Object(fn.Signature().Recv()) {
		return nil
	}
	return pl.Root
}

// setOnlyHere says whether nobody sets one of the two alone: they are set by methods that
// are not exported, of which the callers call both, or by functions that write both.
func (s *search) setOnlyHere(e, o *occurrence) bool {
	both := map[*accesses.Body]int{}
	setters := map[*accesses.Body]bool{}
	for _, w := range []*occurrence{e, o} {
		if w.via == nil {
			continue
		}
		fn := s.locks.Callee(w.via)
		if fn == nil || fn.Exported() || s.pkg.ByFunc[fn] == nil {
			return false
		}
		setters[s.pkg.ByFunc[fn]] = true
		for _, c := range s.callersOf(fn) {
			both[c]++
		}
	}
	if len(setters) == 2 {
		for _, n := range both {
			if n < 2 {
				return false
			}
		}
	}
	c := s.couplings()[couple{e.Var, o.Var}]
	for _, v := range []access.Var{e.Var, o.Var} {
		for b := range s.writers[v] {
			if !setters[b] && both[b] == 0 && b.Outermost() != s.body.Outermost() && !s.shared.Constructing(b) && (c == nil || !c.written[b]) && s.writesBesides(b, v) {
				return false
			}
		}
	}
	return true
}

// writesBesides says whether the body b writes the variable otherwise than by a call of
// this function, and does more than to empty it.
func (s *search) writesBesides(b *accesses.Body, v access.Var) bool {
	return slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
		if w.Var != v || w.Mode != atomicity.Write || w.via != nil && s.locks.Callee(w.via) == s.body.Func {
			return false
		}
		values := stored(w.source())
		return len(values) != 1 || !isEmptyStruct(s.values.underlying(values[0]), values[0])
	})
}

// isEmptyStruct says whether e, of type t, is a struct with nothing in it: T{}.
func isEmptyStruct(t types.Type, e ast.Expr) bool {
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	_, ok = t.(*types.Struct)
	return ok
}

// usesBoth is a body that reads both variables in one critical section and uses them
// together.
func (s *search) usesBoth(a, b access.Var) *accesses.Body {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, body := range s.pkg.Bodies {
		if !s.accessors(a.Obj)[body] || !s.accessors(b.Obj)[body] || s.shared.Constructing(body) {
			continue
		}
		s.bodyState = s.states[body]
		for _, set := range s.holdsOf(body) {
			for _, x := range set[a] {
				for _, y := range set[b] {
					if x.Mode == atomicity.Read && y.Mode == atomicity.Read && x.via == nil && y.via == nil && s.usedTogether(x, y) {
						return body
					}
				}
			}
		}
	}
	return nil
}
