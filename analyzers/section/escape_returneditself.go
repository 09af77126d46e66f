package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// leavingLocked are the names of functions that return with a lock held.
var leavingLocked = pattern.New(`(?i)lock|acquire|begin`)

// returnsInner finds methods that return to outside, under the lock of their object, a slice or map
// itself which the object keeps, while another function moves its elements in place, or writes
// its entries, with the lock held:
//
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	return s.jobs[key] // elsewhere, under s.mu: s.jobs[key] = slices.Delete(s.jobs[key], i, i+1)
//
// Whoever gets it reads without the lock.
func (s *search) returnsInner() {
	fn := s.body.Func
	if fn == nil || !s.returnedOutside(s.body, 0) || fn.Signature().Recv() == nil || leavingLocked.MatchString(fn.Name()) || forTests(s.pkg.Types) ||
		!s.shared.Entered(s.body) && !s.shared.Launched(s.body) || s.shared.UsedByOne(s.body) || s.readies() {
		return
	}
	reported := map[access.Var]bool{}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if s.handsLock(n) {
				return false
			}
			for _, r := range s.returnedParts(n) {
				if src := s.returnedItself(r); src != nil && !reported[src.Var] && s.changedMeanwhile(src, r) {
					reported[src.Var] = true
				} else if src := s.returnedBare(r); src != nil && !reported[src.Var] && s.changedUnderLock(src, r) {
					reported[src.Var] = true
				}
			}
		}
		return true
	})
}

// handsLock says whether the statement returns a lock as well, return s.jobs, &s.mu: whoever gets it
// is to take that.
func (s *search) handsLock(ret *ast.ReturnStmt) bool {
	return slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return accesses.IsLock(s.pkg.Info.TypeOf(e)) })
}

// returnedParts are what the statement returns, and what it puts into a composite literal that it returns, or
// a pointer to, unless that is a copy of the receiver (see clonedApart).
func (s *search) returnedParts(ret *ast.ReturnStmt) []ast.Expr {
	all := slices.Clone(ret.Results)
	for _, r := range ret.Results {
		r = ast.Unparen(r)
		if u, ok := r.(*ast.UnaryExpr); ok {
			r = ast.Unparen(u.X)
		}
		lit, ok := r.(*ast.CompositeLit)
		if !ok || accesses.TypeName(s.pkg.Info.TypeOf(lit)) == accesses.TypeName(s.body.Func.Signature().Recv().Type()) {
			continue
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			all = append(all, e)
		}
	}
	return all
}

// returnedOutside says whether the function is exported, or what it returns is returned by one that is.
func (s *search) returnedOutside(b *accesses.Body, depth int) bool {
	if b.Func == nil || b.Func.Exported() || depth > 2 {
		return b.Func != nil && b.Func.Exported()
	}
	return slices.ContainsFunc(s.callersOf(b.Func), func(c *accesses.Body) bool {
		if c.Func == nil || len(c.Block.List) == 0 {
			return false
		}
		ret, ok := c.Block.List[len(c.Block.List)-1].(*ast.ReturnStmt)
		if !ok || len(ret.Results) != 1 {
			return false
		}
		call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr)
		return ok && s.locks.Callee(call) == b.Func && s.returnedOutside(c, depth+1)
	})
}

// returnedItself is the read, of a field or of an entry of a map, whose value the expression
// has, a slice or map: as it is, in a local, or by a getter; or nil.
func (s *search) returnedItself(e ast.Expr) *occurrence {
	e = ast.Unparen(e)
	into := e
	if t := s.pkg.Info.TypeOf(e); t == nil || !isSlice(t) && !isMap(t) {
		return nil
	}
	if id, ok := e.(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if len(list) != 1 || len(s.values.filled[s.pkg.Info.ObjectOf(id)]) > 0 {
			return nil
		}
		e = ast.Unparen(list[0].value)
	}
	for _, a := range s.values.reads[e] {
		o := s.occ[a]
		if o == nil || o.Mode != atomicity.Read || o.lit || !o.Var.Obj.IsField() || !o.held.Any() || a.Kind != access.Cell && a.Kind != access.MapElement {
			continue
		}
		if o.via == nil && a.Expr == e || o.via == e && s.returnsItself(o, s.pkg.Info.TypeOf(into)) {
			return o
		}
	}
	return nil
}

