package locks

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

type summaries = map[*types.Func][]Op

// balance is how far a lock is from what it was when the function started:
// taken, released, or as it was.
type balance map[accesses.Place]int8

// summarise computes what a call of b does to locks that its caller can name,
// and reports whether that differs from what was known.
func (r *Result) summarise(b *accesses.Body) bool {
	if !r.hasLockOps(b) {
		return false
	}
	dropped := map[accesses.Place]Mode{}
	modes := map[accesses.Place]Mode{}
	step := func(s balance, op Op) balance {
		n := s[op.Lock]
		switch op.Kind {
		case Acquire:
			n = min(n+1, 1)
		case Release:
			if n == 0 {
				dropped[op.Lock] = op.Mode
			}
			n = max(n-1, -1)
		case Drop:
			if n == 0 {
				dropped[op.Lock] = op.Mode
			}
			return s
		}
		modes[op.Lock] = op.Mode
		next := balance{}
		for l, m := range s {
			next[l] = m
		}
		next[op.Lock] = n
		return next
	}
	in := make([]balance, len(b.CFG.Blocks))
	in[0] = balance{}
	work := []int32{0}
	deferred := r.deferred(b)
	var ends []end
	for budget := 50 * len(b.CFG.Blocks); len(work) > 0 && budget > 0; budget-- {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		block := b.CFG.Blocks[i]
		out := in[i]
		for _, ev := range b.Events[i] {
			for _, op := range r.Ops(ev) {
				out = step(out, op)
			}
			if ev.Kind == accesses.OnReturn {
				at := out
				for _, op := range deferred {
					if at[op.Lock] > 0 || op.Kind != Release {
						at = step(at, op)
					}
				}
				ends = append(ends, r.endAt(b, ev.Node, at)...)
			}
		}
		for edge, succ := range block.Succs {
			along := out
			ops, possible := r.along(b, block, edge)
			if !possible {
				continue
			}
			for _, op := range ops {
				along = step(along, op)
			}
			if joined := meet(in[succ.Index], along); !equal(joined, in[succ.Index]) {
				in[succ.Index] = joined
				work = append(work, succ.Index)
			}
		}
	}
	var exit balance
	for _, e := range ends {
		exit = meet(exit, e.balance)
	}
	effects := attempts(ends, exit, modes)
	for l, n := range exit {
		switch {
		case n > 0:
			effects = append(effects, Op{Kind: Acquire, Lock: l, Mode: modes[l]})
		case n < 0:
			effects = append(effects, Op{Kind: Release, Lock: l, Mode: modes[l]})
			delete(dropped, l)
		}
	}
	for l, m := range dropped {
		effects = append(effects, Op{Kind: Drop, Lock: l, Mode: m})
	}
	sig := b.Func.Signature()
	effects = slices.DeleteFunc(effects, func(op Op) bool { return !nameable(sig, op.Lock) })
	slices.SortFunc(effects, func(x, y Op) int {
		return cmp.Or(cmp.Compare(x.Lock.String(), y.Lock.String()), cmp.Compare(x.Kind, y.Kind))
	})
	if slices.Equal(effects, r.summaries[b.Func]) {
		return false
	}
	r.summaries[b.Func] = effects
	return true
}

// meet keeps what agrees on both ways; a lock that is released on one of them
// counts as released.
func meet(a, b balance) balance {
	if a == nil {
		return b
	}
	m := balance{}
	for l, n := range a {
		if k := b[l]; k == n || n < 0 && k == 0 {
			m[l] = n
		}
	}
	for l, n := range b {
		if n < 0 && a[l] == 0 {
			m[l] = n
		}
	}
	return m
}

func equal(a, b balance) bool {
	if (a == nil) != (b == nil) {
		return false
	}
	for l, n := range a {
		if b[l] != n {
			return false
		}
	}
	for l, n := range b {
		if a[l] != n {
			return false
		}
	}
	return true
}

func nameable(sig *types.Signature, pl accesses.Place) bool {
	if pl.Root == nil {
		return false
	}
	return accesses.IsGlobal(pl.Root) || slices.ContainsFunc(parameters(sig), func(v *types.Var) bool { return types.Object(v) == pl.Root })
}

// hasLockOps says whether any event of b does something to a lock.
func (r *Result) hasLockOps(b *accesses.Body) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			if _, ok := r.channelOp(ev.Node); ok || len(r.Ops(ev)) > 0 {
				return true
			}
		}
	}
	return false
}

// deferred gives the effects of the defer statements of b, last one first.
func (r *Result) deferred(b *accesses.Body) []Op {
	var ops []Op
	for _, events := range b.Events {
		for _, ev := range events {
			if ev.Kind == accesses.OnDefer {
				call := ev.Node.(*ast.DeferStmt).Call
				ops = append(r.Ops(accesses.Event{Kind: accesses.OnCall, Node: call}), ops...)
			}
		}
	}
	return ops
}

// literal gives the net effects of a function literal that is called on the
// spot or deferred, in source order.
func (r *Result) literal(b *accesses.Body) []Op {
	if b == nil {
		return nil
	}
	net := map[accesses.Place]int{}
	var order []Op
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range r.Ops(ev) {
				order = append(order, op)
				switch op.Kind {
				case Acquire:
					net[op.Lock]++
				case Release:
					net[op.Lock]--
				}
			}
		}
	}
	for _, op := range r.deferred(b) {
		switch op.Kind {
		case Acquire:
			net[op.Lock]++
		case Release:
			net[op.Lock]--
		}
	}
	var ops []Op
	for _, op := range order {
		n := net[op.Lock]
		if n < 0 && op.Kind == Release || n > 0 && op.Kind == Acquire {
			ops = append(ops, op)
			net[op.Lock] = 0
		}
	}
	return ops
}
