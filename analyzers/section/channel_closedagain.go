package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// closedAgain is what shows that several goroutines use the object, if c closes a channel of its
// receiver each time that other modules end one of such a type, or an io.Closer with goroutines of
// its own:
//
//	func (c *Client) Close() error {
//		close(c.stop) // Close is called at once where something fails, and deferred
//		return c.conn.Close()
//	}
//
// Who of those that share the object ends it first is nothing that they can know. That several
// use it shows in its exported methods, which hold a lock, in a flag that the function sets for
// others, or in the comment of the type. It is right where a comment says that there is one call, or a framework that starts the
// object ends it.
func (s *search) closedAgain(c closeCall) token.Pos {
	fn := s.body.Func
	if fn == nil || fn.Signature().Recv() == nil || c.channel.place.Root != types.Object(fn.Signature().Recv()) || c.held.Holds(locks.Once) || s.recovers() ||
		forTests(s.pkg.Types) || inLoop(s.body.Block, c.call) || !s.settledAlone(c.block) && !s.leavesWait(c.call, c.block) || s.inSelect(c.call) && !s.leavesWait(c.call, c.block) ||
		slices.ContainsFunc(s.order, func(o *occurrence) bool { return o.place == c.channel.place && o.Mode == atomicity.Write }) {
		return token.NoPos
	}
	t := fn.Signature().Recv().Type()
	if !s.endsForOthers(fn) && !s.closesForOthers(c, fn) || !s.saysNothing(fn) || s.ranByFramework(accesses.TypeName(t), fn.Name()) || s.toldOfClose() || s.unobtainable(accesses.TypeName(t), c.channel.Var) {
		return token.NoPos
	}
	used, told := s.lockedForOthers(t, c.channel.place.Field()), s.tellsOthers(c)
	switch {
	case used.IsValid():
		return used
	case told.IsValid():
		if part, _ := s.pkg.Apart(c.call.Pos(), told); part != nil { // the close is in what is called there
			return accesses.TypeName(t).Pos()
		}
		return told
	case fn.Name() == "Close" && s.shared.Documented(accesses.TypeName(t)):
		return accesses.TypeName(t).Pos()
	case s.closesAsIO(fn) && (s.shared.Concurrent(t) || s.reachOf(c.channel) >= shared.Meant):
		return accesses.TypeName(t).Pos()
	}
	return token.NoPos
}

// toldOfClose says whether a close in the body is reported already, or is by besideOnce.
func (s *search) toldOfClose() bool {
	if _, once := s.onceTaken(); once && s.endingMethod() {
		return true
	}
	if _, flag := s.flagTaken(); flag && s.endingMethod() {
		return true
	}
	return slices.ContainsFunc(s.found, func(d *Candidate) bool {
		return d.Sure && d.Category == "double-close" && d.Entry != nil && d.Entry.Func == s.body.Fn
	})
}

// tellsOthers is where the body sets an atomic flag of the object that the channel is in: it
// tells others that the object is at its end, and does not ask itself.
func (s *search) tellsOthers(c closeCall) token.Pos {
	return posOf(s.order, func(w *occurrence) bool {
		return w.Kind == access.Atomic && w.via == nil && w.Mode == atomicity.Write && !rmw(w.Access) && w.place.Root == c.channel.place.Root
	})
}

// posOf is the place of the first access that suits.
func posOf(order []*occurrence, suits func(*occurrence) bool) token.Pos {
	if i := slices.IndexFunc(order, suits); i >= 0 {
		return order[i].Pos()
	}
	return token.NoPos
}

// lockedForOthers is where an exported method of the type, other than those by which it is
// set going or ended, holds a lock of its object, accesses atomics of it, or counts what it begins in
// a WaitGroup of it, none that it sends on ch: those who use the object meet there.
func (s *search) lockedForOthers(t types.Type, ch *types.Var) token.Pos {
	tn := accesses.TypeName(t)
	concurrent := s.shared.Concurrent(t)
	for _, b := range s.pkg.Bodies {
		fn := b.Func
		if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || accesses.TypeName(fn.Signature().Recv().Type()) != tn || endings.MatchString(fn.Name()) || s.shared.SetsGoing(b) {
			continue
		}
		recv := types.Object(fn.Signature().Recv())
		if at := s.begunIn(b, recv); at.IsValid() && !slices.ContainsFunc(sendsIn(b.Block), func(x *ast.SendStmt) bool { return s.pkg.PlaceOf(x.Chan).Field() == ch }) {
			return at
		}
		if !concurrent {
			continue
		}
		used := posOf(s.states[b].order, func(o *occurrence) bool {
			return o.via == nil && o.place.Root == recv && (o.Kind == access.Atomic || slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool { return l.Root == recv }))
		})
		if used.IsValid() {
			return used
		}
	}
	return token.NoPos
}

