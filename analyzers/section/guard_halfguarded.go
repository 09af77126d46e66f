package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// halfGuarded finds exported methods that test a field of their object without any lock, or
// go from it to others, where all functions that write it once it is shared do so under a
// lock beside it; and methods that goroutines run, and literals, which take that lock after the test, or make
// it again and again in a loop that does not end by itself.
func (s *search) halfGuarded() {
	fn, alone := s.body.Func, !s.shared.Entered(s.body) && !s.shared.Launched(s.body)
	lit := fn == nil && s.startedHere() // by a method that may well set objects going: it runs beside that
	if lit {
		fn = s.body.Outermost().Func
	}
	exported := !lit && fn != nil && fn.Exported()
	if fn == nil || !exported && !s.shared.Spawned(s.body) || alone && !s.shared.Spawned(s.body) || !lit && s.readies() || s.builds() || s.formatsUnasked() {
		return
	}
	for _, o := range s.order {
		if o.Mode != atomicity.Read || o.Kind != access.Cell || o.via != nil || !isOwnField(o, fn) && !accesses.IsGlobal(o.Var.Obj) || s.reachOf(o) < shared.Meant {
			continue
		}
		class, tested := s.writtenUnder(o), len(s.testsOf(o.Access, true)) > 0
		away := s.takenAway(o)
		if class == "" {
			class = away
		}
		if class == "" || !exported && (!tested || len(o.held) > 0 || (alone || !s.locksNext(o, class)) && (!s.inEndlessLoop(o) || s.keptElsewhere(o.Var, class))) {
			continue
		}
		if !tested && away == "" && !(leadsFurther(o) && (s.readElsewhere(o, class) || s.addedLocked(o, class)) && !s.endedBefore(o, class)) && !s.getsPlainly(o) || s.keptOut(o, class) || s.waitedBefore(o) || len(o.held) == 0 && (s.decidedUnder(o.Var, class) || s.asksAgainBelow(o, class)) || s.replacesAround(o) || s.readiedBefore(o) || s.leftState(o) || s.ownWhileSet(o) || s.boundFirst(o.Var) || s.writtenAtLast(o.Var) {
			continue
		}
		if ok, strong, _ := s.shared.Rivals(s.body, o.Var); !ok || !strong || !s.setBeyond(o.Var) {
			continue
		}
		keeper, in := s.another(o.Var, s.body, func(k *occurrence) bool { return k.Mode == atomicity.Write && k.lockOf(class).Valid() })
		if keeper == nil {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		asked := "tested"
		if !tested {
			asked = "read"
		}
		c.Roles = [2]string{asked + " without the lock", "written with it"}
		c.Alike = fmt.Sprint(c.Category, c.Name, class) // one reader tells about the others
		others := "all functions"
		if s.firstSet(o.Var) {
			others = "all functions but the one that starts it"
		}
		c.Message = fmt.Sprintf("%s is %s here without %s, which %s hold that write it, as %s does", types.ExprString(o.Expr), asked, keeper.lockOf(class), others, in.Name)
		s.tell(c, o, o.Access)
		return
	}
}

// startedHere says whether the body is a literal that a go statement of its function runs.
func (s *search) startedHere() bool { return s.goStatement() != nil }

// goStatement is the go statement by which the function around starts the literal that the body is; or nil.
func (s *search) goStatement() *ast.GoStmt {
	lit, ok := s.body.Node.(*ast.FuncLit)
	if !ok || s.body.Parent == nil || s.body.Parent.Func == nil {
		return nil
	}
	var start *ast.GoStmt
	ast.Inspect(s.body.Parent.Block, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok && ast.Unparen(g.Call.Fun) == ast.Expr(lit) {
			start = g
		}
		return start == nil
	})
	return start
}

// isOwnField says whether what is accessed is a field of the method's own object.
func isOwnField(o *occurrence, method *types.Func) bool {
	recv := method.Signature().Recv()
	return recv != nil && o.place.Root == types.Object(recv) && o.Var.Obj.IsField()
}

