package section

import (
	"fmt"
	"go/ast"
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

// A handover is the place where a body gives something away that another goroutine works on
// from then on.
type handover struct {
	*occurrence
	given []ast.Expr
	waits bool                              // for an answer
	taker func(v access.Var) *accesses.Body // the goroutine, if it takes what it was given out of the map
}

// registeredLate finds functions that hand something over and enter it in a map afterwards, where
// those who get it look for it, or remove it when they are done: they can be through before.
//
//	q.jobs <- id              // elsewhere: id := <-q.jobs; …; delete(q.busy, id)
//	q.mu.Lock()
//	q.busy[id] = true         // stays for ever
//	q.mu.Unlock()
func (s *search) registeredLate() {
	if s.shared.Constructing(s.body) {
		return
	}
	var list []handover
	for _, reg := range s.order {
		if reg.Mode != atomicity.Write || reg.via != nil || reg.lit || reg.later || !entersKey(reg.Access) || !reg.Var.Obj.IsField() || s.reachOf(reg) == shared.Private {
			continue
		}
		if list == nil {
			if list = s.handovers(); len(list) == 0 {
				return
			}
		}
		for _, h := range list {
			if s.before(reg, h) || !s.leadsTo(h.occurrence, reg) || s.oneHold(h.occurrence, reg) || !s.isHanded(h, reg.Key) || s.enteredBefore(reg, h) {
				continue
			}
			if h.waits && !s.storesWaiter(reg) {
				continue
			}
			taker := h.taker(reg.Var)
			if taker == nil {
				continue
			}
			c := s.direct("multivar", "multi-variable", reg.Access, h.Pos(), reg.Pos())
			c.EndName = s.pkg.Name(reg.Var)
			c.Roles = [2]string{"still without it", "added to"}
			says := doneEarly
			if h.waits {
				says = answeredEarly
			}
			c.Message = fmt.Sprintf(says, types.ExprString(reg.Key), reg.place, taker.Fn.Name)
			s.tell(c, reg, reg.Access)
			return
		}
	}
}

const (
	doneEarly     = "%s is entered in %s after it was handed over: %s can be done with it and remove it before, and the entry then stays"
	answeredEarly = "%s is entered in %s after it was sent: %s can look for it before, when the answer is there, and finds nobody who waits"
)

// entersKey says whether the write enters something under a key.
func entersKey(a *access.Access) bool {
	return a.Kind == access.MapElement && a.Method != "delete" && a.Update == nil || a.Kind == access.SyncMap && (a.Method == "Store" || a.Method == "LoadOrStore")
}

// removesEntry says whether the write takes one entry out of a map.
func removesEntry(a *access.Access) bool {
	return a.Kind == access.MapElement && a.Method == "delete" || a.Kind == access.SyncMap && strings.HasSuffix(a.Method, "Delete")
}

// handovers are the sends on channels of objects, the beginnings of goroutines, and the calls
// by which a request goes out, in the body.
func (s *search) handovers() []handover {
	var list []handover
	s.locks.Walk(s.body, func(block, index int, ev accesses.Event, held locks.Set) {
		at := &occurrence{Access: &access.Access{}, block: block, index: index, held: held, outer: held}
		switch n := ev.Node.(type) {
		case *ast.SendStmt:
			ch := s.occurrenceOf(n.Chan)
			if ev.Kind != accesses.OnSend || ch == nil || !ch.Var.Obj.IsField() {
				return
			}
			at.Access = ch.Access
			list = append(list, handover{at, []ast.Expr{n.Value}, false, func(v access.Var) *accesses.Body { return s.receiverRemoves(ch.Var, v) }})
		case *ast.GoStmt:
			if ev.Kind == accesses.OnGo {
				at.Access = &access.Access{Expr: n.Call, Stmt: n}
				list = append(list, handover{at, append([]ast.Expr{n.Call.Fun}, n.Call.Args...), false, func(v access.Var) *accesses.Body { return s.goroutineRemoves(n.Call, v) }})
			}
		case *ast.CallExpr:
			if ev.Kind == accesses.OnCall && s.sendsOut(n) {
				at.Access = &access.Access{Expr: n}
				list = append(list, handover{at, n.Args, true, s.answers})
			}
		}
	})
	return list
}

// isHanded says whether the key names what was handed over, or a part of it.
func (s *search) isHanded(h handover, key ast.Expr) bool {
	if key == nil {
		return false
	}
	given := map[types.Object]bool{}
	for _, e := range h.given {
		s.localsOf(e, 2, given)
	}
	keyed := map[types.Object]bool{}
	s.localsOf(key, 1, keyed)
	for v := range keyed {
		if given[v] {
			return true
		}
	}
	return false
}

// localsOf adds the locals that e mentions, and those that their values come from, to the set,
// but for the receiver, errors, contexts and flags, which tell nothing of what is handed over.
func (s *search) localsOf(e ast.Expr, depth int, into map[types.Object]bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || isPackageLevel(v) || into[v] || s.isReceiver(v) || isBoolean(v.Type()) || accompanying.MatchString(v.Type().String()) {
			return true
		}
		into[v] = true
		if depth > 0 {
			for _, d := range slices.Concat(s.values.assigns[v], s.values.filled[v]) {
				s.localsOf(d.value, depth-1, into)
			}
		}
		return true
	})
}

var accompanying = pattern.New(`^(error|context\.Context|context\.CancelFunc)$`)

// storesWaiter says whether what is entered has a channel, or a function, that the body has made.
func (s *search) storesWaiter(reg *occurrence) bool {
	for _, e := range stored(reg.Access) {
		from := map[types.Object]bool{}
		s.localsOf(e, 2, from)
		for v := range from {
			if slices.ContainsFunc(s.values.assigns[v], func(d assignment) bool { return makesWaiter(d.value) }) {
				return true
			}
		}
		if makesWaiter(e) {
			return true
		}
	}
	return false
}

// makesWaiter says whether the expression makes a channel or a function, or something that has one.
func makesWaiter(e ast.Expr) bool {
	made := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			made = true
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "make" && len(n.Args) > 0 {
				_, isChan := ast.Unparen(n.Args[0]).(*ast.ChanType)
				made = made || isChan
			}
		}
		return !made
	})
	return made
}

// enteredBefore says whether the body enters something in the map on the way to the handover,
// or, unless it is a look whether there is an entry, has found what it hands over there; or
// whether it looks for an entry in the hold in which it enters this one, and so changes it.
func (s *search) enteredBefore(reg *occurrence, h handover) bool {
	return slices.ContainsFunc(s.order, func(o *occurrence) bool {
		if o.Var == reg.Var && o.Mode == atomicity.Read && o.key == reg.key && s.before(h, o) && s.oneHold(o, reg) {
			return true
		}
		if o.Var != reg.Var || o == reg || s.before(h, o) || !s.leadsTo(o, h.occurrence) {
			return false
		}
		return o.Mode == atomicity.Write && !removesEntry(o.source()) || o.Mode == atomicity.Read && o.key == reg.key && !s.decided(s.testsOf(o.Access, false), h.block)
	})
}
