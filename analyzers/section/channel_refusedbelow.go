package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// refusedBelow finds sends on a channel after a call that returns an error of its own when it
// finds, under a lock which it gives back, that the object is closed, and may return other
// errors as well:
//
//	if err := c.connect(); err != nil { return err } // c.closed is tested under c.mu
//	c.queue <- x
//
// Who sets the flag closes the channel: in between, and the send panics.
func (s *search) refusedBelow() {
	if s.recovers() || s.shared.Constructing(s.body) || !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	channels := s.channels()
	for block, events := range s.body.Events {
		for index, ev := range events {
			send, ok := ev.Node.(*ast.SendStmt)
			if !ok || ev.Kind != accesses.OnSend {
				continue
			}
			ch := s.occurrenceOf(send.Chan)
			if ch == nil || !ch.place.Valid() || channels[ch.Var] == nil || s.inFlight(ch.Pos()) || s.heldAt(block, index).Any() || s.saidOfSend(ch) {
				continue
			}
			flags := channels[ch.Var].closedWith
			if s.assured(ch, block, index, flags) {
				continue
			}
			if call, look := s.refusal(ch, block, flags); look != nil {
				c := s.direct("testuse", "send-after-check", look.Access, call.Pos(), ch.Pos())
				c.Via, c.Within = call, look.Pos()
				c.Ends = []*access.Access{ch.Access}
				f := finding{search: s, entry: ch}
				c.Sure = !f.excused(c)
				c.Message = fmt.Sprintf("%s can be closed between the test of %s in %s and the send on it, which then panics", types.ExprString(ch.Expr), s.pkg.Name(look.Var), types.ExprString(call.Fun))
				s.found = append(s.found, c)
			}
		}
	}
}

// saidOfSend says whether the send on ch is reported already.
func (s *search) saidOfSend(ch *occurrence) bool {
	for _, c := range s.found {
		if c.Sure && c.EndPos == ch.Pos() && c.Category == "send-after-check" {
			return true
		}
	}
	return false
}

// refusal is the call of a method of the object of ch, made with no lock held, whose error
// decides whether control comes to the block, and the look at one of the flags in it.
func (s *search) refusal(ch *occurrence, block int, flags map[access.Var]map[*accesses.Body]bool) (*ast.CallExpr, *occurrence) {
	for test, conds := range s.body.Conds {
		if ok, _ := s.decides(test, block); !ok || len(conds) != 1 {
			continue
		}
		b, ok := ast.Unparen(conds[0]).(*ast.BinaryExpr)
		if !ok || b.Op != token.EQL && b.Op != token.NEQ || !s.pkg.Info.Types[b.Y].IsNil() || !isError(s.pkg.Info.TypeOf(b.X)) {
			continue
		}
		call := s.lastCall(b.X)
		if call == nil || s.receiverOf(call) != (accesses.Place{Root: ch.place.Root}) {
			continue
		}
		if s.heldAtCall(call).Any() {
			continue
		}
		fn := s.locks.Callee(call)
		callee := s.pkg.ByFunc[fn]
		if callee == nil || fn.Signature().Recv() == nil {
			continue
		}
		if look := s.refusesBy(callee, flags); look != nil {
			return call, look
		}
	}
	return nil, nil
}

// lastCall is the call whose error e is, by the last assignment before e.
func (s *search) lastCall(e ast.Expr) *ast.CallExpr {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return call
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	var last *ast.CallExpr
	for _, d := range s.values.assigns[s.pkg.Info.ObjectOf(id)] {
		if call, ok := ast.Unparen(d.value).(*ast.CallExpr); ok && call.End() <= e.Pos() && (last == nil || call.Pos() > last.Pos()) {
			last = call
		}
	}
	return last
}

// refusesBy is the look at one of the flags, in the receiver of b and under a lock that b takes
// itself, which leads at once to the return of an error that is made there.
func (s *search) refusesBy(b *accesses.Body, flags map[access.Var]map[*accesses.Body]bool) *occurrence {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	s.bodyState = s.stateOf(b)
	recv := types.Object(b.Func.Signature().Recv())
	for _, look := range s.order {
		elsewhere := false
		for closer := range flags[look.Var] {
			elsewhere = elsewhere || closer != b && closer != current.body
		}
		if !elsewhere || look.Mode != atomicity.Read || look.via != nil || look.place.Root != recv || !look.held.Any() || s.locks.Entry(b).Any() {
			continue
		}
		for _, test := range s.testsOf(look.Access, true) {
			for _, next := range s.body.CFG.Blocks[test].Succs {
				if s.returnsOwnError(next) {
					return look
				}
			}
		}
	}
	return nil
}

// returnsOwnError says whether the block ends with the return of an error that is made
// there, or of a variable of a package.
func (s *search) returnsOwnError(b *cfg.Block) bool {
	if len(b.Nodes) == 0 {
		return false
	}
	ret, ok := b.Nodes[len(b.Nodes)-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) == 0 {
		return false
	}
	last := ast.Unparen(ret.Results[len(ret.Results)-1])
	if s.pkg.Info.Types[last].IsNil() {
		return false
	}
	if u, ok := last.(*ast.UnaryExpr); ok && u.Op == token.AND {
		_, made := ast.Unparen(u.X).(*ast.CompositeLit)
		return made
	}
	return s.fixed(last)
}
