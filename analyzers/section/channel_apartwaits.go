package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// apartTold is what others may learn of a goroutine when it has sent: the variables that it names from there on, other
// than to receive from them, and those that it receives from.
type apartTold struct {
	by, asked map[types.Object]bool
}

// toldAfter is what the goroutine, and others of the function who learn of it, may tell others after the send: the
// function itself as well, unless it is the one that waits.
func (s *search) toldAfter(by apartSender, itself bool) apartTold {
	told := apartTold{map[types.Object]bool{}, map[types.Object]bool{}}
	after := by.at.End()
	ast.Inspect(by.block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= by.at.Pos() && by.at.End() <= n.End() {
				after = min(after, n.Pos())
			}
		}
		return true
	})
	given := s.givenBy(by)
	if _, isGo := by.start.(*ast.GoStmt); by.given || !isGo { // it is called again, or somebody waits for the group
		after = by.block.Pos()
		s.mayTell(by.call.Fun, given, told, 0)
		for _, arg := range by.call.Args {
			if _, lit := ast.Unparen(arg).(*ast.FuncLit); !lit {
				s.mayTell(arg, given, told, 0)
			}
		}
	}
	ast.Inspect(by.block, func(n ast.Node) bool {
		if n == ast.Node(by.send.Chan) {
			return false
		}
		if d, ok := n.(*ast.DeferStmt); ok {
			s.mayTell(d, given, told, 0)
			return false
		}
		if x, ok := n.(ast.Stmt); ok && x.Pos() >= after {
			s.mayTell(x, given, told, 0)
			return false
		}
		return true
	})
	delete(told.by, by.ch)
	delete(told.by, by.of)
	for range 2 {
		s.toldOn(by, told, itself)
	}
	return told
}

// givenBy are the expressions that a function gets, which is started by its name, for its parameters and its receiver.
func (s *search) givenBy(by apartSender) map[types.Object]ast.Expr {
	given := map[types.Object]ast.Expr{}
	fn := s.locks.Callee(by.call)
	if fn == nil || by.of == by.ch {
		return given
	}
	for i, arg := range by.call.Args {
		if i < fn.Signature().Params().Len() {
			given[fn.Signature().Params().At(i)] = arg
		}
	}
	if sel, ok := ast.Unparen(by.call.Fun).(*ast.SelectorExpr); ok && fn.Signature().Recv() != nil {
		given[fn.Signature().Recv()] = sel.X
	}
	return given
}

// mayTell adds to what is told the variables that the node names; those of locals are what these were given.
func (s *search) mayTell(n ast.Node, given map[types.Object]ast.Expr, told apartTold, depth int) {
	received := map[ast.Node]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				received[n.X] = true
			}
		case *ast.RangeStmt:
			if _, isChan := s.values.underlying(n.X).(*types.Chan); isChan {
				received[n.X] = true
			}
		}
		if x, ok := n.(ast.Expr); ok && received[n] {
			if _, called := ast.Unparen(x).(*ast.CallExpr); !called {
				if pl := s.pkg.PlaceOf(x); pl.Valid() {
					told.asked[pl.Root] = true
				}
				return false
			}
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.pkg.Info.Uses[id].(*types.Var)
		if !ok || v.IsField() || isContext(v.Type()) || told.by[v] {
			return true
		}
		told.by[v] = true
		if depth > 2 {
			return true
		}
		if arg := given[v]; arg != nil {
			s.mayTell(arg, nil, told, depth+1)
		}
		for _, value := range s.values.assigns[v] {
			if value.value != nil {
				s.mayTell(value.value, given, told, depth+1)
			}
		}
		return true
	})
}

