package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// besideGoroutine finds maps of an object that goroutines which its methods start look into, while
// exported methods put entries in and take some out, and nobody ever holds a lock for it:
//
//	func (c *client) Join(room string)  { c.rooms[room] = true }
//	func (c *client) Leave(room string) { delete(c.rooms, room) }
//	func (c *client) setup()            { for room := range c.rooms { c.send(room) } } // go c.setup()
//
// Methods that only add may be meant for the time before the start; who takes out again comes at any
// time.
func (s *search) besideGoroutine() {
	if !s.shared.Spawned(s.body) || s.shared.Entered(s.body) || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	for _, o := range s.order {
		if o.via != nil || o.Kind != access.MapElement && o.Kind != access.MapWhole || !o.Var.Obj.IsField() || len(o.held) > 0 || s.onlyLength(o) || s.reachOf(o) == shared.Private || s.waitedBefore(o) || s.toldOfFlag(o.Var) {
			continue
		}
		var adds, removes *occurrence
		var in *accesses.Body
		locked := false
		for _, k := range s.ownAccesses(o.Var) {
			locked = locked || len(k.held) > 0
			fn := k.body.Func
			if k.Mode != atomicity.Write || fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || k.place.Root != types.Object(fn.Signature().Recv()) ||
				!s.shared.Entered(k.body) || s.shared.SetsGoing(k.body) || s.shared.UsedByOne(k.body) || s.waitsBefore(k) || endings.MatchString(fn.Name()) {
				continue
			}
			switch {
			case k.Method == "delete":
				removes, in = k.occurrence, k.body
			case k.Kind == access.MapElement:
				adds = k.occurrence
			}
		}
		if locked || adds == nil || removes == nil || !s.startedAndLeft() {
			continue
		}
		if _, strong, _ := s.shared.Rivals(s.body, o.Var); !strong {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), adds.Pos())
		c.Roles = [2]string{"looked into by a goroutine", "changed"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is looked into by a goroutine here, while others add to it and take from it, as %s does, and no lock is held: that ends the program", s.pkg.Name(o.Var), in.Fn.Name)
		s.tell(c, o, adds.Access)
		return
	}
}

// startedAndLeft says whether a function begins a goroutine with the body and does not wait afterwards,
// for a group or on a channel of its own.
func (s *search) startedAndLeft() bool {
	for _, b := range s.pkg.Bodies {
		var at ast.Node
		waits := false
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if fn := s.locks.Callee(n.Call); fn != nil && fn == s.body.Func || ast.Unparen(n.Call.Fun) == s.body.Node {
					at = n
				}
				return false
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				_, name := methodOn(n)
				waits = waits || name == "Wait"
			case *ast.UnaryExpr:
				if id := identOf(n.X); n.Op == token.ARROW && id != nil {
					waits = true
				}
			}
			return true
		})
		if at != nil && !waits {
			return true
		}
	}
	return false
}
