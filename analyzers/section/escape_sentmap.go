package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// sentMaps finds maps that are guarded by a lock and handed to another goroutine as they
// are, on a channel or as an argument: s.ch <- s.entries. That goroutine walks through the
// entries without the lock while others change them, which ends the program.
func (s *search) sentMaps() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	s.locks.Walk(s.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if !held.Any() {
			return
		}
		switch ev.Kind {
		case accesses.OnSend:
			send := ev.Node.(*ast.SendStmt)
			src := s.guardedMap(send.Value, held)
			if src == nil || reported[src.Var] {
				return
			}
			for _, to := range s.receivers(s.variable(send.Chan)) {
				if reported[src.Var] = s.handed(src, send, to); reported[src.Var] {
					return
				}
			}
		case accesses.OnGo:
			call := ev.Node.(*ast.GoStmt).Call
			b := s.begunBy(call)
			if b == nil || b.Type(s.pkg.Info) == nil || b.Type(s.pkg.Info).Variadic() {
				return
			}
			for i, arg := range call.Args {
				src := s.guardedMap(arg, held)
				if src != nil && !reported[src.Var] {
					reported[src.Var] = s.handed(src, call, taker{b, b.Type(s.pkg.Info).Params().At(i)})
				}
			}
		}
	})
}

// A taker is a body in which a variable holds what was handed over.
type taker struct {
	body *accesses.Body
	v    types.Object
}

// guardedMap is the read of a map that the value e is, under a lock of the map's own object
// which is held still.
func (s *search) guardedMap(e ast.Expr, held locks.Set) *occurrence {
	e = ast.Unparen(e)
	if t := s.pkg.Info.TypeOf(e); t == nil || !isMap(t) {
		return nil
	}
	var src *occurrence
	if id, ok := e.(*ast.Ident); ok && !isPackageLevel(s.pkg.Info.ObjectOf(id)) {
		if src = s.copiedFrom(id); src != nil && s.replaced(id, src) {
			return nil
		}
	} else {
		src = s.occurrenceOf(e)
	}
	if src == nil || src.via != nil || src.Kind != access.Cell || src.Mode != atomicity.Read || s.reachOf(src) == shared.Private {
		return nil
	}
	if l := s.guardOf(src); !l.Valid() || !held.Holds(l) {
		return nil
	}
	return src
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// guardOf is a lock that is held at the read of the map, and wherever else its entries are
// changed, once it is shared.
func (s *search) guardOf(src *occurrence) accesses.Place {
	for _, l := range locksOf(src.held) {
		if l.Root == src.place.Root && s.changedUnder(access.Var{Obj: src.Var.Obj, Contents: true}, locks.ClassOf(l), nil) {
			return l
		}
	}
	return accesses.Place{}
}

// handed reports that the map is handed over by n to somebody who walks through it.
func (s *search) handed(src *occurrence, n ast.Node, to taker) bool {
	entries := access.Var{Obj: src.Var.Obj, Contents: true}
	guard := s.guardOf(src)
	if s.givenAway(src) || s.meanwhile(n.End(), s.body.Node.End(), s.waitsLocked) {
		return false
	}
	walk := s.walkOf(to, 0)
	if walk == nil {
		return false
	}
	if _, strong, _ := s.shared.Rivals(to.body, entries); !strong {
		return false
	}
	writer, in := s.another(entries, to.body, func(k *occurrence) bool { return k.Mode == atomicity.Write && k.lockOf(locks.ClassOf(guard)).Valid() })
	if writer == nil {
		return false
	}
	c := s.direct("testuse", "guarded-escape", src.Access, src.Pos(), walk.Pos())
	c.Roles = [2]string{"handed over", "walked through"}
	c.Protected = guard.String()
	c.Message = fmt.Sprintf("%s is handed over itself, not a copy; another goroutine walks through it without %s, while %s changes its entries", types.ExprString(src.Expr), guard, in.Name)
	s.tell(c, src, writer.Access)
	return true
}

// waitsLocked says whether the event waits for an answer, or for other goroutines, with the lock
// held.
func (s *search) waitsLocked(ev accesses.Event, held locks.Set) bool {
	switch ev.Kind {
	case accesses.OnReceive:
		return held.Any()
	case accesses.OnCall:
		fn := s.locks.Callee(ev.Node.(*ast.CallExpr))
		return held.Any() && fn != nil && fn.Name() == "Wait"
	}
	return false
}

// givenAway says whether the body stores another map in the variable before it releases
// the lock: then nobody else has the one that is handed over.
func (s *search) givenAway(src *occurrence) bool {
	for _, w := range s.order {
		if w.Mode == atomicity.Write && w.Kind == access.Cell && w.sameInstance(src) && s.leadsTo(src, w) && s.oneHold(src, w) {
			return true
		}
	}
	return false
}

// receivers are the locals that hold what was received from the channel.
func (s *search) receivers(ch *types.Var) []taker {
	var list []taker
	if ch == nil {
		return nil
	}
	from := func(e ast.Expr) bool {
		u, ok := ast.Unparen(e).(*ast.UnaryExpr)
		return ok && u.Op == token.ARROW && s.variable(u.X) == ch
	}
	for _, b := range s.pkg.Bodies {
		add := func(e ast.Expr) {
			if id, ok := e.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) != nil {
				list = append(list, taker{b, s.pkg.Info.ObjectOf(id)})
			}
		}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.RangeStmt:
				if s.variable(n.X) == ch {
					add(n.Key)
				}
			case *ast.AssignStmt:
				if len(n.Rhs) == 1 && from(n.Rhs[0]) {
					add(n.Lhs[0])
				}
			}
			return true
		})
	}
	return list
}

// walkers are the names of functions that look at all entries of a map.
var walkers = pattern.New(`^(Marshal|Encode|MarshalIndent|Clone|Copy|Keys|Values|DeepEqual|F?[Pp]rint(f|ln)?|Sprint(f|ln)?)$`)

// walkOf is where the body looks into the map that the variable holds, with no lock held.
func (s *search) walkOf(t taker, depth int) ast.Node {
	var walk ast.Node
	s.locks.Walk(t.body, func(_, _ int, ev accesses.Event, held locks.Set) {
		if walk != nil || len(held) > 0 {
			return
		}
		holds := func(e ast.Expr) bool {
			id, ok := ast.Unparen(e).(*ast.Ident)
			return ok && s.pkg.Info.ObjectOf(id) == t.v
		}
		if a := ev.Access; a != nil && a.Cell != nil && (a.Kind == access.MapElement || a.Kind == access.MapWhole) && a.Method != "len" && holds(a.Cell) {
			walk = a.Expr
		}
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil || fn.Pkg() == nil {
			return
		}
		for i, arg := range call.Args {
			if !holds(arg) {
				continue
			}
			if b := s.pkg.ByFunc[fn]; b != nil && depth < 2 && i < fn.Signature().Params().Len() {
				walk = s.walkOf(taker{b, fn.Signature().Params().At(i)}, depth+1)
			} else if b == nil && walkers.MatchString(fn.Name()) && isWalking(fn.Pkg().Path()) {
				walk = call
			}
		}
	})
	return walk
}

// isWalking says whether functions of the package look at values by reflection, or are for
// maps.
func isWalking(path string) bool {
	return path == "maps" || path == "reflect" || path == "fmt" || strings.Contains(path, "json") || strings.Contains(path, "yaml") || strings.Contains(path, "toml") || strings.HasPrefix(path, "encoding/")
}
