package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// Methods by which a cache is asked for what is kept under a key, and is given it.
var (
	asksCache  = pattern.New(`^([gG]et|[lL]ookup|[pP]eek|[lL]oad|[fF]ind)($|[A-Z0-9])`)
	fillsCache = pattern.New(`^([sS]et|[aA]dd|[pP]ut|[sS]tore|[iI]nsert)($|[A-Z0-9])`)
)

// computedAgain finds functions that ask a cache for what is kept under a key, and then, under a lock that is taken
// only afterwards, enter the key among those which are being computed, since it is not one of them:
//
//	if v, ok := c.values.Get(key); ok { return v }
//	c.mu.Lock()
//	if p, ok := c.pending[key]; ok { c.mu.Unlock(); return p.wait() }
//	c.pending[key] = newPending() // done: c.values.Set(key, v); delete(c.pending, key)
//	c.mu.Unlock()
//
// Who computes it can be done in between: it is in the cache, and no longer among those that are being computed. What
// is to be done by one alone is done again. Who asks the cache once more under the lock does right.
func (s *search) computedAgain() {
	if s.body.Func == nil || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, reg := range s.order {
		if !entersKey(reg.Access) || reg.Kind != access.MapElement || reg.via != nil || reg.lit || reg.later || !reg.held.Excludes() || !s.isWaitedFor(reg.Var.Obj.Type()) || s.reachOf(reg) < shared.Meant {
			continue
		}
		id, ok := ast.Unparen(reg.Key).(*ast.Ident)
		if !ok {
			continue
		}
		key := s.pkg.Info.ObjectOf(id)
		look := slices.IndexFunc(s.order, func(o *occurrence) bool {
			return o.via == nil && o.Mode == atomicity.Read && o.Kind == access.MapElement && o.Var == reg.Var && o.place == reg.place && o.Key != nil && s.isObject(o.Key, key) && s.oneHold(o, reg)
		})
		if look < 0 || !s.deletesEntries(reg.Var) {
			continue
		}
		asks := s.cacheAskedFor(key, reg)
		if asks == nil || !s.cacheFilled(asks, reg.Var) {
			continue
		}
		c := s.direct("testuse", "test-before-lock", s.order[look].Access, asks.Pos(), reg.Pos())
		c.EndName = s.pkg.Name(reg.Var)
		c.Roles = [2]string{"still without the key", "entered"}
		c.Message = fmt.Sprintf("%s asks for %s before %s is taken: another goroutine can have stored it in between, and removed it from %s again, so that what is to be done once is done a second time",
			types.ExprString(asks.Fun), key.Name(), anyOf(reg.held), reg.place)
		s.tell(c, reg, reg.Access)
		return
	}
}

// isWaitedFor says whether what the map holds is something that others wait for: a channel, or an object with a channel
// or a WaitGroup.
func (s *search) isWaitedFor(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	if isChanType(m.Elem()) {
		return true
	}
	p, ok := m.Elem().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	str, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range str.Fields() {
		if isChanType(f.Type()) || isGroup(f.Type()) {
			return true
		}
	}
	return false
}

// deletesEntries says whether some function takes entries out of the map.
func (s *search) deletesEntries(v access.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		return slices.ContainsFunc(s.stateOf(b).order, func(o *occurrence) bool { return o.Var == v && o.Mode == atomicity.Write && removesEntry(o.Access) })
	})
}

// cacheAskedFor is the call that asks for the key, on the way to reg, where the function returns if it is there, and
// does not ask again with a lock of reg held; or nil.
func (s *search) cacheAskedFor(key types.Object, reg *occurrence) *ast.CallExpr {
	var first *ast.CallExpr
	again := false
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !s.asksCacheFor(call, key) {
			return
		}
		at := &occurrence{Access: &access.Access{Expr: call}, block: block, index: index, held: held, outer: held}
		if !s.leadsTo(at, reg) {
			return
		}
		switch {
		case held.Any():
			again = true
		case first == nil && s.returnsIfThere(call, reg):
			first = call
		}
	})
	if again {
		return nil
	}
	return first
}

// asksCacheFor says whether the call is of a method that asks for what is kept under the key.
func (s *search) asksCacheFor(call *ast.CallExpr, key types.Object) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && asksCache.MatchString(sel.Sel.Name) && slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return s.isObject(a, key) })
}

// returnsIfThere says whether the function has returned, if the call has found something, before it comes to reg: it
// tests its second result, a bool, or whether the first one is nil.
func (s *search) returnsIfThere(call *ast.CallExpr, reg *occurrence) bool {
	var results []types.Object
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		def, ok := n.(*ast.AssignStmt)
		if ok && len(def.Rhs) == 1 && ast.Unparen(def.Rhs[0]) == ast.Expr(call) {
			for _, l := range def.Lhs {
				if id, ok := l.(*ast.Ident); ok {
					results = append(results, s.pkg.Info.ObjectOf(id))
				}
			}
		}
		return results == nil
	})
	if len(results) == 0 || len(results) > 2 {
		return false
	}
	tells := results[len(results)-1]
	if tells == nil || isError(tells.Type()) {
		return false
	}
	for test, conds := range s.body.Conds {
		for _, cond := range conds {
			var id *ast.Ident
			switch cond := ast.Unparen(cond).(type) {
			case *ast.Ident:
				id = cond
			case *ast.BinaryExpr:
				if cond.Op == token.NEQ && s.pkg.Info.Types[cond.Y].IsNil() {
					id, _ = ast.Unparen(cond.X).(*ast.Ident)
				}
			}
			if id == nil || s.pkg.Info.ObjectOf(id) != tells {
				continue
			}
			if len(conds) > 1 {
				return true // ok && fresh
			}
			if ok, edge := s.decides(test, reg.block); ok && edge == 1 {
				return true
			}
		}
	}
	return false
}

// cacheFilled says whether a function of the package gives the asked object what is kept under some key, where one
// that takes entries out of the map calls it or is it.
func (s *search) cacheFilled(asks *ast.CallExpr, pending access.Var) bool {
	of := ast.Unparen(asks.Fun).(*ast.SelectorExpr).X
	fills := func(b *accesses.Body) bool {
		found := false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return !found
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			found = found || ok && len(call.Args) > 1 && fillsCache.MatchString(sel.Sel.Name) && s.askedAndFilled(sel.X, of)
			return !found
		})
		return found
	}
	for _, b := range s.pkg.Bodies {
		if slices.ContainsFunc(s.stateOf(b).order, func(o *occurrence) bool {
			return o.Var == pending && o.Mode == atomicity.Write && removesEntry(o.Access)
		}) && fills(b.Outermost()) {
			return true
		}
	}
	return false
}

// askedAndFilled says whether the two expressions are of one field, or of one type of this package.
func (s *search) askedAndFilled(a, b ast.Expr) bool {
	if v := s.variable(a); v != nil && v.IsField() {
		return v == s.variable(b)
	}
	tn := accesses.TypeName(s.pkg.Info.TypeOf(a))
	return tn != nil && tn == accesses.TypeName(s.pkg.Info.TypeOf(b))
}

func isChanType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Chan)
	return ok
}
