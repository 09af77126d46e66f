package section

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// inSyncMap finds channels of the values of a sync.Map, or that are its values, on which a function sends once it has
// loaded the value, while another goroutine takes the value out and closes the channel:
//
//	if v, ok := x.queues.Load(id); ok { v.(*queue).ch <- job }
//	if v, ok := x.queues.LoadAndDelete(id); ok { close(v.(*queue).ch) } // elsewhere
//
// or is done with what it, or who has started it, has put there: x.queues.Delete(q.id); close(q.ch)
//
// and those that two close: who has stored the value when it is done with it, and who goes through all of them.
// The map hands out a value as long as it is there, and what has been handed out can be sent on later.
func (s *search) inSyncMap() {
	if s.shared.Constructing(s.body) || s.shared.Sequential(s.body) {
		return
	}
	uses := s.syncChannels()
	for _, u := range uses {
		if u.body != s.body || u.how == "LoadAndDelete" || u.held || u.closes && u.how != "Range" {
			continue
		}
		for _, c := range uses {
			if !c.closes || c.node == u.node || c.of != u.of || c.field != u.field || u.closes && (c.held || c.how == "Range" || c.how == "Load") {
				continue
			}
			if !u.closes && (s.inFlight(u.node.Pos()) || c.body == u.body && (s.shared.Single(s.body) || u.how == "Range")) {
				continue
			}
			if c.body.Outermost() == u.body.Outermost() && (u.closes || c.body != u.body) {
				continue
			}
			if _, strong, _ := s.shared.RivalsAmong(u.body, access.Var{Obj: u.of}, map[*accesses.Body]bool{c.body: true}); !strong && !s.besideHandler(u, c) {
				continue
			}
			s.tellOfSyncChannel(u, c)
			return
		}
	}
}

// besideHandler says whether what stores the value is a handler of requests, each of which has a goroutine, and the other one is
// an exported method by which somebody else ends it all.
func (s *search) besideHandler(u, c syncChannel) bool {
	fn := u.body.Outermost().Func
	return u.closes && c.how == "Store" && fn != nil && fn.Exported() && endings.MatchString(fn.Name()) && s.shared.Launched(c.body.Outermost())
}

func (s *search) tellOfSyncChannel(u, c syncChannel) {
	a := &access.Access{Var: access.Var{Obj: u.of}, Mode: atomicity.Read, Func: s.body.Fn, Expr: u.channel, Cell: u.channel}
	name := types.ExprString(u.channel)
	category, roles := "send-after-check", [2]string{"sent on", "closed"}
	message := fmt.Sprintf("%s can be closed by %s before or during this send, which then panics: %s had handed out its value before that took it out", name, c.body.Fn.Name, u.of.Name())
	if u.closes {
		category, roles = "double-close", [2]string{"closed", "closed as well"}
		message = fmt.Sprintf("%s is closed here for each value of %s, and by %s, which has put the value there, when it is done: the second close panics", name, u.of.Name(), c.body.Fn.Name)
	}
	d := s.direct("testuse", category, a, u.node.Pos(), c.node.Pos())
	d.Roles, d.Message = roles, message
	s.tell(d, &occurrence{Access: a}, a)
}

// syncChannel is where a body sends on, or closes, a channel in a field of a value of a sync.Map, or one that is
// its value, and how it has the value: by Load, LoadAndDelete or Range, or because it is what it has put there by Store.
type syncChannel struct {
	body    *accesses.Body
	of      *types.Var // the sync.Map
	field   *types.Var // nil for the value itself
	how     string
	closes  bool
	channel ast.Expr
	node    ast.Node
	held    bool // some lock is
}

// syncChannels are all such uses in the package, other than those where a flag decides or a panic is recovered from.
func (s *search) syncChannels() []syncChannel {
	if s.syncUses != nil {
		return s.syncUses
	}
	s.syncUses = []syncChannel{}
	current := s.bodyState
	for _, b := range s.pkg.Bodies {
		if s.shared.Constructing(b) && b.Parent == nil {
			continue
		}
		s.bodyState = s.stateOf(b)
		s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			u := syncChannel{body: b, node: ev.Node, held: held.Any()}
			switch n := ev.Node.(type) {
			case *ast.SendStmt:
				if ev.Kind != accesses.OnSend {
					return
				}
				u.channel = n.Chan
			case *ast.DeferStmt:
				if ev.Kind != accesses.OnDefer || s.closeOf(n.Call) == nil {
					return
				}
				u.channel, u.closes = n.Call.Args[0], true
			case *ast.CallExpr:
				if ev.Kind != accesses.OnCall || s.closeOf(n) == nil {
					return
				}
				u.channel, u.closes = n.Args[0], true
			default:
				return
			}
			if u.of, u.field, u.how = s.channelOfSync(u.channel); u.of != nil && !held.Holds(locks.Once) && !s.recovers() && !(u.closes && s.chosen(u.node, u.how)) {
				s.syncUses = append(s.syncUses, u)
			}
		})
	}
	s.bodyState = current
	return s.syncUses
}

// channelOfSync is the sync.Map of which the channel's object, or the channel, is a value.
func (s *search) channelOfSync(ch ast.Expr) (of, field *types.Var, how string) {
	if sel, ok := ast.Unparen(ch).(*ast.SelectorExpr); ok {
		if field = s.variable(sel); field == nil || !field.IsField() {
			return nil, nil, ""
		}
		ch = sel.X
	}
	of, how = s.valueOfSync(ch, 0)
	return of, field, how
}

