package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// hit is an access to the entry's instance that a walk has come to.
type hit struct {
	*occurrence
	// kept are the locks held without interruption since the entry, on the
	// path where the fewest are left.
	kept locks.Set
	// passed says that every path to it goes through a read-modify-write
	// operation on the instance, which tests it again.
	passed bool
	// renewed says that some path does.
	renewed bool
	// relooked says that on every path to it a test under a lock looks at the instance
	// again before, see looksAnew.
	relooked bool
}

// passed is the bit of a path that has gone through a read-modify-write
// operation, and handed that of one where a callee has written the instance and
// then dropped a lock: what it has left there others may have changed. And relooked is
// that of one on which a test looks again.
const (
	passed   = 1 << 31
	handed   = 1 << 30
	relooked = 1 << 29
)

// trail is what a walk from an entry has found.
type trail struct {
	hits  []*hit
	tests []int // blocks whose branch depends on the entry's value
	weak  map[int]bool
	exits []ast.Node
	// fresh are the reads that test the instance again, anew those of them for which
	// calls do, see looksAnew.
	fresh, anew map[*access.Access]bool
}

// maxSteps bounds one walk; functions beyond it are generated code.
const maxSteps = 4000

// state is a point of a walk: the start of a block, and which of the entry's
// locks are still held.
type state struct {
	block int
	mask  uint32
}

// walk follows the control flow from the entry e and collects the accesses to
// the same instance, up to the first write on each path, a fresh test of the
// variable, a change of the variables that the instance is reached through, or
// a return.
func (s *search) walk(e *occurrence) *trail {
	t := &trail{weak: map[int]bool{}, fresh: map[*access.Access]bool{}, anew: map[*access.Access]bool{}}
	var own []accesses.Place
	for l, m := range e.outer {
		if m > locks.Possible {
			own = append(own, l)
		}
	}
	own = own[:min(len(own), 29)] // a bit each
	full := uint32(1)<<len(own) - 1
	byAccess := map[*access.Access]*hit{}
	seen := map[state]bool{}
	steps := 0
	bound := s.asksBound(e)

	// meet notes an access and says whether the path ends with it.
	meet := func(o *occurrence, mask *uint32) bool {
		if o == e {
			return true
		}
		if !o.sameInstance(e) || s.final(s.bodyState, o) {
			return false
		}
		if *mask&handed != 0 && o.Mode == atomicity.Read {
			return true // it looks again
		}
		h := byAccess[o.Access]
		if h == nil {
			h = &hit{occurrence: o, kept: keep(e.outer, own, full), passed: true, relooked: true}
			byAccess[o.Access] = h
			t.hits = append(t.hits, h)
		}
		at := *mask
		for _, l := range o.dropped {
			at &^= release(own, l, at)
		}
		h.kept = keep(h.kept, own, at)
		h.passed = h.passed && *mask&passed != 0
		h.renewed = h.renewed || *mask&passed != 0
		h.relooked = h.relooked && *mask&relooked != 0
		if o.Mode == atomicity.Write && rmw(o.Access) && o.via == nil {
			*mask |= passed
			return false
		}
		return o.Mode == atomicity.Write
	}

	// run goes on from an event of a block and says whether control reaches
	// the end of the block.
	run := func(block, from int, mask uint32) (uint32, bool) {
		for _, ev := range s.body.Events[block][from:] {
			if steps++; steps > maxSteps {
				return mask, false
			}
			switch ev.Kind {
			case accesses.OnCall:
				list := s.calls[ev.Node.(*ast.CallExpr)]
				if taken := s.taken[ev.Node.(*ast.CallExpr)]; bound && len(taken) > 0 {
					list = slices.Concat(list, taken)
				}
				for _, o := range list {
					if o.later { // in a goroutine
						none := mask & (passed | relooked)
						meet(o, &none)
						continue
					}
					if meet(o, &mask) {
						if o.Mode == atomicity.Read || !s.drops(ev, own, mask) {
							return mask, false
						}
						mask |= handed
					}
				}
				for _, op := range s.locks.Ops(ev) {
					if op.Kind == locks.Acquire {
						continue
					}
					mask &^= release(own, op.Lock, mask)
				}
			case accesses.OnDefer:
				for _, o := range s.calls[ev.Node.(*ast.DeferStmt).Call] {
					meet(o, &mask) // what follows comes before it
				}
			case accesses.OnGo:
				call := ev.Node.(*ast.GoStmt).Call
				given := s.handedOn(call, e.outer)
				for _, o := range s.calls[call] {
					none := mask & (passed | relooked)
					for i, l := range own {
						if given.Holds(l) {
							none |= mask & (1 << i)
						}
					}
					meet(o, &none)
				}
			case accesses.OnSend, accesses.OnReceive:
				for _, op := range s.locks.Ops(ev) {
					if op.Kind != locks.Acquire {
						mask &^= release(own, op.Lock, mask)
					}
				}
			case accesses.OnReturn:
				t.exits = append(t.exits, ev.Node)
			case accesses.OnAssign:
				if s.rebinds(ev.Node, e) {
					return mask, false
				}
			case accesses.OnAccess:
				if o := s.occ[ev.Access]; o != nil && meet(o, &mask) {
					return mask, false
				}
			}
		}
		return mask, true
	}
	var work []state
	leave := func(block int, mask uint32) {
		plain, weak, fresh := s.depends(block, e, byAccess, t.fresh, bound)
		if plain || weak {
			if !slices.Contains(t.tests, block) {
				t.tests = append(t.tests, block)
			}
			t.weak[block] = !plain
		}
		if fresh {
			return
		}
		if s.looksAnew(block, e, byAccess, t.anew) {
			mask |= relooked
		}
		for _, succ := range s.body.CFG.Blocks[block].Succs {
			next := state{int(succ.Index), mask}
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	if mask, on := run(e.block, e.index+1, full); on {
		leave(e.block, mask)
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if mask, on := run(at.block, 0, at.mask); on {
			leave(at.block, mask)
		}
	}
	return t
}

// drops says whether the call gives up one of the locks for a while.
func (s *search) drops(ev accesses.Event, own []accesses.Place, mask uint32) bool {
	return slices.ContainsFunc(s.locks.Ops(ev), func(op locks.Op) bool { return op.Kind == locks.Drop && release(own, op.Lock, mask) != 0 })
}

// release is the bit of lock l among the entry's locks; releasing a lock that
// the function did not take releases the unknown caller's.
func release(own []accesses.Place, l accesses.Place, mask uint32) uint32 {
	if i := slices.Index(own, l); i >= 0 {
		return 1 << i
	}
	if i := slices.Index(own, locks.Caller); i >= 0 && mask&(1<<i) != 0 && len(own) == 1 {
		return 1 << i
	}
	return 0
}

func keep(old locks.Set, own []accesses.Place, mask uint32) locks.Set {
	kept := locks.Set{}
	for i, l := range own {
		if m := old[l]; m > locks.Possible && mask&(1<<i) != 0 {
			kept[l] = m
		}
	}
	return kept
}

// depends says how the branch at the end of the block depends on the entry:
// plainly, or by way of calls, or on a fresh read of the same instance that
// came after it.
func (s *search) depends(block int, e *occurrence, after map[*access.Access]*hit, again map[*access.Access]bool, bound bool) (plain, weak, fresh bool) {
	for _, cond := range s.body.Conds[block] {
		for a, isPlain := range s.values.of(cond) {
			if a == e.Access {
				plain = plain || isPlain
				weak = true
			} else if after[a] != nil && isPlain && !(bound && s.asksWhetherAny(cond)) && !rmw(a) && !s.lengthOnly(cond, a, e) {
				fresh = true
				again[a] = true
			}
		}
		for a := range s.values.carried(cond) {
			if a != e.Access && after[a] != nil && !rmw(a) && !s.lengthOnly(cond, a, e) {
				fresh, again[a] = true, true
			}
		}
	}
	if s.body.Conds[block] == nil {
		return false, false, false
	}
	return plain, weak, fresh
}

// rebinds says whether the statement gives a new value to a local variable
// that the entry's instance is reached through.
func (s *search) rebinds(n ast.Node, e *occurrence) bool {
	changed := func(l ast.Expr) bool {
		id, ok := ast.Unparen(l).(*ast.Ident)
		if !ok {
			return false
		}
		obj := s.pkg.Info.ObjectOf(id)
		if obj == nil || obj == types.Object(e.Var.Obj) && !e.Var.Contents {
			return false
		}
		return obj == e.place.Root || e.Key != nil && s.mentions(e.Key, obj)
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		return n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, changed)
	case *ast.IncDecStmt:
		return changed(n.X)
	}
	return false
}

func (s *search) mentions(e ast.Expr, obj types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.pkg.Info.ObjectOf(id) == obj {
			found = true
		}
		return !found
	})
	return found
}

