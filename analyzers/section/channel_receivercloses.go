package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// receiverCloses finds sends on a channel which the goroutine that receives from it closes where it
// leaves for the end of a context that others end:
//
//	func Open(ctx context.Context) *Pipe {
//		in := make(chan item)
//		go func() {
//			defer close(in)
//			for {
//				select {
//				case <-ctx.Done(): return
//				case v := <-in: …
//				}
//			}
//		}()
//		return &Pipe{in: in}
//	}
//	func (p *Pipe) Put(ctx …) { select { case <-p.ctx.Done(): return; case p.in <- v: } }
//
// The send is ready on a closed channel, whatever other arms there are, and panics.
func (s *search) receiverCloses() {
	if s.shared.Constructing(s.body) || s.recovers() {
		return
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend {
				continue
			}
			ch := s.occurrenceOf(send.Chan)
			if ch == nil || !ch.Var.Obj.IsField() || s.toldOfSend(send) {
				continue
			}
			end, in := s.closedByReceiver(ch.Var.Obj)
			if end == nil || in.Outermost() == s.body.Outermost() {
				continue
			}
			c := s.direct("testuse", "send-after-check", ch.Access, send.Pos(), end.Pos())
			c.Roles = [2]string{"sent on", "closed"}
			c.Message = fmt.Sprintf("%s can be closed before or during this send, which then panics: the goroutine that receives from it closes it where it leaves for the end of the context", types.ExprString(send.Chan))
			s.tell(c, ch, ch.Access)
			return
		}
	}
}

// closedByReceiver is the deferred close of a local channel that is put into the field, in a goroutine
// which receives from it until a context ends.
func (s *search) closedByReceiver(field *types.Var) (*ast.CallExpr, *accesses.Body) {
	for _, b := range s.pkg.Bodies {
		if b.Parent == nil || !s.shared.Spawned(b) {
			continue
		}
		for _, st := range b.Block.List {
			d, ok := st.(*ast.DeferStmt)
			if !ok || s.closeOf(d.Call) == nil {
				continue
			}
			id := identOf(d.Call.Args[0])
			if id == nil {
				continue
			}
			ch, isVar := s.pkg.Info.Uses[id].(*types.Var)
			if isVar && !ch.IsField() && !accesses.IsGlobal(ch) && !(b.Block.Pos() <= ch.Pos() && ch.Pos() < b.Block.End()) && s.receivesUntilDone(b, ch) && s.putInto(b.Outermost(), ch, field, 0) {
				return d.Call, b
			}
		}
	}
	return nil, nil
}

// receivesUntilDone says whether the body receives from the channel in an arm of a select, and returns
// in another one that is taken when a context ends which the function around it was given, or one
// that is made of that.
func (s *search) receivesUntilDone(b *accesses.Body, ch *types.Var) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		if !ok {
			return !found
		}
		takes, leaves := false, false
		for _, clause := range sel.Body.List {
			comm := clause.(*ast.CommClause)
			from := received(comm)
			if id := identOf(from); id != nil {
				takes = takes || s.pkg.Info.Uses[id] == types.Object(ch)
			} else if call, isCall := from.(*ast.CallExpr); isCall {
				x, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
				leaves = leaves || isSel && x.Sel.Name == "Done" && s.givenContext(b.Outermost(), x.X) && returnsIn(comm)
			}
		}
		found = found || takes && leaves
		return !found
	})
	return found
}

// givenContext says whether e is a context that the function has as a parameter, or one made of that.
func (s *search) givenContext(b *accesses.Body, e ast.Expr) bool {
	id := identOf(e)
	if id == nil || b.Func == nil {
		return false
	}
	obj := s.pkg.Info.ObjectOf(id)
	for param := range b.Func.Signature().Params().Variables() {
		if types.Object(param) == obj {
			return true
		}
		for _, d := range s.stateOf(b).values.assigns[obj] {
			if call, ok := ast.Unparen(d.value).(*ast.CallExpr); ok && len(call.Args) > 0 && s.mentions(call.Args[0], param) {
				return true
			}
		}
	}
	return false
}

// putInto says whether the body stores the local in the field of an object, or gives it to a function
// of the package that does.
func (s *search) putInto(b *accesses.Body, local, field *types.Var, depth int) bool {
	is := func(e ast.Expr) bool {
		id := identOf(e)
		return id != nil && s.pkg.Info.Uses[id] == types.Object(local)
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			if ok && is(n.Value) {
				v, isVar := s.pkg.Info.Uses[key].(*types.Var)
				found = found || isVar && v.Origin() == field
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				found = found || len(n.Lhs) == len(n.Rhs) && is(n.Rhs[i]) && s.variable(l) == field
			}
		}
		return !found
	})
	if found || depth > 1 {
		return found
	}
	for to, p := range s.passedTo(b, local) {
		if s.putInto(to, p, field, depth+1) {
			return true
		}
	}
	return false
}
