package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// semaphores are the channels by which one goroutine at a time is let in: some
// body both sends on the channel and receives from it, or receives and puts
// back.
func (s *search) semaphores() map[access.Var]bool {
	if s.gates != nil {
		return s.gates
	}
	s.gates = map[access.Var]bool{}
	for _, b := range s.pkg.Bodies {
		sent, received := map[access.Var]bool{}, map[access.Var]bool{}
		s.channelOps(b, func(v access.Var, send bool) {
			if send {
				sent[v] = true
			} else {
				received[v] = true
			}
		})
		for v := range sent {
			if received[v] && !s.locks.ByChannel(v.Obj) {
				s.gates[v] = true
			}
		}
	}
	return s.gates
}

// channelOps visits the sends and receives that the body makes on channels that
// fields or package-level variables hold, in a deferred literal too.
func (s *search) channelOps(b *accesses.Body, visit func(v access.Var, send bool)) {
	op := func(ch ast.Expr, send bool) {
		if v := s.variable(ch); v != nil {
			visit(access.Var{Obj: v}, send)
		}
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			op(n.Chan, true)
		case *ast.UnaryExpr:
			if _, ok := s.underlyingChan(n.X); ok {
				op(n.X, false)
			}
		}
		return true
	})
}

func (s *search) underlyingChan(e ast.Expr) (*types.Chan, bool) {
	t := s.pkg.Info.TypeOf(e)
	if t == nil {
		return nil, false
	}
	ch, ok := t.Underlying().(*types.Chan)
	return ch, ok
}

// holdsSemaphore says whether the body goes through one of the semaphores
// before the entry.
func (f *finding) holdsSemaphore(gates map[access.Var]bool) bool {
	found := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if n == nil || found || n.Pos() >= f.entry.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			return n.Pos() <= f.entry.Pos() && f.entry.Pos() < n.End()
		case *ast.SendStmt:
			v := f.variable(n.Chan)
			found = found || v != nil && gates[access.Var{Obj: v}]
		case *ast.UnaryExpr:
			if _, ok := f.underlyingChan(n.X); ok {
				v := f.variable(n.X)
				found = found || v != nil && gates[access.Var{Obj: v}]
			}
		}
		return !found
	})
	return found
}

var unlocks = pattern.New(`(?i)unlock|^release`)

// holdsUnknownLock says whether the body calls a method that is named for
// unlocking but does not release any lock that is known here: there is a lock
// of some other make.
func (f *finding) holdsUnknownLock() bool {
	for _, events := range f.body.Events {
		for _, ev := range events {
			var call *ast.CallExpr
			switch ev.Kind {
			case accesses.OnCall:
				call = ev.Node.(*ast.CallExpr)
			case accesses.OnDefer:
				call = ev.Node.(*ast.DeferStmt).Call
			default:
				continue
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !unlocks.MatchString(sel.Sel.Name) {
				continue
			}
			if len(f.locks.Ops(accesses.Event{Kind: accesses.OnCall, Node: call})) > 0 {
				continue
			}
			if fn := f.locks.Callee(call); (fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" && !f.lowersCount(fn)) && f.mayUnlock(sel) {
				return true
			}
		}
	}
	return false
}

// mayUnlock says whether what is called is named for unlocking, or releases what is named like a lock or was
// acquired in the body: connections, buffers and memory are released, too.
func (f *finding) mayUnlock(sel *ast.SelectorExpr) bool {
	name := types.ExprString(sel.X)
	if !onlyReleases.MatchString(sel.Sel.Name) || lockLike.MatchString(name) || lockLike.MatchString(sel.Sel.Name) {
		return true
	}
	if t := f.pkg.Info.TypeOf(sel.X); t != nil {
		if tn := accesses.TypeName(t); tn != nil && lockLike.MatchString(tn.Name()) {
			return true
		}
	}
	found := false
	ast.Inspect(f.body.Outermost().Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && acquisitions.MatchString(calledName(call))
		return !found
	})
	return found
}

var (
	onlyReleases = pattern.New(`(?i)^release`)
	lockLike     = pattern.New(`(?i)lock|mutex|mtx|\bmu\b|sem|(^|[^e])lease|guard|slot|token|permit|ticket|limit`)
	acquisitions = pattern.New(`(?i)acquire|obtain|reserve|claim|^enter`)
)

// lowersCount says whether the function is one of the package that is named for a release and
// subtracts from a count of its object, which this body has not acquired by a call: no lock.
//
//	func (p *Pool) release() { p.open--; p.signal() }
func (f *finding) lowersCount(fn *types.Func) bool {
	b := f.pkg.ByFunc[fn]
	if b == nil || !releases.MatchString(fn.Name()) || f.states[b] == nil {
		return false
	}
	current := f.bodyState
	f.bodyState = f.states[b]
	lowers := slices.ContainsFunc(f.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.via == nil && f.difference(w) < 0
	})
	f.bodyState = current
	received := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		received = received || ok && u.Op == token.ARROW
		return !received
	})
	if !lowers || received {
		return false
	}
	acquired := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !acquired {
			g := f.locks.Callee(call)
			acquired = g != nil && g.Pkg() == fn.Pkg() && acquires.MatchString(g.Name())
		}
		return !acquired
	})
	return !acquired
}

var (
	releases = pattern.New(`^[rR]elease`)
	acquires = pattern.New(`(?i)acquire|lock|enter|reserve|retain|hold`)
)