// locksNext says whether the body goes on from the read to take a lock of the class, of the
// same object.
func (s *search) locksNext(o *occurrence, class string) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && locks.ClassOf(op.Lock) == class && op.Lock.Root == o.place.Root && s.leadsTo(o, &occurrence{Access: &access.Access{}, block: block, index: index}) {
					return true
				}
			}
		}
	}
	return false
}

// readElsewhere says whether a function that does not write the variable holds the lock to
// read it, and one that does not set objects going writes it.
func (s *search) readElsewhere(o *occurrence, class string) bool {
	writers := map[*accesses.Body]bool{}
	for w := range s.shared.Use(o.Var).Writers() {
		writers[w.Outermost()] = true
	}
	reader, _ := s.another(o.Var, s.body, func(k *occurrence) bool {
		b := s.pkg.ByNode[k.Func.Node]
		return k.Mode == atomicity.Read && k.lockOf(class).Valid() && b != nil && !writers[b.Outermost()] && !s.shared.Constructing(b)
	})
	for w := range writers {
		if reader != nil && w != s.body.Outermost() && !s.shared.SetsGoing(w) {
			return true
		}
	}
	return false
}

// leadsFurther says whether what is read leads to other variables, as a map, a slice or a
// pointer does.
func leadsFurther(o *occurrence) bool {
	switch o.Var.Obj.Type().Underlying().(type) {
	case *types.Map, *types.Slice, *types.Pointer, *types.Interface, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// readiedBefore says whether the body has called a method of its object before that writes
// the variable, itself or by another one: if err := c.init(); …; if c.url == "".
func (s *search) readiedBefore(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || s.pkg.Order(call.End()) > s.pkg.Order(o.Pos()) {
			return !found
		}
		if sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr); isSel && s.pkg.PlaceOf(sel.X).Root == o.place.Root {
			found = found || s.writesBelow(s.pkg.ByFunc[s.locks.Callee(call)], o.Var, 0)
		}
		return !found
	})
	return found
}

// writesBelow says whether the body, or what it calls, writes the variable.
func (s *search) writesBelow(b *accesses.Body, v access.Var, depth int) bool {
	if b == nil || depth > 2 {
		return false
	}
	if slices.ContainsFunc(s.stateOf(b).order, func(w *occurrence) bool { return w.Mode == atomicity.Write && w.via == nil && w.Var == v }) {
		return true
	}
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || s.writesBelow(s.pkg.ByFunc[s.locks.Callee(call)], v, depth+1)
		}
		return !found
	})
	return found
}

// writtenUnder is the class of a lock of the same object that is held at all writes of
// the variable, once it is shared, and at one read at least; or "".
func (s *search) writtenUnder(o *occurrence) string {
	class, known := s.writerRule[o.Var]
	if !known {
		class = s.findWriterRule(o.Var)
		s.writerRule[o.Var] = class
	}
	return class
}

func (s *search) findWriterRule(v access.Var) string {
	u := s.shared.Use(v)
	if !u.Written() {
		return ""
	}
	for _, class := range slices.Sorted(maps.Keys(u.Locks)) {
		if reads, writes := s.keptByWriters(class, v); reads > 0 && writes > 0 {
			return class
		}
	}
	return ""
}

// keptByWriters counts the reads of the variable with a lock of the class held, and the writes, of
// which there are none where one is made without it.
func (s *search) keptByWriters(class string, v access.Var) (reads, writes int) {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, k := range s.ownAccesses(v) {
		s.bodyState = s.states[k.body]
		if s.reachOf(k.occurrence) == shared.Private {
			continue
		}
		l := k.lockOf(class)
		switch {
		case !l.Valid() && k.held.Holds(locks.Caller):
			// it relies on its callers, who know the lock
		case k.Mode == atomicity.Write && s.setsFirst(k.occurrence):
			// the first value, before others have the object
		case k.Mode == atomicity.Write && (!l.Valid() || k.held[l] != locks.Exclusive || s.leadsToLock(k.occurrence, class)):
			return reads, 0
		case k.Mode == atomicity.Write && s.byCount(k.occurrence):
			return reads, 0 // who has counted itself in need not look
		case k.Mode == atomicity.Write:
			writes++
		case l.Valid():
			reads++
		}
	}
	return reads, writes
}

