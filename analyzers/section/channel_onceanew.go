package section

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// onceAnew finds functions that make for each of their calls a sync.Once of its own, or a function
// by sync.OnceFunc and its likes, and end by it what outlives the call:
//
//	func (c *conn) Close() error {
//		return sync.OnceValue(func() error {
//			close(c.done)
//			return c.raw.Close()
//		})()
//	}
//
// The Once is there because several calls come. As each has another one, all of them get through.
func (s *search) onceAnew() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) || s.recovers() {
		return
	}
	for block, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || inLoop(s.body.Block, call) || s.inSelect(call) || s.anyDecides(block) {
				continue
			}
			if lit := s.onceOfCall(call); lit != nil {
				s.endedByEach(call, lit)
			}
		}
	}
}

// onceOfCall is the literal that the call runs by way of a Once that no other call can have.
func (s *search) onceOfCall(call *ast.CallExpr) *ast.FuncLit {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && len(call.Args) == 1 {
		id, isLocal := ast.Unparen(sel.X).(*ast.Ident)
		fn := s.locks.Callee(call)
		if isLocal && fn != nil && fn.FullName() == "(*sync.Once).Do" && s.ownAndUsedOnce(id) {
			lit, _ := ast.Unparen(call.Args[0]).(*ast.FuncLit)
			return lit
		}
		return nil
	}
	made := ast.Unparen(call.Fun)
	if id, ok := made.(*ast.Ident); ok && s.ownAndUsedOnce(id) {
		if list := s.values.assigns[s.pkg.Info.ObjectOf(id)]; len(list) == 1 && list[0].value != nil {
			made = ast.Unparen(list[0].value)
		}
	}
	maker, ok := made.(*ast.CallExpr)
	if !ok || len(maker.Args) != 1 {
		return nil
	}
	fn := s.locks.Callee(maker)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || !strings.HasPrefix(fn.Name(), "Once") {
		return nil
	}
	lit, _ := ast.Unparen(maker.Args[0]).(*ast.FuncLit)
	return lit
}

// ownAndUsedOnce says whether the variable is one that the body declares, of a type that is no
// pointer, and mentions only here.
func (s *search) ownAndUsedOnce(id *ast.Ident) bool {
	v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.Pos() < s.body.Block.Pos() || s.body.Block.End() <= v.Pos() || pointers(v.Type()) {
		return false
	}
	uses := 0
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok && s.pkg.Info.Uses[x] == types.Object(v) {
			uses++
		}
		return true
	})
	return uses == 1
}

// endedByEach tells of the channel that the literal closes, or of the part of an object that it
// ends, whatever the state of that, unless the body has made it itself.
func (s *search) endedByEach(call *ast.CallExpr, lit *ast.FuncLit) {
	inside := s.pkg.ByNode[lit]
	if inside == nil {
		return
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.states[inside]
	for block, events := range inside.Events {
		for _, ev := range events {
			at, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || s.anyDecides(block) || s.inSelect(at) {
				continue
			}
			ended := s.closeOf(at)
			if sel, isSel := ast.Unparen(at.Fun).(*ast.SelectorExpr); ended == nil && isSel && len(at.Args) == 0 && endings.MatchString(sel.Sel.Name) && s.variable(sel.X) != nil {
				ended = sel.X
			}
			if ended == nil {
				continue
			}
			pl := s.pkg.PlaceOf(ended)
			if v, isVar := pl.Root.(*types.Var); !isVar || pl.Path == "" || current.body.Block.Pos() <= v.Pos() && v.Pos() < current.body.Block.End() {
				continue
			}
			field := s.variable(ended)
			if field == nil || !field.IsField() {
				continue
			}
			a := &access.Access{Var: access.Var{Obj: field}, Mode: atomicity.Read, Func: inside.Fn, Expr: ended, Cell: ended}
			c := s.direct("testuse", "double-close", a, call.Pos(), at.Pos())
			c.Roles = [2]string{"left to a Once of this call alone", "ended"}
			c.Message = fmt.Sprintf("each call has a Once of its own here, which keeps no other call from ending %s a second time", types.ExprString(ended))
			s.tell(c, &occurrence{Access: a, place: pl}, a)
			return
		}
	}
}
