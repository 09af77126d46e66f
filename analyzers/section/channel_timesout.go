package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// timesOut finds channels of a function on which one of the goroutines that it starts sends, and which another
// one closes at its end, for which it waits for something that comes whether or not the first one has
// sent:
//
//	go func() { errs <- run() }()
//	go func() {
//		defer close(errs)
//		select {
//		case <-finished:
//		case <-time.After(limit):
//			errs <- errTimeout
//		}
//	}()
//
// The send of who is late panics.
func (s *search) timesOut() {
	var starts []*ast.GoStmt
	for _, st := range s.body.Block.List {
		if g, ok := st.(*ast.GoStmt); ok {
			starts = append(starts, g)
		}
	}
	if len(starts) < 2 {
		return
	}
	for _, g := range starts {
		lit, ok := ast.Unparen(g.Call.Fun).(*ast.FuncLit)
		closer := s.pkg.ByNode[lit]
		if !ok || closer == nil {
			continue
		}
		atEnd := map[*types.Var]ast.Node{}
		s.inState(closer, func() { atEnd = s.closedInAnyCase() })
		for _, v := range byName(atEnd) {
			if v.IsField() || accesses.IsGlobal(v) || len(s.values.assigns[v]) != 1 || !s.body.Encloses(v.Pos()) || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
				continue
			}
			for _, other := range starts {
				sender, ok := ast.Unparen(other.Call.Fun).(*ast.FuncLit)
				if !ok || other == g || recoversIn(sender) {
					continue
				}
				send := s.lastSendOn(sender.Body, v)
				call, ok := atEnd[v].(*ast.CallExpr)
				if send == nil || !ok || len(call.Args) != 1 || inComm(sender.Body, send) || s.keptApart(sender, send, lit) || !s.endsAnyway(lit, v, s.pkg.ByNode[sender]) {
					continue
				}
				s.tellOfLeft(call.Args[0], v, send, "%s is closed here whether or not the other goroutine has sent on it: this one does not wait for that in all cases, and a send on a closed channel panics")
				return
			}
		}
	}
}

// lastSendOn is the last send on the channel in the block, which comes after all that may take long.
func (s *search) lastSendOn(block *ast.BlockStmt, ch *types.Var) (last *ast.SendStmt) {
	for _, x := range sendsIn(block) {
		if id := identOf(x.Chan); id != nil && s.pkg.Info.Uses[id] == types.Object(ch) {
			last = x
		}
	}
	return last
}

// byName are the variables in the order of the source.
func byName(m map[*types.Var]ast.Node) []*types.Var {
	var list []*types.Var
	for v := range m {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *types.Var) int { return int(a.Pos() - b.Pos()) })
	return list
}

// inComm says whether the send is one arm of several in a select.
func inComm(block *ast.BlockStmt, send *ast.SendStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectStmt)
		found = found || ok && len(sel.Body.List) > 1 && slices.ContainsFunc(sel.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == ast.Stmt(send) })
		return !found
	})
	return found
}

// keptApart says whether something that comes before the send in its goroutine may be there for the goroutine
// that closes: a lock, or a look at a variable that this one changes; or the closer ends a context, or stores
// what is looked at elsewhere.
func (s *search) keptApart(sender *ast.FuncLit, send *ast.SendStmt, closer *ast.FuncLit) bool {
	changed := map[types.Object]bool{}
	apart := false
	note := func(e ast.Expr) {
		if pl := s.pkg.PlaceOf(e); pl.Valid() && !(closer.Pos() <= pl.Root.Pos() && pl.Root.Pos() < closer.End()) {
			changed[pl.Root] = true
		}
	}
	ast.Inspect(closer.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, lhs := range n.Lhs {
					note(lhs)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			switch name := calledName(n); {
			case name == "Store", name == "CompareAndSwap", name == "Swap", name == "Add":
				if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok {
					note(sel.X)
				}
			case name == "cancel":
				apart = true
			}
			if s.closeOf(n) != nil {
				note(n.Args[0])
			}
		}
		return true
	})
	ch := s.pkg.PlaceOf(send.Chan).Root
	ast.Inspect(sender.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= send.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			apart = apart || calledName(n) == "Lock" || calledName(n) == "RLock" || calledName(n) == "TryLock"
		case *ast.Ident:
			obj := s.pkg.Info.Uses[n]
			apart = apart || obj != nil && obj != ch && changed[obj]
		}
		return !apart
	})
	return apart
}

// endsAnyway says whether the goroutine waits in a select of its block, of which one arm at least receives what the sender
// has no part in, and waits for nothing else.
func (s *search) endsAnyway(closer *ast.FuncLit, ch *types.Var, sender *accesses.Body) bool {
	var sel *ast.SelectStmt
	for _, st := range closer.Body.List {
		if x, ok := st.(*ast.SelectStmt); ok {
			sel = x
		}
	}
	if sel == nil {
		return false
	}
	waits := true
	s.inState(s.pkg.ByNode[closer], func() { waits = s.waitsElse(ch) })
	if waits {
		return false
	}
	for _, clause := range sel.Body.List {
		comm := clause.(*ast.CommClause)
		from := received(comm)
		if id := identOf(from); from == nil || id != nil && s.pkg.Info.Uses[id] == types.Object(ch) || s.endsIn(from, sender) {
			continue
		}
		leaves := true
		for _, st := range comm.Body {
			ast.Inspect(st, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.BranchStmt, *ast.SelectStmt, *ast.ForStmt, *ast.RangeStmt, *ast.GoStmt:
					leaves = false
				}
				return leaves
			})
		}
		if leaves {
			return true
		}
	}
	return false
}
