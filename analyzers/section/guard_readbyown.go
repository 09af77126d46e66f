package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// readByOwn finds numbers and texts that a goroutine of the object's own reads without a lock, turn by turn, and that an
// exported method sets under a lock of the object at any time:
//
//	func Start() *session     { s := &session{}; go s.measure(); return s }
//	func (s *session) measure() { for range s.tick { s.rate.Store(s.bytes - last); last = s.bytes } }
//	func (s *session) Send(p []byte) { s.mu.Lock(); s.bytes += len(p); s.mu.Unlock() }
//
// A loop that hears from others on a channel of the object may read what it was told of, and is left alone. The race
// detector sees this where a test makes the two meet.
func (s *search) readByOwn() {
	if !s.shared.OnlySpawned(s.body) || s.shared.Constructing(s.body) {
		return
	}
	told := map[access.Var]bool{}
	for _, r := range s.order {
		if r.via != nil || r.lit || r.Mode != atomicity.Read || r.Kind != access.Cell || !r.Var.Obj.IsField() || len(r.held) > 0 || told[r.Var] || r.Update != nil ||
			s.reachOf(r) == shared.Private || !s.ofOwnObject(r) {
			continue
		}
		told[r.Var] = true
		if _, basic := r.Var.Obj.Type().Underlying().(*types.Basic); !basic {
			continue
		}
		loop := s.lastingLoop(s.body.Block, r.Expr)
		if loop == nil || s.hearsOfOwn(loop) || s.saidHere(r) {
			continue
		}
		w, class := s.setLockedAnytime(r)
		if w == nil || s.locksNext(r, class) {
			continue // it takes the lock as well, which other rules look at
		}
		c := s.direct("discipline", "unguarded-access", r.Access, r.Pos(), w.Pos())
		c.Roles = [2]string{"read by a goroutine", "set under the lock"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is read here, turn by turn, by a goroutine of the object's own without %s, under which %s sets it at any time", types.ExprString(r.Expr), w.lockOf(class), w.Func.Name)
		s.tell(c, r, w.Access)
	}
}

// setLockedAnytime is a write, by an exported method which outside callers run at any time, under a lock of the object, to what
// the goroutine reads at r; all others that write it, once it is shared, hold that lock.
func (s *search) setLockedAnytime(r *occurrence) (*occurrence, string) {
	owner := s.shared.Owner(r.Var.Obj)
	var found *occurrence
	class := ""
	for _, k := range s.ownAccesses(r.Var) {
		if k.Mode != atomicity.Write || s.privateIn(k) {
			continue
		}
		if k.body.Outermost() == s.body.Outermost() {
			return nil, ""
		}
		if class == "" {
			for _, l := range k.held.Places() {
				if l.Root != nil && l.Root == k.place.Root && k.held[l] == locks.Exclusive {
					class = locks.ClassOf(l)
				}
			}
		}
		if class == "" || k.held[k.lockOf(class)] != locks.Exclusive {
			return nil, ""
		}
		if found == nil && s.atAnyTime(k, owner) && s.byOutsider(k) {
			if _, strong, _ := s.shared.RivalsAmong(k.body, r.Var, map[*accesses.Body]bool{s.body: true}); strong {
				found = k.occurrence
			}
		}
	}
	return found, class
}

// hearsOfOwn says whether the loop receives from a channel that a field holds, that it was given, or that a function of the
// package returns: time and the end of a context are no message.
func (s *search) hearsOfOwn(loop ast.Stmt) bool {
	found := false
	hears := func(ch ast.Expr) {
		switch e := ast.Unparen(ch).(type) {
		case *ast.SelectorExpr:
			if v, ok := s.pkg.Info.Uses[e.Sel].(*types.Var); ok && v.Pkg() != nil && v.Pkg().Path() == "time" {
				return // a Ticker's or Timer's C
			}
		case *ast.CallExpr:
			if fn := s.locks.Callee(e); fn != nil && fn.Pkg() != nil && fn.Pkg() != s.pkg.Types {
				return
			}
		case *ast.Ident:
			if t, ok := s.pkg.Info.TypeOf(e).Underlying().(*types.Chan); ok && types.TypeString(t.Elem(), nil) == "time.Time" {
				return
			}
		}
		found = true
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				hears(n.X)
			}
		case *ast.RangeStmt:
			if _, ok := s.values.underlying(n.X).(*types.Chan); ok {
				hears(n.X)
			}
		case *ast.CallExpr:
			if fn := s.locks.Callee(n); fn != nil && fn.Name() == "Wait" {
				found = true
			}
		}
		return !found
	})
	return found
}