// changedMeanwhile reports the read if another function changes in place what it returns. What
// the body itself stores anew, or removes from its map, is its own.
func (s *search) changedMeanwhile(src *occurrence, at ast.Expr) bool {
	if s.reachOf(src) == shared.Private || slices.ContainsFunc(s.order, func(w *occurrence) bool { return w.Mode == atomicity.Write && w.Var == src.Var }) {
		return false
	}
	for _, l := range locksOf(src.held) {
		if l.Root != src.place.Root || src.held[l] <= locks.Possible || !s.acquires(l) {
			continue
		}
		by, how := s.changedBy(src, locks.ClassOf(l))
		if by == nil {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, src.Var, map[*accesses.Body]bool{by: true}); !strong {
			continue
		}
		c := s.direct("testuse", "guarded-escape", src.source(), src.Pos(), at.Pos())
		c.Via = src.via
		c.Roles = [2]string{"read", "returned"}
		c.Protected = l.String()
		c.Message = fmt.Sprintf("%s is returned itself, and no copy: whoever gets it reads it without %s, while %s %s", types.ExprString(src.Expr), l, by.Fn.Name, how)
		s.tell(c, src, src.source())
		return true
	}
	return false
}

// acquires says whether the body takes the lock itself.
func (s *search) acquires(l accesses.Place) bool {
	for _, events := range s.body.Events {
		for _, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && op.Lock == l {
					return true
				}
			}
		}
	}
	return false
}

// changedBy is another function that changes in place, with a lock of the class held, what src
// reads: it moves the elements of the slice, sets one or a field of it, or writes entries of the
// map; and what it does.
func (s *search) changedBy(src *occurrence, class string) (*accesses.Body, string) {
	if isSlice(s.pkg.Info.TypeOf(src.Expr)) {
		shift, b := s.shiftOf(src.Var, class)
		if shift == nil {
			return s.elementsSet(src, class)
		}
		return b, "moves its elements in place (" + types.ExprString(shift.(ast.Expr)) + ")"
	}
	entries := access.Var{Obj: src.Var.Obj, Contents: true}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	if src.Var == entries { // a map in a map
		for _, w := range s.innerWrites(src.Var) {
			s.bodyState = s.states[w.body]
			if !s.shared.Constructing(w.body) && w.held[w.lockOf(class)] == locks.Exclusive {
				return w.body, "writes its entries (" + types.ExprString(w.source().Expr) + ")"
			}
		}
		return nil, ""
	}
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Var == entries && w.Kind == access.MapElement && w.Mode == atomicity.Write && w.via == nil && w.held[w.lockOf(class)] == locks.Exclusive && s.reachOf(w) != shared.Private {
				if _, strong, _ := s.shared.RivalsAmong(current.body, src.Var, map[*accesses.Body]bool{b: true}); !strong {
					break // the next one may be
				}
				return b, "writes its entries (" + types.ExprString(w.Expr) + ")"
			}
		}
	}
	return nil, ""
}

// elementsSet is another function that sets elements of the slice, or fields of them, and does not
// make the slice anew in the same critical section.
func (s *search) elementsSet(src *occurrence, class string) (*accesses.Body, string) {
	if src.Var.Contents {
		return nil, ""
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == current.body.Outermost() || s.shared.Constructing(b) || !s.accessors(src.Var.Obj)[b] {
			continue
		}
		s.bodyState = s.states[b]
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.via != nil || !s.withinElement(w.Expr, src.Var.Obj) || w.held[w.lockOf(class)] != locks.Exclusive || s.reachOf(w) == shared.Private ||
				slices.ContainsFunc(s.order, func(k *occurrence) bool {
					return k.Var == src.Var && k.Mode == atomicity.Write && s.oneHold(k, w)
				}) {
				continue
			}
			return b, "sets elements of it (" + types.ExprString(w.Expr) + ")"
		}
	}
	return nil, ""
}

// withinElement says whether the expression is an element of the slice, or a field of one that is
// a struct.
func (s *search) withinElement(e ast.Expr, slice *types.Var) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			return s.variable(x.X) == slice
		case *ast.SelectorExpr:
			if t := s.pkg.Info.TypeOf(x.X); t == nil || pointers(t) {
				return false
			}
			e = x.X
		default:
			return false
		}
	}
}