// begunIn is where the body counts something in a WaitGroup of the object.
func (s *search) begunIn(b *accesses.Body, object types.Object) (at token.Pos) {
	for _, events := range b.Events {
		for _, ev := range events {
			if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && !at.IsValid() && s.ofWaitGroup(call, "Add").Root == object {
				at = call.Pos()
			}
		}
	}
	return at
}

// settledAlone says whether nothing decides whether control comes to the block but what is
// settled when the object is made: whether there is one, and fields that nobody else sets.
func (s *search) settledAlone(block int) bool {
	for test, conds := range s.body.Conds {
		if decides, _ := s.decides(test, block); !decides || test == block {
			continue
		}
		if conds == nil {
			return false
		}
		for _, cond := range conds {
			if !s.isSettled(cond) {
				return false
			}
		}
	}
	return true
}

func (s *search) isSettled(cond ast.Expr) bool {
	recv := types.Object(s.body.Func.Signature().Recv())
	settled := true
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit, *ast.IndexExpr:
			settled = false
		case *ast.UnaryExpr:
			settled = settled && n.Op != token.ARROW
		case *ast.Ident:
			switch v, ok := s.pkg.Info.ObjectOf(n).(*types.Var); {
			case !ok, types.Object(v) == recv:
			case v.IsField():
				settled = settled && !s.changedLater(v)
			default:
				settled = false
			}
		}
		return settled
	})
	return settled
}

// changedLater says whether some function other than constructors writes the field.
func (s *search) changedLater(v *types.Var) bool {
	return slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		st := s.states[b]
		return st != nil && !s.shared.Constructing(b) && slices.ContainsFunc(st.order, func(o *occurrence) bool { return o.Mode == atomicity.Write && o.Var.Obj == v.Origin() })
	})
}

// saysNothing says whether no comment, of the method or of those that call it, of its type or of
// what an interface has it for, tells how often it may be called.
func (s *search) saysNothing(fn *types.Func) bool {
	for _, b := range append(s.callersOf(fn), s.pkg.ByFunc[fn]) {
		if d, ok := b.Node.(*ast.FuncDecl); ok && countedDoc.MatchString(strings.Join(strings.Fields(d.Doc.Text()), " ")) {
			return false
		}
	}
	return !s.promisedOnce(fn)
}

var countedDoc = pattern.New(`(?i)\b(call\w*|clos\w+|stop\w*|only|exactly|at most|just)\b[^.]*\bonce\b|\bonce only\b|\btwice\b|\bpanics?\b|more than once|multiple times|second (call|time)|\bone (caller|goroutine)\b`)

// closesAsIO says whether the function, or the one that calls it, has the signature of an
// io.Closer.
func (s *search) closesAsIO(fn *types.Func) bool {
	closes := func(fn *types.Func) bool {
		sig := fn.Signature()
		return fn.Name() == "Close" && sig.Params().Len() == 0 && sig.Results().Len() == 1 && isError(sig.Results().At(0).Type())
	}
	return closes(fn) || !fn.Exported() && slices.ContainsFunc(s.callersOf(fn), func(b *accesses.Body) bool { return b.Func != nil && closes(b.Func) })
}

// ranByFramework says whether the type stands behind an interface that starts it as well as it
// ends it: what runs the parts of a program ends each one once.
func (s *search) ranByFramework(tn *types.TypeName, method string) bool {
	for i := range s.namedInterfaces() {
		if ends, _, _ := types.LookupFieldOrMethod(i, false, s.pkg.Types, method); ends == nil || !implements(tn, i) {
			continue
		}
		for _, start := range []string{"Start", "Run", "Init", "Serve", "Open"} {
			if starts, _, _ := types.LookupFieldOrMethod(i, false, s.pkg.Types, start); starts != nil {
				return true
			}
		}
	}
	return false
}
