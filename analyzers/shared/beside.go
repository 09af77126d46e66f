package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// A start is where a function calls a method, itself or in a goroutine that it starts there.
type start struct {
	on       accesses.Place
	at       ast.Node
	launched bool
	loop     ast.Stmt // around it
}

// BesideItself says whether some function runs the method b on one and the same object in two
// goroutines at once, or in a goroutine and beside it:
//
//	wg.Go(func() { f.pipe(up, client) })
//	wg.Go(func() { f.pipe(client, up) })
//	wg.Wait()
//
// Then it does not matter whether the type is made for concurrent use.
func (r *Result) BesideItself(b *accesses.Body) bool {
	fn := b.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil || !isPointerLike(fn.Signature().Recv().Type()) {
		return false
	}
	methods := r.leadingTo(fn)
	return r.RunsTwice(func(call *ast.CallExpr) accesses.Place {
		if !methods[r.locks.Callee(call)] {
			return accesses.Place{}
		}
		return r.calledOn(call)
	})
}

// OneSpawned says whether some goroutine that this package starts runs both bodies.
func (r *Result) OneSpawned(a, b *accesses.Body) bool {
	for root := range r.of[a] {
		if r.roots[root].Kind == Goroutine && r.of[b][root] {
			return true
		}
	}
	return false
}

// RunsTwice says whether some function starts two goroutines that make such calls, or one and
// makes another beside it, on one and the same object; on tells which that is, if the call is such
// a one.
func (r *Result) RunsTwice(on func(*ast.CallExpr) accesses.Place) bool {
	for _, from := range r.pkg.Bodies {
		starts := r.startsOf(from, on)
		for i, first := range starts {
			if !first.launched {
				continue
			}
			if first.loop != nil && r.outside(first.on.Root, first.loop) && !r.waitsIn(from, first.loop.Pos(), first.loop.End()) {
				return true
			}
			for j, second := range starts {
				if i == j || second.on != first.on || !r.comesTo(from, first.at, second.at, first.on.Root) {
					continue
				}
				begin, end := first.at.End(), second.at.Pos()
				if end < begin { // the loop comes back to it
					if first.loop == nil {
						continue
					}
					begin, end = first.loop.Pos(), first.loop.End()
				}
				if !r.waitsIn(from, begin, end) && !r.assignedIn(from, first.on.Root, begin, end) {
					return true
				}
			}
		}
	}
	return false
}

// assignedIn says whether the body gives the local another value between the two positions: the
// object is another one then.
func (r *Result) assignedIn(b *accesses.Body, local types.Object, begin, end token.Pos) bool {
	found := false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok && begin <= set.Pos() && set.End() <= end {
			for _, lhs := range set.Lhs {
				id, ok := ast.Unparen(lhs).(*ast.Ident)
				found = found || ok && local != nil && r.pkg.Info.ObjectOf(id) == local
			}
		}
		return !found
	})
	return found
}

// leadingTo are the method and those that call it on their own receiver. What leads to these in
// turn is too far from it: by then it is one step of a whole protocol, which may well be in the
// hands of one goroutine at a time.
func (r *Result) leadingTo(fn *types.Func) map[*types.Func]bool {
	set := map[*types.Func]bool{fn: true}
	for _, b := range r.pkg.Bodies {
		if b.Func == nil || b.Func.Signature().Recv() == nil {
			continue
		}
		recv := types.Object(b.Func.Signature().Recv())
		for _, events := range b.Events {
			for _, ev := range events {
				if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall && r.locks.Callee(call) == fn && r.calledOn(call) == (accesses.Place{Root: recv}) {
					set[b.Func] = true
				}
			}
		}
	}
	return set
}

// calledOn is the object that the method is called on.
func (r *Result) calledOn(call *ast.CallExpr) accesses.Place {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return r.pkg.PlaceOf(sel.X)
	}
	return accesses.Place{}
}

// startsOf lists where the body makes such a call, in the order of the source: on objects
// that it does not make for each goroutine anew.
func (r *Result) startsOf(b *accesses.Body, of func(*ast.CallExpr) accesses.Place) []start {
	var list []start
	add := func(call *ast.CallExpr, at ast.Node, launched bool, within ast.Node) {
		on := of(call)
		if !on.Valid() || within != nil && within.Pos() <= on.Root.Pos() && on.Root.Pos() < within.End() {
			return
		}
		list = append(list, start{on, at, launched, innermostLoop(b, at)})
	}
	literal := func(e ast.Expr, at ast.Node) {
		lit := r.pkg.ByNode[ast.Unparen(e)]
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			lit = r.locks.NamedLit(id)
		}
		if lit != nil {
			for _, events := range lit.Events {
				for _, ev := range events {
					if call, ok := ev.Node.(*ast.CallExpr); ok && ev.Kind == accesses.OnCall {
						add(call, at, true, lit.Node)
					}
				}
			}
		}
	}
	for _, block := range b.Events {
		for _, ev := range block {
			switch ev.Kind {
			case accesses.OnGo:
				call := ev.Node.(*ast.GoStmt).Call
				add(call, ev.Node, true, nil)
				literal(call.Fun, ev.Node)
			case accesses.OnCall:
				call := ev.Node.(*ast.CallExpr)
				add(call, call, false, nil)
				for i, a := range call.Args {
					if r.locks.Spawns(r.locks.Callee(call), i) {
						literal(a, call)
					}
				}
			}
		}
	}
	return list
}

// outside says whether the variable is declared outside the loop.
func (r *Result) outside(v types.Object, loop ast.Stmt) bool {
	return v.Pos() < loop.Pos() || loop.End() <= v.Pos()
}

// comesTo says whether control can go from the one place in the body to the other, and not by where the
// local is declared: it is another one from there on.
func (r *Result) comesTo(b *accesses.Body, from, to ast.Node, local types.Object) bool {
	start, end, first, then := -1, -1, 0, 0
	for block, events := range b.Events {
		for i, ev := range events {
			if ev.Node == from {
				start, first = block, i
			}
			if ev.Node == to {
				end, then = block, i
			}
		}
	}
	if start < 0 || end < 0 || start == end {
		return start >= 0 && start == end && first < then
	}
	seen := map[int]bool{}
	work := []int{start}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, succ := range b.CFG.Blocks[at].Succs {
			if i := int(succ.Index); !seen[i] && !slices.ContainsFunc(succ.Nodes, func(n ast.Node) bool { return local != nil && n.Pos() <= local.Pos() && local.Pos() < n.End() }) {
				seen[i] = true
				work = append(work, i)
			}
		}
	}
	return seen[end]
}

// waitsIn says whether the body waits, between the two places in the source, for somebody else:
// it receives from a channel, or calls something named Wait.
func (r *Result) waitsIn(b *accesses.Body, from, to token.Pos) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if ev.Node == nil || ev.Node.Pos() < from || ev.Node.End() > to {
				continue
			}
			switch ev.Kind {
			case accesses.OnReceive:
				return true
			case accesses.OnCall:
				if fn := r.locks.Callee(ev.Node.(*ast.CallExpr)); fn != nil && fn.Name() == "Wait" {
					return true
				}
			}
		}
	}
	return false
}
