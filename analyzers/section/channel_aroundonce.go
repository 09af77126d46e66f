package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
)

// pastOnce is a call, by another function, of the method of c, which closes a channel whatever its
// state, where an exported method of the type calls it only in a sync.Once of the object:
//
//	func (l *listener) Close() { l.once.Do(l.close) }
//	for _, l := range c.listeners { l.close() }
//
// Who goes past the Once does not know of those who went by it.
func (s *search) pastOnce(c closeCall) (past *ast.CallExpr, in, through *accesses.Body) {
	fn := s.body.Func
	if fn == nil || fn.Exported() || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) || s.anyDecides(c.block) || s.inSelect(c.call) || s.recovers() {
		return nil, nil, nil
	}
	once := types.Object(nil)
	for _, b := range s.pkg.Bodies {
		if b.Func != nil && b.Func.Exported() && b.Func.Signature().Recv() != nil && accesses.TypeName(b.Func.Signature().Recv().Type()) == accesses.TypeName(fn.Signature().Recv().Type()) {
			if once = s.onceFor(b, fn); once != nil {
				through = b
				break
			}
		}
	}
	if once == nil {
		return nil, nil, nil
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.callersOf(fn) {
		out := b.Outermost()
		if out == through || s.shared.Constructing(b) || s.shared.SetsGoing(b) || !s.shared.Entered(b) && !s.shared.Launched(b) && !s.shared.Spawned(b) || s.onceFor(out, fn) == once {
			continue
		}
		s.bodyState = s.states[b]
		if s.recovers() {
			continue
		}
		for block, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || s.locks.Callee(call) != fn || s.inSelect(call) {
					continue
				}
				if on := s.receiverOf(call); s.knownToOthers(on) && !s.looksAt(on, block) {
					return call, b, through
				}
			}
		}
	}
	return nil, nil, nil
}

// onceFor is the sync.Once, a field, in whose Do alone the body calls fn; nil if there is none.
func (s *search) onceFor(b *accesses.Body, fn *types.Func) types.Object {
	var once types.Object
	calls, inside := 0, 0
	is := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && s.pkg.Info.Uses[sel.Sel] == types.Object(fn)
	}
	count := func(n ast.Node) (found int) {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && is(e) {
				found++
			}
			return true
		})
		return found
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Do" || s.variable(sel.X) == nil {
			return true
		}
		if tn := accesses.TypeName(s.pkg.Info.TypeOf(sel.X)); tn == nil || tn.Pkg() == nil || tn.Pkg().Path() != "sync" || tn.Name() != "Once" {
			return true
		}
		if found := count(call.Args[0]); found > 0 {
			once, inside = s.variable(sel.X), inside+found
		}
		return true
	})
	if calls = count(b.Block); once == nil || calls != inside {
		return nil
	}
	return once
}

// knownToOthers says whether the place is one that others have as well: the receiver of the body, or
// an element that it has come to in a loop over a map or slice in an object, or looked up there.
func (s *search) knownToOthers(pl accesses.Place) bool {
	v, ok := pl.Root.(*types.Var)
	if !ok {
		return false
	}
	if s.shared.Object(s.body, v) >= shared.Meant {
		return true
	}
	for _, d := range s.values.assigns[v] {
		x := ast.Unparen(d.value)
		if i, ok := x.(*ast.IndexExpr); ok {
			x = i.X
		} else if d.plain {
			continue
		}
		if field := s.variable(x); field != nil && field.IsField() {
			return true
		}
	}
	return false
}