// placed is an occurrence and the body that it lies in.
type placed struct {
	*occurrence
	body *accesses.Body
}

// ownAccesses are those that bodies of the package, other than constructors, make to the
// variable themselves.
func (s *search) ownAccesses(v access.Var) []placed {
	if s.byVar == nil {
		s.byVar = map[access.Var][]placed{}
		for _, b := range s.pkg.Bodies {
			if s.shared.Constructing(b) {
				continue
			}
			for _, o := range s.states[b].order {
				if o.via == nil {
					s.byVar[o.Var] = append(s.byVar[o.Var], placed{o, b})
				}
			}
		}
	}
	return s.byVar[v]
}

// replacesAround says whether the body itself writes, without a lock, what the variable is
// a part of.
func (s *search) replacesAround(o *occurrence) bool {
	return slices.ContainsFunc(s.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && len(w.held) == 0 && w.place.Root == o.place.Root && w.place.Path != "" && strings.HasPrefix(o.place.Path, w.place.Path)
	})
}

// byCount says whether the write is one for which a count of the same object has to fall
// in the body that makes it.
func (s *search) byCount(w *occurrence) bool {
	return slices.ContainsFunc(s.order, func(n *occurrence) bool {
		if n.Mode != atomicity.Write || n.place.Root != w.place.Root || n.Var == w.Var {
			return false
		}
		down := n.Kind == access.Atomic && s.step(n) < 0
		switch stmt := n.Stmt.(type) {
		case *ast.IncDecStmt:
			down = stmt.Tok == token.DEC
		case *ast.AssignStmt:
			down = down || stmt.Tok == token.SUB_ASSIGN
		}
		return down && s.leadsTo(n, w)
	})
}

// keptOut says whether a lock that is held at o may keep the writers out: any but one of the
// object itself that none of them takes.
func (s *search) keptOut(o *occurrence, class string) bool {
	for l := range o.held {
		v := l.Field()
		if v == nil || l.Root != o.place.Root {
			return true
		}
		if _, own := v.Type().Underlying().(*types.Struct); !own {
			return true // it may be the very lock
		}
	}
	return s.otherRule(o, class)
}

// decidedUnder says whether the body tests or writes the variable under the lock, too.
func (s *search) decidedUnder(v access.Var, class string) bool {
	return slices.ContainsFunc(s.order, func(k *occurrence) bool {
		return k.Var == v && k.lockOf(class).Valid() && (k.Mode != atomicity.Read || len(s.testsOf(k.Access, false)) > 0)
	})
}

// asksAgainBelow says whether the test of o decides nothing but whether functions of the package are called
// that look again under the lock, where the body does not take it: if !c.ready { c.makeReady() }.
func (s *search) asksAgainBelow(o *occurrence, class string) bool {
	found := false
	for _, test := range s.testsOf(o.Access, true) {
		for block, events := range s.body.Events {
			if decides, _ := s.decides(test, block); !decides || test == block {
				continue
			}
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall {
					continue
				}
				b := s.pkg.ByFunc[s.locks.Callee(call)]
				if b == nil {
					return false
				}
				again := false
				s.inState(b, func() {
					again = slices.ContainsFunc(s.order, func(k *occurrence) bool {
						return k.Var == o.Var && k.via == nil && k.Mode == atomicity.Read && k.lockOf(class).Valid() && len(s.testsOf(k.Access, false)) > 0
					})
				})
				if !again {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// keptElsewhere says whether the body accesses the variable under the lock, too.
func (s *search) keptElsewhere(v access.Var, class string) bool {
	return slices.ContainsFunc(s.order, func(k *occurrence) bool { return k.Var == v && k.lockOf(class).Valid() })
}
