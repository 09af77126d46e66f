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

// leftBehind finds changes of a map of the method's own object by a goroutine which the method starts each
// time that it is called and does not wait for, while the method itself, or another one, uses the map at once,
// and nobody ever holds a lock for it:
//
//	func (g *group) Start(c *exec.Cmd) {            func (g *group) SignalAll(s os.Signal) {
//		g.running[c.Process] = true                     for p := range g.running {
//		go func() {                                         p.Signal(s)
//			c.Wait()                                    }
//			delete(g.running, c.Process)            }
//		}()
//	}
//
// The runtime ends the program that it finds at this.
func (s *search) leftBehind() {
	start := s.goStatement()
	if start == nil || s.body.Parent.Func.Signature().Recv() == nil || s.shared.Constructing(s.body.Parent) || s.shared.Sequential(s.body.Parent) || s.waitsAfter(s.body.Parent, start) {
		return
	}
	recv := types.Object(s.body.Parent.Func.Signature().Recv())
	for _, w := range s.order {
		if w.via != nil || w.Mode != atomicity.Write || w.Kind != access.MapElement || len(w.held) > 0 || w.place.Root != recv || !w.Var.Obj.IsField() || !s.plainMap(w) ||
			s.reachOf(w) == shared.Private || s.toldOfFlag(w.Var) || s.lockedAnywhere(w.Var) {
			continue
		}
		k, in := s.usesAtOnce(w)
		if k == nil {
			continue
		}
		does := "uses"
		if k.Mode == atomicity.Write {
			does = "changes"
		}
		c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), k.Pos())
		c.Roles = [2]string{"changed by a goroutine", "used"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is changed here by a goroutine that %s starts each time and does not wait for, and %s %s it at the same time: neither holds a lock", types.ExprString(w.Cell), s.body.Parent.Fn.Name, in.Fn.Name, does)
		s.tell(c, w, k.Access)
		return
	}
}

// waitsAfter says whether the body receives or waits for anything once the statement is done.
func (s *search) waitsAfter(b *accesses.Body, start ast.Node) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if ev.Node == nil || ev.Pos() < start.End() {
				continue
			}
			if ev.Kind == accesses.OnReceive {
				return true
			}
			if call, ok := ev.Node.(*ast.CallExpr); ok && waitingNames.MatchString(calledName(call)) {
				return true
			}
		}
	}
	return false
}

// usesAtOnce is an access to the map by a method that waits for nothing before: one that is called while the
// goroutine still runs, which other goroutines do, or one goroutine again and again.
func (s *search) usesAtOnce(w *occurrence) (*occurrence, *accesses.Body) {
	owner := s.shared.Owner(w.Var.Obj)
	for _, k := range s.ownAccesses(w.Var) {
		if k.body == s.body || k.Kind == access.Cell || k.body.Func == nil || !s.atAnyTime(k, owner) || k.body == s.body.Parent && !s.calledAgain(k.body) {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(k.body, w.Var, map[*accesses.Body]bool{s.body: true}); strong {
			return k.occurrence, k.body
		}
	}
	return nil, nil
}

// calledAgain says whether outside callers call the method, or a loop of the package does.
func (s *search) calledAgain(b *accesses.Body) bool {
	if b.Func.Exported() && s.shared.Entered(b) {
		return true
	}
	for _, from := range s.callersOf(b.Func) {
		if makesCall(from.Block, func(call *ast.CallExpr) bool { return s.locks.Callee(call) == b.Func && inLoop(from.Block, call) }) {
			return true
		}
	}
	return false
}
