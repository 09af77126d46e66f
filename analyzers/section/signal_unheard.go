package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// unheard finds loops that take what there is to do, and then wait for a signal on a channel without a
// buffer, where those who give it do so only to somebody who is waiting:
//
//	for {
//		q.mu.Lock(); list := q.items; q.items = nil; q.mu.Unlock()
//		work(list)
//		<-q.wake                                  // wake: make(chan struct{})
//	}
//	…
//	q.mu.Lock(); q.items = append(q.items, x); q.mu.Unlock()
//	select { case q.wake <- struct{}{}: default: }
//
// What is put there while the loop works is left until the next one comes.
func (s *search) unheard() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for block, events := range s.body.Events {
		for index, ev := range events {
			u, ok := ev.Node.(*ast.UnaryExpr)
			if !ok || ev.Kind != accesses.OnReceive || s.heldAt(block, index).Any() {
				continue
			}
			ch := s.occurrenceOf(u.X)
			if ch == nil || !ch.Var.Obj.IsField() || !signalsAlone(ch.Var.Obj.Type()) || s.channels()[ch.Var] == nil || s.channels()[ch.Var].buffered || !s.heardInLoop(u) || !s.offeredOnly(ch.Var.Obj) {
				continue
			}
			loop := loopAround(s.body.Block, u)
			for _, look := range s.order {
				if look.Mode != atomicity.Read || look.place.Root != ch.place.Root || look.Var == ch.Var || look.later || !look.held.Any() && look.Kind != access.Atomic || look.Pos() < loop.Pos() || loop.End() < look.Pos() || !s.leadsTo(look, ch) {
					continue
				}
				if in := s.tellsHearers(ch.Var, look.Var); in != nil {
					s.tellUnheard(ch, look, in)
					return
				}
			}
		}
	}
}

func (s *search) tellUnheard(ch, look *occurrence, in *accesses.Body) {
	if slices.ContainsFunc(s.found, func(c *Candidate) bool { return c.Category == "lost-wakeup" && c.EndPos == ch.Pos() }) {
		return
	}
	if _, strong, _ := s.shared.RivalsAmong(s.body, look.Var, map[*accesses.Body]bool{in: true}); !strong {
		return
	}
	c := s.direct("testuse", "lost-wakeup", look.source(), look.Pos(), ch.Pos())
	c.Via = look.via
	if look.via != nil {
		c.Within = look.where()
	}
	c.EndName = s.pkg.Name(ch.Var)
	c.Roles = [2]string{"looked at", "waited for"}
	of, _, _ := strings.Cut(look.place.String(), "[")
	c.Message = fmt.Sprintf("%s has no buffer, and %s gives its signal only to who is waiting already: what it does to %s between this look and the wait is heard of by nobody; a buffer of one keeps the signal",
		ch.place, in.Fn.Name, of)
	s.tell(c, look, ch.Access)
}

// signalsAlone says whether what is sent on a channel of the type has no contents.
func signalsAlone(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch t := ch.Elem().Underlying().(type) {
	case *types.Struct:
		return t.NumFields() == 0
	case *types.Basic:
		return t.Kind() == types.Bool
	}
	return false
}

// heardInLoop says whether the receive is in a loop, and nothing but an end is awaited beside it: no time.
func (s *search) heardInLoop(u *ast.UnaryExpr) bool {
	if !inLoop(s.body.Block, u) {
		return false
	}
	given := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectStmt); ok && sel.Pos() <= u.Pos() && u.End() <= sel.End() {
			given = given || s.givesUp(sel)
		}
		return !given
	})
	return !given
}

// offeredOnly says whether the channel is made here without a buffer, and all that send on it do so without
// waiting for a receiver.
func (s *search) offeredOnly(ch *types.Var) bool {
	if !s.madeUnbuffered(ch) {
		return false
	}
	offered, others := map[*ast.SendStmt]bool{}, false
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt:
				if send := sendOrNot(n); send != nil {
					offered[send] = true
				}
			case *ast.SendStmt:
				others = others || s.variable(n.Chan) == ch && !offered[n]
			}
			return !others
		})
	}
	return !others
}

// madeUnbuffered says whether the field or variable holds channels without a buffer alone, whose length is
// always zero: it is stored in by make without a number, or as nil.
func (s *search) madeUnbuffered(ch *types.Var) bool {
	made, others := false, false
	stored := func(e ast.Expr) {
		made = made || makesUnbuffered(e)
		others = others || !makesUnbuffered(e) && !s.pkg.Info.Types[e].IsNil()
	}
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == types.Object(ch) {
					stored(n.Value)
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) && s.variable(l) == ch {
						stored(n.Rhs[i])
					}
				}
			}
			return !others
		})
	}
	return made && !others
}

func makesUnbuffered(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "make"
}

// tellsHearers is another function that changes the variable before it offers a signal on the channel, or nil.
func (s *search) tellsHearers(ch, of access.Var) *accesses.Body {
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for told, by := range s.channels()[ch].toldWith {
			if told.Obj == of.Obj && by[b] {
				return b
			}
		}
	}
	return nil
}
