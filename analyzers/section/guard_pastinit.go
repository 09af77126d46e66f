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

// pastInit finds a field that a function replaces in a sync.Once, which two exported methods at least
// call before they read the field, while another exported one reads it without: it can read while
// the function writes. The methods that a struct has from an embedded interface read the
// interface as well, which nobody sees.
//
//	func (d *lazy) ready() { d.once.Do(func() { d.Sink = d.Sink.With(d.tags) }) }
//	func (d *lazy) Put(x int) { d.ready(); d.Sink.Put(x) }
//	// d.Level() is that of d.Sink, whatever it is by then
func (s *search) pastInit() {
	init := s.body.Outermost()
	if init.Func == nil || init.Func.Signature().Recv() == nil || s.body == init {
		return
	}
	owner := accesses.TypeName(init.Func.Signature().Recv().Type())
	for _, w := range s.order {
		if owner == nil || w.Mode != atomicity.Write || w.Kind != access.Cell || w.via != nil || !w.held.Holds(locks.Once) || w.place.Root != types.Object(init.Func.Signature().Recv()) || s.shared.Owner(w.Var.Obj) != owner {
			continue
		}
		ready, past := 0, []placed(nil)
		for _, b := range s.pkg.Bodies {
			if b.Func == nil || !b.Func.Exported() || b.Func == init.Func || b.Func.Signature().Recv() == nil || accesses.TypeName(b.Func.Signature().Recv().Type()) != owner {
				continue
			}
			for _, r := range s.states[b].order {
				if r.Var != w.Var || r.via != nil || r.Mode != atomicity.Read {
					continue
				}
				if s.callsBefore(b, init.Func, r.Pos()) {
					ready++
				} else if len(r.held) == 0 {
					past = append(past, placed{r, b})
				}
				break
			}
		}
		if ready < 2 || !s.readsItself(w) {
			continue
		}
		own := s.bodyState
		for _, p := range past {
			s.bodyState = s.states[p.body]
			asks := s.reachOf(p.occurrence) != shared.Private && !endings.MatchString(s.body.Func.Name()) && !s.formatsUnasked() && !s.readies() && !s.callsAnyOf(s.body, owner, p.Pos())
			c := s.direct("discipline", "unguarded-access", p.Access, p.Pos(), w.Pos())
			if asks {
				c.Roles = [2]string{"read past the sync.Once", "replaced in it"}
				c.Message = fmt.Sprintf("%s is read here without %s, which the other methods call first and which replaces it in a sync.Once: it can do so meanwhile", types.ExprString(p.Expr), init.Fn.Name)
				s.tell(c, p.occurrence, p.Access)
			}
			s.bodyState = own
			if asks {
				return
			}
		}
		if name := promotedPast(owner, w.Var.Obj); name != "" {
			c := s.direct("discipline", "unguarded-access", w.Access, w.Pos(), w.Var.Obj.Pos())
			c.Roles = [2]string{"replaced in the sync.Once", "embedded, with methods that read it past that,"}
			c.Message = fmt.Sprintf("%s is replaced here in a sync.Once, and the method %s, which is that of the embedded %s, reads it without: it can do so meanwhile", types.ExprString(w.Expr), name, w.Var.Obj.Name())
			s.tell(c, w, w.Access)
			return
		}
	}
}

// readsItself says whether what is stored is made of what the variable holds: it is there before.
func (s *search) readsItself(w *occurrence) bool {
	for _, v := range stored(w.Access) {
		for a := range s.values.of(v) {
			if a.Var == w.Var {
				return true
			}
		}
	}
	return false
}

// callsBefore says whether the body calls the function before the position.
func (s *search) callsBefore(b *accesses.Body, fn *types.Func, pos token.Pos) bool {
	return s.callBefore(b, pos, func(callee *types.Func) bool { return callee == fn })
}

// callsAnyOf says whether the body calls another method of the type: that may be the one that readies it.
func (s *search) callsAnyOf(b *accesses.Body, owner *types.TypeName, pos token.Pos) bool {
	return s.callBefore(b, pos, func(callee *types.Func) bool {
		return callee != nil && callee.Signature().Recv() != nil && accesses.TypeName(callee.Signature().Recv().Type()) == owner
	})
}

func (s *search) callBefore(b *accesses.Body, pos token.Pos, suits func(*types.Func) bool) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || call.End() <= pos && suits(s.locks.Callee(call))
		}
		return !found
	})
	return found
}

// promotedPast is the name of a method that the type has from the interface which the field embeds,
// and does not declare itself; or "".
func promotedPast(owner *types.TypeName, field *types.Var) string {
	i, ok := field.Type().Underlying().(*types.Interface)
	if !ok || !field.Embedded() {
		return ""
	}
	set := types.NewMethodSet(types.NewPointer(owner.Type()))
	for m := range i.Methods() {
		sel := set.Lookup(m.Pkg(), m.Name())
		if m.Exported() && sel != nil && len(sel.Index()) > 1 {
			return m.Name()
		}
	}
	return ""
}
