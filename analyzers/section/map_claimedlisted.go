package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A deed is what is done, in a critical section of its own, to an entry that was put on a
// list since a field of it said that it was its turn.
type deed struct {
	*occurrence
	body *accesses.Body
	call *ast.CallExpr // by which the body that walks the list does it, or nil
}

// claimedListed finds entries of a map that a method, or the body itself, lists by a field of
// theirs, under the lock, and that are put into another state, or deleted, one by one in a
// critical section each, without another look at the field: two goroutines can have the
// same one on their lists, or another function has renewed it since.
//
//	for _, id := range s.due() {          // t.phase == waiting
//		if fn, ok := s.begin(id); ok {    // s.mu.Lock(); t := s.tasks[id]; t.phase = running
//			fn()
//		}
//	}
func (s *search) claimedListed() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, key := range s.walked() {
		look, in, asked, by := s.listOf(key)
		if look == nil {
			continue
		}
		for _, d := range s.deedsTo(key) {
			if s.isClaimedTwice(look, in, asked, by, d) {
				return
			}
		}
	}
}

// walked are the locals that stand for the elements of a list, one after the other.
func (s *search) walked() []types.Object {
	var list []types.Object
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if id, ok := n.Value.(*ast.Ident); ok && id.Name != "_" {
				if t, ok := s.values.underlying(n.X).(*types.Slice); ok && t != nil {
					list = append(list, s.pkg.Info.ObjectOf(id))
				}
			}
		}
		return true
	})
	return list
}

// listOf is the read of the map by which the list was made that the local walks through, the
// body that made it, and the fields of the entries that it has asked for, by a condition.
func (s *search) listOf(key types.Object) (look *occurrence, in *accesses.Body, asked map[*types.Var]bool, by ast.Expr) {
	loop := s.loopOf(key)
	if loop == nil { // the loop assigns to what is there already
		return nil, nil, nil, nil
	}
	from := loop.X
	if id, ok := ast.Unparen(from).(*ast.Ident); ok {
		list := s.values.assigns[s.pkg.Info.ObjectOf(id)]
		if look, asked, by := s.listedHere(s.pkg.Info.ObjectOf(id)); look != nil {
			return look, s.body, asked, by
		}
		if len(list) != 1 {
			return nil, nil, nil, nil
		}
		from = list[0].value
	}
	call, ok := ast.Unparen(from).(*ast.CallExpr)
	b := (*accesses.Body)(nil)
	if ok {
		b = s.pkg.ByFunc[s.locks.Callee(call)]
	}
	if b == nil || b == s.body || len(b.CFG.Blocks) > maxBlocks || s.locksAt(call).Any() {
		return nil, nil, nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.via != nil || !ownMapHold(o) || !s.acquiresOne(o.held) {
			continue
		}
		if loop := s.loopOver(o); loop != nil && s.returnsListed(loop) && !s.changesIn(loop) {
			if asked, by := s.dueIn(loop); len(asked) > 0 {
				return o, b, asked, by
			}
		}
	}
	return nil, nil, nil, nil
}

// listedHere is that read where a loop of the body itself has made the list.
func (s *search) listedHere(list types.Object) (look *occurrence, asked map[*types.Var]bool, by ast.Expr) {
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.via != nil || !ownMapHold(o) {
			continue
		}
		loop := s.loopOver(o)
		if loop == nil || s.changesIn(loop) {
			continue
		}
		for _, add := range s.values.assigns[list] {
			call, ok := ast.Unparen(add.value).(*ast.CallExpr)
			if !ok || len(call.Args) != 2 || s.before(call, loop) || s.pkg.Order(loop.End()) < s.pkg.Order(call.End()) || !s.mentionsOwn(loop, call.Args[1]) {
				continue
			}
			if asked, by := s.dueIn(loop); len(asked) > 0 {
				return o, asked, by
			}
		}
	}
	return nil, nil, nil
}

// mentionsOwn says whether e is made of the key or value of the loop.
func (s *search) mentionsOwn(loop *ast.RangeStmt, e ast.Expr) bool {
	return slices.ContainsFunc([]ast.Expr{loop.Key, loop.Value}, func(x ast.Expr) bool {
		own, ok := x.(*ast.Ident)
		return ok && s.mentions(e, s.pkg.Info.ObjectOf(own))
	})
}

// changesIn says whether the loop changes an object or a map: it may have claimed what it lists.
func (s *search) changesIn(loop *ast.RangeStmt) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && loop.Pos() < o.Pos() && o.Pos() < loop.End() && o.place.Valid()
	})
}

// ownMapHold says whether o reads a map with a lock of the object that the map belongs to held.
func ownMapHold(o *occurrence) bool {
	return o.Kind == access.MapWhole && o.Var.Obj != nil && o.Var.Obj.IsField() && ownHold(o) != locks.Possible
}

func (s *search) acquiresOne(held locks.Set) bool {
	return slices.ContainsFunc(locksOf(held), s.acquires)
}

// deedsTo are the changes of entries at the key, in the body or in methods of the package
// that are given the key.
func (s *search) deedsTo(key types.Object) []deed {
	list := s.deedsIn(s.body, key, nil)
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || held.Any() {
			return
		}
		fn := s.locks.Callee(call)
		b := s.pkg.ByFunc[fn]
		if b == nil || b == s.body || len(b.CFG.Blocks) > maxBlocks {
			return
		}
		for param := range fn.Signature().Params().Variables() {
			if arg := s.locks.Argument(call, fn, param); arg != nil && s.isObject(arg, key) && !isBoolean(param.Type()) {
				list = append(list, s.deedsIn(b, param, call)...)
			}
		}
	})
	return list
}