// valueOfSync is the sync.Map, in a field or of the package, of which e is a value, and how it was got.
func (s *search) valueOfSync(e ast.Expr, depth int) (of *types.Var, how string) {
	if depth > 4 {
		return nil, ""
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		if e.Type != nil {
			return s.valueOfSync(e.X, depth+1)
		}
	case *ast.CallExpr:
		switch m, method := s.syncCall(e); method {
		case "Load", "LoadAndDelete":
			return m, method
		case "LoadOrStore":
			return m, "Load"
		}
	case *ast.Ident:
		v, ok := s.pkg.Info.ObjectOf(e).(*types.Var)
		if !ok || v.IsField() || accesses.IsGlobal(v) {
			return nil, ""
		}
		for b := s.body; b != nil; b = b.Parent {
			if of := s.rangedOfSync(b, v); of != nil {
				return of, "Range"
			}
			list := s.stateOf(b).values.assigns[v]
			for _, d := range list {
				if of, how := s.valueOfSync(d.value, depth+1); of != nil {
					return of, how // where it was not there, it may be a fresh one
				}
			}
			if len(list) == 1 {
				return s.putInSync(b.Outermost(), v), "Store"
			}
			if len(list) == 0 && isParamOf(b, v) {
				return s.givenStored(b, v), "Store"
			}
		}
	}
	return nil, ""
}

// syncCall is the sync.Map, and its method, that is called.
func (s *search) syncCall(call *ast.CallExpr) (*types.Var, string) {
	fn := s.locks.Callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !ok || !strings.HasPrefix(fn.FullName(), "(*sync.Map).") {
		return nil, ""
	}
	return s.variable(sel.X), fn.Name()
}

// rangedOfSync is the sync.Map for whose values the literal is called, and v is what it is given of each.
func (s *search) rangedOfSync(b *accesses.Body, v *types.Var) (of *types.Var) {
	lit, ok := b.Node.(*ast.FuncLit)
	if !ok || b.Parent == nil || lit.Type.Params.NumFields() != 2 || v.Pos() < lit.Pos() || lit.Body.Pos() < v.Pos() {
		return nil
	}
	if list := lit.Type.Params.List; list[len(list)-1].Names[len(list[len(list)-1].Names)-1].Pos() != v.Pos() {
		return nil
	}
	ast.Inspect(b.Parent.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && ast.Unparen(call.Args[0]) == ast.Expr(lit) {
			if m, method := s.syncCall(call); method == "Range" {
				of = m
			}
		}
		return of == nil
	})
	return of
}

// putInSync is the sync.Map in which the body stores the local, and from which it deletes something again.
func (s *search) putInSync(b *accesses.Body, v *types.Var) (of *types.Var) {
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 {
			if id := identOf(call.Args[1]); id != nil && s.pkg.Info.Uses[id] == types.Object(v) {
				if m, method := s.syncCall(call); method == "Store" {
					of = m
				}
			}
		}
		return of == nil
	})
	return of
}

// givenStored is the sync.Map from which the function deletes something, and in which each of those that call it has
// stored what they give it as the parameter.
func (s *search) givenStored(b *accesses.Body, param *types.Var) *types.Var {
	var of *types.Var
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 && s.mentions(call.Args[0], param) {
			if m, method := s.syncCall(call); method == "Delete" {
				of = m
			}
		}
		return of == nil
	})
	given := false
	for _, from := range s.pkg.Bodies { // go statements call it, too
		ast.Inspect(from.Block, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || of == nil || s.locks.Callee(call) != b.Func {
				return of != nil
			}
			given = true
			for i := range b.Func.Signature().Params().Len() {
				if b.Func.Signature().Params().At(i) != param || i >= len(call.Args) {
					continue
				}
				local, _ := s.pkg.Info.ObjectOf(identOf(call.Args[i])).(*types.Var)
				if local == nil || s.putInSync(from, local) != of {
					of = nil
				}
			}
			return of != nil
		})
	}
	if !given {
		return nil
	}
	return of
}

// isParamOf says whether the variable is a parameter of the function with the body.
func isParamOf(b *accesses.Body, v *types.Var) bool {
	if b.Func == nil {
		return false
	}
	for p := range b.Func.Signature().Params().Variables() {
		if p == v {
			return true
		}
	}
	return false
}

// chosen says whether the close is made by one goroutine alone, as far as one can see: a condition around it asks for a flag or calls
// something, the function swaps something or takes an entry out before it, waits, or looks at the channel in a select with a default case.
func (s *search) chosen(end ast.Node, how string) bool {
	found := false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		if n == nil || found || n.Pos() > end.Pos() {
			return false
		}
		around := n.Pos() <= end.Pos() && end.End() <= n.End()
		switch n := n.(type) {
		case *ast.IfStmt:
			if around {
				ast.Inspect(n.Cond, func(x ast.Node) bool {
					switch x := x.(type) {
					case *ast.CallExpr:
						found = true
					case *ast.SelectorExpr:
						found = found || isBoolean(s.pkg.Info.TypeOf(x))
					}
					return !found
				})
			}
		case *ast.CommClause:
			found = around && n.Comm == nil
		case *ast.UnaryExpr:
			_, called := ast.Unparen(n.X).(*ast.CallExpr)
			found = n.Op == token.ARROW && !called && !s.inSelect(n)
		case *ast.GoStmt:
			return around
		case *ast.CallExpr:
			name := calledName(n)
			found = !around && (strings.HasPrefix(name, "CompareAnd") || strings.HasPrefix(name, "Swap") || name == "Wait" || how == "Range" && waiting.MatchString(name))
			if _, method := s.syncCall(n); method == "LoadAndDelete" && how != method {
				found = true
			}
		}
		return !found
	})
	return found
}
