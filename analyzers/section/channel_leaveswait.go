package section

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity/access"
)

// leavesWait says whether the call, in the block, is made in the arm of a select by which a function
// gives up waiting for something else, and nothing but that decides about it:
//
//	select {
//	case <-s.done:
//	case <-ctx.Done():
//		close(s.abort)
//	}
//
// Each of several that wait there gives up by itself.
func (s *search) leavesWait(call *ast.CallExpr, block int) bool {
	gives, around := false, 0
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if n == nil || call.Pos() < n.Pos() || n.End() < call.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			around = 2
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt, *ast.RangeStmt:
			around = 2
		case *ast.SelectStmt:
			around++
			gives = s.hasWayOut(n, call, block)
		}
		return true
	})
	return gives && around == 1 && !s.anyDecides(block)
}

// hasWayOut says whether the call is made whenever the select ends by a time or a context, which
// waits for something else in another arm.
func (s *search) hasWayOut(sel *ast.SelectStmt, call *ast.CallExpr, block int) bool {
	out, waits := false, false
	for _, clause := range sel.Body.List {
		comm, ok := clause.(*ast.CommClause)
		switch {
		case !ok || comm.Comm == nil:
			return false
		case s.alwaysIn(comm.Body, call):
			out = s.waitsForTime(comm) && !s.choosesIn(comm, block)
		default:
			waits = waits || received(comm) != nil
		}
	}
	return out && waits
}

// flagTaken is an atomic flag of the receiver that the body sets by an operation which tells the
// first one, and asks for that: if c.ended.CompareAndSwap(false, true) { … }.
func (s *search) flagTaken() (flag string, ok bool) {
	if s.body.Func == nil || s.body.Func.Signature().Recv() == nil {
		return "", false
	}
	for _, o := range s.order {
		call, isCall := o.Expr.(*ast.CallExpr)
		if !isCall || o.Kind != access.Atomic || o.via != nil || !isFirst(o.Method) || o.place.Root != types.Object(s.body.Func.Signature().Recv()) || inLoop(s.body.Block, call) || !s.turnsOn(call) {
			continue
		}
		for _, conds := range s.body.Conds {
			if slices.ContainsFunc(conds, func(e ast.Expr) bool { e, _ = asked(e); return ast.Unparen(e) == ast.Expr(call) }) {
				return o.place.String(), true
			}
		}
	}
	return "", false
}

func isFirst(method string) bool { return method == "CompareAndSwap" || method == "Swap" }

// turnsOn says whether the operation stores true, or 1.
func (s *search) turnsOn(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	tv := s.pkg.Info.Types[call.Args[len(call.Args)-1]]
	return tv.Value != nil && (tv.Value.ExactString() == "true" || tv.Value.ExactString() == "1")
}

// endsPart says whether an exported method of another type, by which anybody ends an object,
// calls the one that the body is of on a part of it, whatever the state of that.
func (s *search) endsPart() bool {
	fn := s.body.Func
	if fn == nil || fn.Exported() || fn.Signature().Recv() == nil {
		return false
	}
	current := s.bodyState
	defer func() { s.bodyState = current }()
	for _, b := range s.callersOf(fn) {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil || !endings.MatchString(b.Func.Name()) {
			continue
		}
		s.bodyState = s.states[b]
		recv, found := types.Object(b.Func.Signature().Recv()), false
		s.locks.Walk(b, func(block, _ int, ev accesses.Event, held locks.Set) {
			call, ok := ev.Node.(*ast.CallExpr)
			if ok && ev.Kind == accesses.OnCall && s.locks.Callee(call) == fn && s.receiverOf(call).Root == recv && !s.anyDecides(block) && !held.Any() && !held.Holds(locks.Once) && !s.inSelect(call) && !inLoop(b.Block, call) {
				found = true
			}
		})
		if found && !s.recovers() {
			return true
		}
	}
	return false
}

// closesForOthers says whether fn is the Close of an io.Closer in an internal package, of an exported
// type, and takes a lock of its object that it does not hold at the close: it knows that others
// use the object meanwhile.
func (s *search) closesForOthers(c closeCall, fn *types.Func) bool {
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	if !strings.Contains("/"+s.pkg.Types.Path()+"/", "/internal/") || fn.Name() != "Close" || !s.closesAsIO(fn) || tn == nil || !tn.Exported() || c.held.Any() {
		return false
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && op.Lock.Root == types.Object(fn.Signature().Recv()) {
					return true
				}
			}
		}
	}
	return false
}
