package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// ownChannel says whether the channel is one that whoever runs the body has to himself, as far
// as other runs of the same body go: a parameter that each call gives a channel which was made
// for it, or a channel of the function around the literal with which one goroutine begins.
//
//	lines := make(chan string)
//	go r.read(lines) // closes lines in the end
//
// Two goroutines that run the body close a channel each.
func (s *search) ownChannel(ch ast.Expr) bool {
	id, ok := ast.Unparen(ch).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := s.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) {
		return false
	}
	if s.body.Parent != nil {
		for _, events := range s.body.Parent.Events {
			for _, ev := range events {
				if start, ok := ev.Node.(*ast.GoStmt); ok && ev.Kind == accesses.OnGo && ast.Unparen(start.Call.Fun) == s.body.Node {
					return s.madeFor(s.body.Parent, v, start)
				}
			}
		}
		return false
	}
	fn := s.body.Func
	if fn == nil || fn.Exported() || !s.isParameter(id) {
		return false
	}
	calls, given := 0, map[types.Object]bool{}
	for _, b := range s.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				var call *ast.CallExpr
				switch ev.Kind {
				case accesses.OnGo:
					call = ev.Node.(*ast.GoStmt).Call
				case accesses.OnDefer:
					call = ev.Node.(*ast.DeferStmt).Call
				case accesses.OnCall:
					call = ev.Node.(*ast.CallExpr)
				}
				if call == nil || s.locks.Callee(call) != fn {
					continue
				}
				arg, ok := ast.Unparen(s.locks.Argument(call, fn, v)).(*ast.Ident)
				if !ok {
					return false
				}
				local := s.pkg.Info.ObjectOf(arg)
				if given[local] || !s.madeFor(b, local, call) {
					return false
				}
				given[local] = true
				calls++
			}
		}
	}
	named := 0
	for _, obj := range s.pkg.Info.Uses {
		if f, ok := obj.(*types.Func); ok && f.Origin() == fn.Origin() {
			named++
		}
	}
	return calls > 0 && calls == named
}

// madeFor says whether the body b makes the channel that the local holds once for each time
// that it comes to n.
func (s *search) madeFor(b *accesses.Body, local types.Object, n ast.Node) bool {
	list := s.stateOf(b).values.assigns[local]
	if len(list) != 1 || local.Pos() < b.Block.Pos() || b.Block.End() <= local.Pos() || !(&finding{search: s}).makes(list[0].value) {
		return false
	}
	return declaredEachTurn(b, local, n)
}

// declaredEachTurn says whether the loops of b around n declare the local anew in each turn.
func declaredEachTurn(b *accesses.Body, local types.Object, n ast.Node) bool {
	anew := true
	ast.Inspect(b.Block, func(m ast.Node) bool {
		switch m.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if m.Pos() <= n.Pos() && n.End() <= m.End() && (local.Pos() < m.Pos() || m.End() <= local.Pos()) {
				anew = false
			}
		}
		return anew
	})
	return anew
}