// decides says whether the branch at the end of block test decides whether
// control comes to block target: it does from one successor and not from the
// other. It also says from which one.
func (s *search) decides(test, target int) (yes bool, edge int) {
	succs := s.body.CFG.Blocks[test].Succs
	if len(succs) != 2 || s.lastArm(test) {
		return false, 0
	}
	a, b := s.reaches(succs[0], test)[target], s.reaches(succs[1], test)[target]
	if a == b {
		return false, 0
	}
	if a {
		return true, 0
	}
	return true, 1
}

// lastArm says whether the block ends with the last arm of a select without a default: the graph has a
// way past that arm, which leads nowhere.
func (s *search) lastArm(test int) bool {
	succs := s.body.CFG.Blocks[test].Succs
	return len(succs) == 2 && succs[1].Kind == cfg.KindSelectAfterCase && len(succs[1].Nodes)+len(succs[1].Succs) == 0
}

// reaches is the set of blocks that can be reached from one without passing
// through another.
func (s *search) reaches(from *cfg.Block, without int) []bool {
	k := [2]int{int(from.Index), without}
	if r, ok := s.reach[k]; ok {
		return r
	}
	r := blocksFrom(s.body.CFG, from, without)
	s.reach[k] = r
	return r
}

// blocksFrom is that set in any graph.
func blocksFrom(graph *cfg.CFG, from *cfg.Block, without int) []bool {
	r := make([]bool, len(graph.Blocks))
	work := []*cfg.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if i := int(b.Index); i == without || r[i] {
			continue
		}
		r[b.Index] = true
		work = append(work, b.Succs...)
	}
	return r
}