// toldOn adds what the others of the function, and it itself, may tell that learn of what is told, or receive from the channel.
func (s *search) toldOn(by apartSender, told apartTold, itself bool) {
	learns := func(n ast.Node) bool {
		found := false
		sends := map[ast.Node]bool{}
		ast.Inspect(n, func(n ast.Node) bool {
			if send, ok := n.(*ast.SendStmt); ok {
				sends[send.Chan] = true // who sends there too learns nothing
			}
			id, ok := n.(*ast.Ident)
			if ok && !(sends[id] && s.pkg.Info.Uses[id] == types.Object(by.ch)) {
				obj := s.pkg.Info.Uses[id]
				found = found || obj != nil && (obj == types.Object(by.ch) || told.by[obj])
			}
			return !found
		})
		return found
	}
	own := func(n ast.Node) bool { // what closes the channel learns nothing by that
		return makesCall(n, func(call *ast.CallExpr) bool {
			id := identOf(s.closeOf(call))
			return id != nil && s.pkg.Info.Uses[id] == types.Object(by.ch)
		})
	}
	receives := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !own(n) && learns(n) && !(by.start.Pos() <= n.Pos() && n.End() <= by.start.End()) {
				s.mayTell(n, nil, told, 2)
			}
			return false
		case *ast.GoStmt:
			if n == by.start {
				return false
			}
		case *ast.CallExpr:
			if slices.ContainsFunc(n.Args, func(arg ast.Expr) bool {
				id := identOf(arg)
				return id != nil && s.pkg.Info.Uses[id] == types.Object(by.ch)
			}) && s.closeOf(n) == nil {
				s.mayTell(n, nil, told, 2)
			}
		case *ast.UnaryExpr:
			receives = receives || n.Op == token.ARROW && learns(n.X)
		case *ast.RangeStmt:
			receives = receives || learns(n.X)
		}
		return true
	})
	if receives && itself {
		ast.Inspect(s.body.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt:
				return false
			case *ast.CallExpr:
				s.mayTell(n, nil, told, 2)
			}
			return true
		})
	}
	delete(told.by, by.ch)
}

// apartWait looks for what a closer may wait for before it closes the channel of a sender.
type apartWait struct {
	s           *search
	by          apartSender
	told        apartTold
	close       *ast.CallExpr
	from, until token.Pos
	few         bool // a receive from the channel is no wait
}

// untilClose looks for waits before the close, which is in the block.
func (s *search) untilClose(by apartSender, told apartTold, c apartClose, block *ast.BlockStmt) *apartWait {
	w := &apartWait{s: s, by: by, told: told, close: c.close, until: block.End()}
	if !c.deferred {
		w.until = c.close.Pos()
	}
	return w
}

// waitsBetween says whether the function may wait for the sender between the two starts, whichever comes first.
func (w *apartWait) waitsBetween(a, b ast.Node) bool {
	if b.Pos() < a.Pos() {
		a, b = b, a
	}
	between := *w
	between.from, between.until = a.End(), b.Pos()
	return between.waits(w.s.body.Block)
}

// waits says whether something in the node may wait for what the sender does after it has sent.
func (w *apartWait) waits(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if found || n == nil || n.Pos() >= w.until || n.End() <= w.from {
			return false
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.FuncLit:
			return n.Pos() <= w.close.Pos() && w.close.End() <= n.End()
		case *ast.SelectStmt:
			found = w.waitsInSelect(n)
			return false
		case *ast.UnaryExpr:
			found = n.Op == token.ARROW && w.tells(n.X)
		case *ast.RangeStmt:
			_, isChan := w.s.values.underlying(n.X).(*types.Chan)
			found = isChan && w.tells(n.X)
		case *ast.SendStmt:
			found = w.named(n.Chan, w.told.by) || w.named(n.Chan, w.told.asked)
		case *ast.IfStmt:
			found = w.named(n.Cond, w.told.by)
		case *ast.ForStmt:
			found = n.Cond != nil && w.named(n.Cond, w.told.by)
		case *ast.CallExpr:
			found = w.waitsInCall(n)
		}
		return !found
	})
	return found
}

// waitsInSelect says whether no arm of the select leads on, to the close, without the sender; or something in the arms waits.
func (w *apartWait) waitsInSelect(sel *ast.SelectStmt) bool {
	passes := false
	for _, clause := range sel.Body.List {
		comm := clause.(*ast.CommClause)
		if sel.Pos() <= w.close.Pos() && w.close.End() <= sel.End() && !(comm.Pos() <= w.close.Pos() && w.close.End() <= comm.End()) {
			continue // not on the way
		}
		for _, st := range comm.Body {
			if w.waits(st) {
				return true
			}
		}
		if k := len(comm.Body); k > 0 && w.until == w.close.Pos() {
			if _, returns := comm.Body[k-1].(*ast.ReturnStmt); returns {
				continue
			}
		}
		from := received(comm)
		passes = passes || comm.Comm == nil || from != nil && !w.tells(from)
	}
	return !passes
}

