package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// notAwaited finds locals that a function reads while a goroutine that it has started goes on setting them, and lets nobody
// know when it is done:
//
//	go func() {
//		for e := range found { addrs = append(addrs, e.Addr) }
//	}()
//	err := query(found)
//	close(found)
//	return addrs, err
//
// Whatever the function does in between, it cannot wait for the goroutine. The race detector sees this where a test makes
// the two meet.
func (s *search) notAwaited() {
	for block, events := range s.body.Events {
		for index, ev := range events {
			start, ok := ev.Node.(*ast.GoStmt)
			if !ok || ev.Kind != accesses.OnGo {
				continue
			}
			lit, ok := ast.Unparen(start.Call.Fun).(*ast.FuncLit)
			if !ok || s.pkg.ByNode[lit] == nil || !s.keepsQuiet(lit) {
				continue
			}
			begun := &occurrence{Access: &access.Access{}, block: block, index: index}
			for _, w := range s.states[s.pkg.ByNode[lit]].order {
				v := w.Var.Obj
				if w.Mode != atomicity.Write || w.via != nil || w.Kind != access.Cell || w.Var.Contents || v.IsField() || accesses.IsGlobal(v) || len(w.held) > 0 ||
					v.Pos() < s.body.Block.Pos() || start.Pos() < v.Pos() {
					continue
				}
				r := s.readSince(begun, start, w.Var)
				if r == nil {
					continue
				}
				c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), r.Pos())
				c.Roles = [2]string{"set by the goroutine", "read"}
				c.Message = fmt.Sprintf("%s is set here by a goroutine that lets nobody know when it is done, and read by the function that has started it, which cannot wait for that", v.Name())
				s.tell(c, w, r.Access)
				return
			}
		}
	}
}

// readSince is what the function itself reads of the local after it has started the goroutine, or nil.
func (s *search) readSince(begun *occurrence, start *ast.GoStmt, v access.Var) *occurrence {
	for _, r := range s.order {
		if r.Var == v && r.Mode == atomicity.Read && r.via == nil && !r.lit && !r.later && r.Update == nil && len(r.held) == 0 && start.End() < r.Pos() && s.leadsTo(begun, r) && !s.closesSince(r) {
			return r
		}
	}
	return nil
}

// closesSince says whether the function closes a channel after it has read the local: others may send on that channel
// afterwards only.
func (s *search) closesSince(r *occurrence) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall || len(call.Args) != 1 {
				continue
			}
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "close" && s.leadsTo(r, &occurrence{Access: &access.Access{}, block: block, index: index}) {
				return true
			}
		}
	}
	return false
}

// quietPackages are those whose methods tell nobody anything that one could wait for.
var quietPackages = []string{"log", "log/slog", "strings", "bytes", "net", "net/url", "net/netip", "time", "bufio"}

// keepsQuiet says whether nothing that the literal does, or calls, can tell others that it has come there.
func (s *search) keepsQuiet(lit *ast.FuncLit) bool {
	if s.letsKnow(lit.Body) {
		return false
	}
	quiet := true
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt, *ast.GoStmt, *ast.FuncLit:
			quiet = false
		case *ast.UnaryExpr:
			// Somebody else sets it, perhaps with a word about that; who sends on a channel without a buffer goes on when
			// the goroutine has come to receive from it.
			quiet = quiet && n.Op != token.AND && n.Op != token.ARROW
		case *ast.CallExpr:
			quiet = quiet && s.quietCall(lit, n)
		}
		return quiet
	})
	return quiet
}

// quietCall says so of a call.
func (s *search) quietCall(lit *ast.FuncLit, call *ast.CallExpr) bool {
	if tv, ok := s.pkg.Info.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return true
	}
	fn := s.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg() == s.pkg.Types {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg().Path() != "sync" && !access.IsAtomic(fn.Pkg().Path())
	}
	if tn := accesses.TypeName(recv.Type()); tn != nil && tn.Pkg() != nil && slices.Contains(quietPackages, tn.Pkg().Path()) {
		return true
	}
	root, ok := s.pkg.PlaceOf(ast.Unparen(call.Fun).(*ast.SelectorExpr).X).Root.(*types.Var)
	return ok && lit.Pos() < root.Pos() && root.Pos() < lit.End()
}