// deedsIn are those that the body makes itself, in a critical section that it begins.
func (s *search) deedsIn(b *accesses.Body, key types.Object, call *ast.CallExpr) []deed {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	entries := []types.Object{key}
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.Kind == access.MapElement && r.via == nil && r.Key != nil && s.isObject(r.Key, key) {
			entries = append(entries, s.entriesOf(r)...)
		}
	}
	var list []deed
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.via != nil || w.lit || w.later || !s.acquiresOne(w.held) {
			continue
		}
		switch {
		case w.Kind == access.MapElement && w.Key != nil && s.isObject(w.Key, key):
		case w.Kind == access.Cell && w.Var.Obj.IsField() && w.place.Root != nil && slices.Contains(entries, types.Object(w.place.Root)) && isOneOf(w.place.Root.Type()):
		default:
			continue
		}
		list = append(list, deed{w, b, call})
	}
	return list
}

// isClaimedTwice reports the deed if it sets one of the fields that were asked for, and its
// critical section looks at none of them.
func (s *search) isClaimedTwice(look *occurrence, in *accesses.Body, asked map[*types.Var]bool, by ast.Expr, d deed) bool {
	field, class := s.setsAsked(look, asked, by, d)
	if field == nil || class == "" {
		return false
	}
	if d.call == nil && in == s.body && s.oneHold(look, d.occurrence) || s.shared.Single(s.body) {
		return false
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, d.Var, map[*accesses.Body]bool{d.body: true}); !strong {
		return false
	}
	at := d.Pos()
	if d.call != nil {
		at = d.call.Pos()
	}
	listed := by.Pos()
	c := s.direct("testuse", "unlock-relock", look.Access, listed, at)
	if in != s.body {
		c.Pos = s.loopAt(d).Pos()
		c.Via, c.Within = s.callFor(d), listed
	}
	c.Protected = class
	c.Roles = [2]string{"listed", "set"}
	c.EndName = s.pkg.Name(d.Var)
	if d.call != nil {
		c.EndVia, c.EndWithin = d.call, d.where()
	}
	c.Message = fmt.Sprintf("two goroutines can both list the same entry of %s by its %s and set it: %s is released in between, and it is not looked at again",
		s.pkg.Name(look.Var), field.Name(), class)
	s.tell(c, look, d.source())
	return true
}

// loopAt is the loop over the list in which the deed is done.
func (s *search) loopAt(d deed) ast.Expr {
	var at ast.Expr
	pos := d.Pos()
	if d.call != nil {
		pos = d.call.Pos()
	}
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Pos() < pos && pos < r.End() {
			if _, isSlice := s.values.underlying(r.X).(*types.Slice); isSlice {
				at = r.X
			}
		}
		return true
	})
	return at
}

// callFor is the call by which the list was made.
func (s *search) callFor(d deed) *ast.CallExpr {
	from := s.loopAt(d)
	if id, ok := ast.Unparen(from).(*ast.Ident); ok {
		if list := s.values.assigns[s.pkg.Info.ObjectOf(id)]; len(list) == 1 {
			from = list[0].value
		}
	}
	call, _ := ast.Unparen(from).(*ast.CallExpr)
	return call
}

// setsAsked is the field among those asked for that the deed sets, so that the condition does
// not hold any more, and the lock of the map that it does so under; nil where a condition of
// that body asks for one of the fields.
func (s *search) setsAsked(look *occurrence, asked map[*types.Var]bool, by ast.Expr, d deed) (*types.Var, string) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[d.body]
	field := d.Var.Obj
	if d.Kind != access.Cell || !asked[field] || d.Update != nil || !s.comparedByState(by, field) {
		return nil, ""
	}
	values := stored(d.Access)
	if len(values) != 1 || s.pkg.Info.Types[values[0]].Value == nil {
		return nil, ""
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || !s.oneHold(o, d.occurrence) {
			continue
		}
		if (asked[o.Var.Obj] || o.place.Root != nil && o.place.Root == d.place.Root) && len(s.testsOf(o.Access, false)) > 0 || o.Var == look.Var && o.Kind == access.MapElement && !s.asksForPresence(o) {
			return nil, ""
		}
	}
	for l, m := range d.held {
		if m != locks.Exclusive || !slices.ContainsFunc(locksOf(look.held), func(k accesses.Place) bool { return locks.ClassOf(k) == locks.ClassOf(l) }) {
			continue
		}
		return field, l.String()
	}
	return nil, ""
}

// comparedByState says whether the condition compares the field for equality, or takes it as
// a flag: a bound would be passed by others as well.
func (s *search) comparedByState(cond ast.Expr, field *types.Var) bool {
	found := false
	for _, holds := range []bool{true, false} {
		for _, p := range surely(cond, holds) {
			for _, side := range sides(p.cond) {
				sel, ok := ast.Unparen(side).(*ast.SelectorExpr)
				if ok && s.pkg.Info.ObjectOf(sel.Sel) == types.Object(field) {
					found = true
				}
			}
		}
	}
	return found
}

// sides are the operands of a comparison for equality, or the condition itself.
func sides(cond ast.Expr) []ast.Expr {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok {
		if b.Op == token.EQL || b.Op == token.NEQ {
			return []ast.Expr{b.X, b.Y}
		}
		return nil
	}
	return []ast.Expr{cond}
}