// waitsInCall says whether the call may wait for the sender: by its name, or since it gets what the sender names after it has sent.
func (w *apartWait) waitsInCall(call *ast.CallExpr) bool {
	name := calledName(call)
	if group := w.ownGroup(call); group != nil {
		return w.told.by[group] || w.named(w.by.call, map[types.Object]bool{group: true})
	}
	if waitings.MatchString(name) || name == "Lock" || name == "RLock" || name == "Do" {
		return true
	}
	if id := identOf(call.Fun); id != nil {
		if _, builtin := w.s.pkg.Info.Uses[id].(*types.Builtin); builtin {
			return false
		}
		if v, ok := w.s.pkg.Info.Uses[id].(*types.Var); ok {
			return !isCancelFunc(v.Type())
		}
	}
	if fn := w.s.locks.Callee(call); fn != nil {
		if b := w.s.pkg.ByFunc[fn]; b != nil {
			waits := false
			w.s.inState(b, func() { waits = w.s.waitsAnywhere() })
			return waits || w.named(call, w.told.by)
		}
	}
	return !apartEndings.MatchString(name) && w.named(call, w.told.by)
}

// ownGroup is the local of the function, a sync.WaitGroup, that the call waits for, or nil.
func (w *apartWait) ownGroup(call *ast.CallExpr) types.Object {
	fn := w.s.locks.Callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn == nil || fn.FullName() != "(*sync.WaitGroup).Wait" {
		return nil
	}
	id := identOf(sel.X)
	if id == nil {
		return nil
	}
	v, ok := w.s.pkg.Info.Uses[id].(*types.Var)
	if !ok || v.IsField() || accesses.IsGlobal(v) || !w.s.body.Encloses(v.Pos()) || len(w.s.values.assigns[v]) > 0 {
		return nil
	}
	return v
}

// isCancelFunc says whether the type is that of what ends a context.
func isCancelFunc(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && tn.Pkg() != nil && tn.Pkg().Path() == "context"
}

// apartEndings are names of what ends something of a library, and does not wait for those who use it.
var apartEndings = pattern.New(`^(Stop|Close|Cancel|Shutdown|Unsubscribe|Kill|SetDeadline|SetReadDeadline)$`)

// tells says whether a receive from the channel may be of the sender's making: it sends or closes it, or ends the context.
func (w *apartWait) tells(ch ast.Expr) bool {
	if id := identOf(ch); id != nil && w.s.pkg.Info.Uses[id] == types.Object(w.by.ch) {
		return !w.few
	}
	return w.named(ch, w.told.by) || w.endsContext(ch, 0)
}

// endsContext says whether the expression names a context of the function that the sender may end.
func (w *apartWait) endsContext(e ast.Expr, depth int) bool {
	ends := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return !ends
		}
		v, ok := w.s.pkg.Info.Uses[id].(*types.Var)
		if !ok || !isContext(v.Type()) || depth > 3 {
			return true
		}
		ast.Inspect(w.s.body.Outermost().Block, func(n ast.Node) bool {
			st, ok := n.(*ast.AssignStmt)
			if !ok || ends || !slices.ContainsFunc(st.Lhs, func(lhs ast.Expr) bool { return w.s.pkg.Info.ObjectOf(identOf(lhs)) == types.Object(v) }) {
				return !ends
			}
			for _, lhs := range st.Lhs {
				obj := w.s.pkg.Info.ObjectOf(identOf(lhs))
				ends = ends || obj != nil && w.told.by[obj]
			}
			for _, rhs := range st.Rhs {
				ends = ends || w.endsContext(rhs, depth+1)
			}
			return !ends
		})
		return !ends
	})
	return ends
}

// named says whether the expression names one of the variables.
func (w *apartWait) named(e ast.Expr, among map[types.Object]bool) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && among[w.s.pkg.Info.Uses[id]]
		return !found
	})
	return found
}
