package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// restarted finds goroutines that close the channel which a field holds by then, where
// the function that starts them stores a new channel there first, each time: x.done =
// make(chan struct{}); go x.run(), and in run close(x.done). Started again before that,
// the first goroutine closes the channel of the second, which panics. The start tells
// that it may come so soon when it ends the last goroutine and does not wait for it, or
// a method such as Stop does so and clears the flag that keeps a second start out.
func (s *search) restarted() {
	out := s.body.Outermost()
	if out.Func == nil || !out.Func.Exported() || !s.shared.Entered(out) && !s.shared.Launched(out) || s.shared.Constructing(out) {
		return
	}
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, _ locks.Set) {
		start, ok := ev.Node.(*ast.GoStmt)
		if !ok || ev.Kind != accesses.OnGo {
			return
		}
		for _, w := range s.order {
			if w.Mode != atomicity.Write || w.via != nil || s.before(start, w) || !s.makesChannel(w) || !s.outlives(w.place) || strings.Contains(w.place.Path, "[") {
				continue
			}
			at := s.closesAtEnd(start.Call, w.place)
			if !at.IsValid() || s.awaitsLast(start) {
				continue
			}
			if stopped := s.clearedByEnd(w, start); len(stopped) == 0 && !s.endsLast(w, start) || s.oneStarts(start, block, stopped) {
				continue
			}
			c := s.direct("testuse", "double-close", w.Access, w.Pos(), at)
			c.Roles = [2]string{"replaced", "closed"}
			c.Message = fmt.Sprintf("the goroutine that is started here closes whatever channel %s holds by then: started again before that, two of them close the new one, and the second panics", types.ExprString(w.Cell))
			s.tell(c, w, w.Access)
			return
		}
	})
}

// makesChannel says whether the write stores a new channel in a field.
func (s *search) makesChannel(w *occurrence) bool {
	values := stored(w.Access)
	if len(values) != 1 || w.Var.Obj == nil || !w.Var.Obj.IsField() {
		return false
	}
	_, isChan := w.Var.Obj.Type().Underlying().(*types.Chan)
	call, ok := ast.Unparen(values[0]).(*ast.CallExpr)
	return isChan && ok && s.isBuiltin(call, "make")
}

// closesAtEnd is where the goroutine that begins with the call closes the channel at the
// place, whatever it finds, or NoPos.
func (s *search) closesAtEnd(call *ast.CallExpr, pl accesses.Place) token.Pos {
	var b *accesses.Body
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		b = s.pkg.ByNode[lit]
	} else if fn := s.locks.Callee(call); fn != nil && s.pkg.ByFunc[fn] != nil {
		b, pl = s.pkg.ByFunc[fn], s.locks.ToCallee(call, fn, pl)
	}
	if b == nil || !pl.Valid() {
		return token.NoPos
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[b]
	if s.recovers() {
		return token.NoPos
	}
	at := token.NoPos
	s.closesAnyhow(func(call *ast.CallExpr) {
		if s.pkg.PlaceOf(call.Args[0]) == pl {
			at = call.Pos()
		}
	})
	return at
}

// closesAnyhow visits the calls of close that the body makes, or defers, on no condition.
func (s *search) closesAnyhow(visit func(*ast.CallExpr)) {
	s.locks.Walk(s.body, func(block, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if d, deferred := ev.Node.(*ast.DeferStmt); deferred && ev.Kind == accesses.OnDefer {
			call, ok = d.Call, true
		} else if ev.Kind != accesses.OnCall {
			return
		}
		if !ok || s.anyDecides(block) || held.Holds(locks.Once) || s.inSelect(call) {
			return
		}
		if s.closeOf(call) != nil {
			visit(call)
		}
		lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit)
		if !ok || s.pkg.ByNode[lit] == nil || s.pkg.ByNode[lit] == s.body {
			return
		}
		current := s.bodyState
		defer func() { s.bodyState = current }()
		s.bodyState = s.states[s.pkg.ByNode[lit]]
		if !s.recovers() {
			s.closesAnyhow(visit)
		}
	})
}

