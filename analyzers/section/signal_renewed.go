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

// renewedSignals finds receives from the channel in a field, taken out of it without the lock under which
// others close the channel to tell all of news, and put a new one into the field:
//
//	<-b.news // elsewhere: b.mu.Lock(); close(b.news); b.news = make(chan struct{}); b.mu.Unlock()
func (s *search) renewedSignals() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) {
		return
	}
	for _, o := range s.order {
		if !isChannelRead(o) || o.via != nil || s.heldThere(o) ||
			!s.receivedFrom(o) || s.reachOf(o) < shared.Meant && (s.reachOf(o) == shared.Private || !s.waitsAt(o)) || s.saidHere(o) {
			continue
		}
		k := s.renews(o.Var)
		if k.occurrence == nil || k.body.Outermost() == s.body.Outermost() {
			continue
		}
		if _, strong, _ := s.shared.RivalsAmong(s.body, o.Var, map[*accesses.Body]bool{k.body: true}); !strong && !s.waitsAt(o) {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), k.Pos())
		c.Roles = [2]string{"read without the lock", "stored with it"}
		c.Alike = fmt.Sprint(c.Category, c.Name)
		c.Message = fmt.Sprintf("%s is read here without %s, under which %s closes it and stores a new one", types.ExprString(o.Expr), anyOf(k.held), k.body.Fn.Name)
		s.tell(c, o, k.Access)
		return
	}
}

// receivedFrom says whether what is read is received from at once.
func (s *search) receivedFrom(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		u, ok := n.(*ast.UnaryExpr)
		found = found || ok && u.Op == token.ARROW && ast.Unparen(u.X) == o.Expr
		return !found
	})
	return found
}

// waitsAt says whether the body waits at the receive from what is read, until the channel is closed: then
// whoever closes it runs in another goroutine.
func (s *search) waitsAt(o *occurrence) bool {
	polls := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectStmt); ok {
			for _, clause := range sel.Body.List {
				comm := clause.(*ast.CommClause)
				polls = polls || comm.Comm == nil && sel.Pos() <= o.Pos() && o.Pos() < sel.End()
			}
		}
		return !polls
	})
	return !polls
}

// renews is a write of a new channel to the field, in the hold of a lock in which the one that was there
// is closed, if all writes but those of constructors, and of what readies the object, are made with a
// lock of that class.
func (s *search) renews(v access.Var) placed {
	current := s.bodyState
	defer func() { s.bodyState = current }()
	var found placed
	class := ""
	for _, k := range s.ownAccesses(v) {
		s.bodyState = s.states[k.body]
		if k.Mode != atomicity.Write || k.lit || s.reachOf(k.occurrence) == shared.Private || s.readies() {
			continue
		}
		held := locksOf(k.held)
		if len(held) != 1 || k.held[held[0]] != locks.Exclusive || class != "" && locks.ClassOf(held[0]) != class {
			return placed{}
		}
		class = locks.ClassOf(held[0])
		if found.occurrence == nil && s.closesFirst(k) {
			found = k
		}
	}
	return found
}

// closesFirst says whether the body closes what is in the field, and stores a new channel in its place.
func (s *search) closesFirst(k placed) bool {
	values := stored(k.Access)
	if len(values) != 1 {
		return false
	}
	if made, ok := ast.Unparen(values[0]).(*ast.CallExpr); !ok || types.ExprString(made.Fun) != "make" {
		return false
	}
	for _, r := range s.order {
		if r.Mode == atomicity.Read && r.via == nil && r.sameInstance(k.occurrence) && s.leadsTo(r, k.occurrence) && s.oneHold(r, k.occurrence) && s.closedHere(r) {
			return true
		}
	}
	return false
}

// closedHere says whether what is read is closed at once.
func (s *search) closedHere(r *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || ast.Unparen(call.Args[0]) != r.Expr {
			return !found
		}
		found = found || types.ExprString(call.Fun) == "close"
		return !found
	})
	return found
}
