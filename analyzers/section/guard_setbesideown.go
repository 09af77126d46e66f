package section

import (
	"fmt"
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// setBesideOwn finds plain fields that an exported method changes while a goroutine, which the constructor of the
// object has started, reads them turn by turn, and nobody ever holds a lock for them:
//
//	func New(in <-chan int) *Hub { h := &Hub{in: in}; go h.run(); return h }
//	func (h *Hub) run()          { for n := range h.in { for _, f := range h.subs { f(n) } } }
//	func (h *Hub) Add(f Func)    { h.subs = append(h.subs, f) }
//
// There is no time before the goroutine: whoever has the object to call the method finds it running. A method
// that tells the goroutine of the change, by whatever means, may well be heard first.
func (s *search) setBesideOwn() {
	if !s.shared.OnlySpawned(s.body) || s.shared.Constructing(s.body) {
		return
	}
	told := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || o.Mode != atomicity.Read || o.Kind != access.Cell && o.Kind != access.MapElement && o.Kind != access.MapWhole || !o.Var.Obj.IsField() || len(o.held) > 0 || told[o.Var] ||
			s.reachOf(o) == shared.Private || s.toldOfFlag(o.Var) || !s.ofOwnObject(o) {
			continue
		}
		told[o.Var] = true
		if s.lockedAnywhere(o.Var) || !s.turnByTurn(s.body, o.Expr, false, 0) {
			continue
		}
		w, in := s.setWhenever(o)
		if w == nil || !s.startedInMaking(s.body, 0) {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), w.Pos())
		c.Roles = [2]string{"read by a goroutine", "changed"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is read here, turn by turn, by a goroutine that runs as long as the object has been there, and %s changes it at the same time: neither holds a lock", types.ExprString(o.Expr), in.Fn.Name)
		s.tell(c, o, w.Access)
	}
}

// setWhenever is a change, by an exported method which outside callers run at any time and which tells nobody
// of it, of what the goroutine reads at o.
func (s *search) setWhenever(o *occurrence) (*occurrence, *accesses.Body) {
	owner := s.shared.Owner(o.Var.Obj)
	for _, w := range s.ownAccesses(o.Var) {
		if w.Mode != atomicity.Write || !s.atAnyTime(w, owner) || !s.byOutsider(w) || s.letsKnow(w.body.Block) || s.saidFirst(w.body.Func) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{w.body: true}); strong {
			return w.occurrence, w.body
		}
	}
	return nil, nil
}

// startedInMaking says whether a constructor starts the goroutine that runs b.
func (s *search) startedInMaking(b *accesses.Body, depth int) bool {
	if b.Parent != nil && (s.shared.Constructing(b.Parent) || b.Parent.Func != nil && b.Parent.Func.Signature().Recv() == nil) && s.startsIn(b.Parent, b) {
		return true
	}
	for _, from := range s.pkg.Bodies {
		if (s.shared.Constructing(from) || from.Func != nil && from.Func.Signature().Recv() == nil) && s.startsIn(from, b) {
			return true
		}
	}
	if b.Func == nil || depth > 2 {
		return false
	}
	for _, from := range s.callersOf(b.Func) {
		if s.shared.OnlySpawned(from) && s.startedInMaking(from, depth+1) {
			return true
		}
	}
	return false
}

// startsIn says whether a go statement of the body begins with b, on an object that the body returns.
func (s *search) startsIn(from, b *accesses.Body) bool {
	found := false
	ast.Inspect(from.Block, func(n ast.Node) bool {
		g, ok := n.(*ast.GoStmt)
		if !ok {
			_, lit := n.(*ast.FuncLit)
			return !lit
		}
		fn := s.locks.Callee(g.Call)
		if fn != nil && fn == b.Func || ast.Unparen(g.Call.Fun) == b.Node {
			found = true
		}
		return false
	})
	if !found {
		return false
	}
	owner := s.ownerOfBody(b)
	results := from.Outermost().Func
	if owner == nil || results == nil {
		return false
	}
	for v := range results.Signature().Results().Variables() {
		if accesses.TypeName(v.Type()) == owner {
			return true
		}
	}
	return false
}

// ownerOfBody is the type whose objects the method, or the literal in a constructor, works on.
func (s *search) ownerOfBody(b *accesses.Body) *types.TypeName {
	out := b.Outermost().Func
	if out == nil {
		return nil
	}
	if recv := out.Signature().Recv(); recv != nil {
		return accesses.TypeName(recv.Type())
	}
	for v := range out.Signature().Results().Variables() {
		if tn := accesses.TypeName(v.Type()); tn != nil && tn.Pkg() == s.pkg.Types {
			return tn
		}
	}
	return nil
}