// endsLast says whether the body, before the start, calls a function that a field of the
// object holds, or closes a channel there, and stores a new one: it ends the goroutine
// that was started last.
func (s *search) endsLast(w *occurrence, start ast.Node) bool {
	replaced := func(e ast.Expr) bool {
		pl := s.pkg.PlaceOf(e)
		return pl.Root == w.place.Root && pl != w.place && slices.ContainsFunc(s.order, func(o *occurrence) bool {
			return o.Mode == atomicity.Write && o.via == nil && o.place == pl && s.before(e, o) && s.before(o, start)
		})
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.before(start, call) {
				continue
			}
			ended := s.closeOf(call)
			if ended == nil {
				ended = call.Fun
			}
			if v := s.variable(ended); v != nil && v.IsField() && replaced(ended) {
				return true
			}
		}
	}
	return false
}

// clearedByEnd are the flags that the body sets and an exported method clears which ends
// the goroutine, by a channel or function that the body has stored as well, and does not
// wait for it.
func (s *search) clearedByEnd(w *occurrence, start ast.Node) map[access.Var]bool {
	set := map[access.Var]bool{}
	for _, o := range s.order {
		if o.Mode == atomicity.Write && o.via == nil && o.place.Root == w.place.Root && o.Var.Obj != nil && o.Var.Obj.IsField() && o.Var != w.Var {
			set[o.Var] = true
		}
	}
	cleared := map[access.Var]bool{}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() || !endings.MatchString(b.Func.Name()) || b.Func.Signature().Recv() == nil || s.waitsIn(b.Block, start, 1) {
			continue
		}
		s.bodyState = s.states[b]
		ends := false
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall {
					continue
				}
				ended := s.closeOf(call)
				if ended == nil {
					ended = call.Fun
				}
				v := s.variable(ended)
				ends = ends || v != nil && set[access.Var{Obj: v}]
			}
		}
		for _, o := range s.order {
			if ends && o.Mode == atomicity.Write && o.via == nil && set[o.Var] {
				for _, e := range stored(o.Access) {
					if tv := s.pkg.Info.Types[e]; tv.Value != nil || tv.IsNil() {
						cleared[o.Var] = true
					}
				}
			}
		}
	}
	return cleared
}

// awaitsLast says whether something waits before the start: by a receive, or by a call of
// Wait, here, around, or in a function of the package that is called here.
func (s *search) awaitsLast(start ast.Node) bool {
	for b := s.body; b != nil; b = b.Parent {
		if s.waitsIn(b.Block, start, 0) {
			return true
		}
	}
	return false
}

func (s *search) waitsIn(block *ast.BlockStmt, start ast.Node, depth int) bool {
	waits := false
	ast.Inspect(block, func(n ast.Node) bool {
		if n == nil || waits || depth == 0 && n.Pos() >= start.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt:
			return n.Pos() <= start.Pos() && start.End() <= n.End()
		case *ast.UnaryExpr:
			waits = n.Op == token.ARROW
		case *ast.RangeStmt:
			if t := s.pkg.Info.TypeOf(n.X); t != nil {
				_, waits = t.Underlying().(*types.Chan)
			}
		case *ast.CallExpr:
			fn := s.locks.Callee(n)
			if fn == nil || n.Pos() <= start.Pos() && start.End() <= n.End() {
				break
			}
			waits = strings.Contains(fn.Name(), "Wait")
			if callee := s.pkg.ByFunc[fn]; callee != nil && depth < 2 {
				waits = waits || s.waitsIn(callee.Block, start, depth+1)
			}
		}
		return !waits
	})
	return waits
}

// oneStarts says whether a condition that may tell that it is running decides about the
// start: a variable that the body changes itself, but for the cleared ones, or what
// nothing is known of.
func (s *search) oneStarts(start *ast.GoStmt, block int, cleared map[access.Var]bool) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides || test == block {
			continue
		}
		for _, c := range conds {
			read := s.values.of(c)
			for a := range read {
				if cleared[a.Var] {
					continue
				}
				if rmw(a) || slices.ContainsFunc(s.order, func(o *occurrence) bool {
					return o.Mode == atomicity.Write && o.Var == a.Var && o.via != start.Call
				}) {
					return true
				}
			}
			if len(read) == 0 {
				return true
			}
		}
	}
	return false
}
