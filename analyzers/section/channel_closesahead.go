package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// closesAhead finds functions that start goroutines which send on a channel, and close it at
// their own end without waiting for anything:
//
//	defer close(out)
//	for _, u := range urls { go func() { out <- fetch(u) }() }
//
// A goroutine that comes later panics.
func (s *search) closesAhead() {
	if s.waitsAnywhere() {
		return
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			start, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo {
				continue
			}
			lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
			if !ok {
				continue
			}
			for _, send := range sendsIn(lit.Body) {
				id := identOf(send.Chan)
				if id == nil {
					continue
				}
				ch, isVar := s.pkg.Info.Uses[id].(*types.Var)
				if !isVar || ch.IsField() || accesses.IsGlobal(ch) || lit.Pos() <= ch.Pos() && ch.Pos() < lit.End() || recoversIn(lit) || len(s.values.assigns[ch]) > 1 {
					continue
				}
				end := s.closedAtEnd(ch, start)
				if end == nil {
					continue
				}
				a := &access.Access{Var: access.Var{Obj: ch}, Mode: atomicity.Read, Func: s.body.Fn, Expr: send.Chan, Cell: send.Chan}
				c := s.direct("testuse", "send-after-check", a, send.Pos(), end.Pos())
				c.Name = ch.Name()
				c.Roles = [2]string{"sent on", "closed"}
				c.Message = fmt.Sprintf("%s can be closed before or during this send, which then panics: who starts the goroutine closes it at its own end, and does not wait for it", ch.Name())
				s.tell(c, &occurrence{Access: a, place: accesses.Place{Root: ch}}, a)
				return
			}
		}
	}
}

// waitsAnywhere says whether the body, or what it calls at its end, waits for others: by a call that
// says so, or by a receive from a channel other than one that tells of the end of a context.
func (s *search) waitsAnywhere() bool {
	waits := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.CallExpr:
			switch fun := ast.Unparen(n.Fun).(type) {
			case *ast.SelectorExpr:
				waits = waits || waitings.MatchString(fun.Sel.Name)
			case *ast.Ident:
				waits = waits || waitings.MatchString(fun.Name)
			}
		case *ast.UnaryExpr:
			if _, called := ast.Unparen(n.X).(*ast.CallExpr); n.Op.String() == "<-" && !called {
				waits = true
			}
		case *ast.RangeStmt:
			if _, isChan := s.values.underlying(n.X).(*types.Chan); isChan {
				waits = true
			}
		}
		return !waits
	})
	return waits
}

// closedAtEnd is the close of the channel that the body defers, or makes after it has started the
// goroutine, whatever comes.
func (s *search) closedAtEnd(ch *types.Var, start *ast.GoStmt) (end *ast.CallExpr) {
	for block, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if d, deferred := ev.Node.(*ast.DeferStmt); deferred && ev.Kind == accesses.OnDefer {
				call, ok = d.Call, true
			} else if ev.Kind != accesses.OnCall || ok && call.Pos() < start.End() {
				continue
			}
			if !ok || s.closeOf(call) == nil || inLoop(s.body.Block, call) || s.anyDecides(block) && ev.Kind == accesses.OnCall {
				continue
			}
			if id := identOf(call.Args[0]); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
				return call
			}
		}
	}
	return nil
}

// sendsIn are the sends of a function, without those of literals in it.
func sendsIn(block *ast.BlockStmt) []*ast.SendStmt {
	var list []*ast.SendStmt
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.SendStmt:
			list = append(list, n)
		}
		return true
	})
	return list
}

// recoversIn says whether the literal, or the body of a function, recovers from panics.
func recoversIn(lit ast.Node) bool {
	found := false
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "recover" {
			found = true
		}
		return !found
	})
	return found
}

var waitings = pattern.New(`(?i)wait|acquire|drain|join|flush|recv|receive`)
