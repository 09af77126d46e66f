package locks

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// maxRounds bounds the fixed points over the call graph. Real code needs two
// or three; what is left open then counts as not held.
const maxRounds = 40

func run(pass *analysis.Pass) (any, error) {
	r := &Result{
		pkg:       pass.ResultOf[accesses.Analyzer].(*accesses.Package),
		summaries: summaries{},
		entry:     map[*accesses.Body]Set{},
		in:        map[*accesses.Body][]Set{},
		called:    map[*ast.Ident]bool{},
		assumes:   map[*ast.FuncDecl]bool{},
		spawned:   map[*types.Func][]int{},
		under:     map[*types.Func]map[int]Set{},
		imported:  map[*types.Func]bool{},
		chanLocks: map[*types.Var]*channelLock{},
		spinLocks: map[*types.Var]bool{},
		inArm:     map[ast.Node]*ast.SelectStmt{},
		lastArms:  map[*ast.CommClause]bool{},
	}
	r.importFacts(pass)
	r.findOnly()
	r.findCallees()
	r.findChannelLocks()
	r.findSpinLocks()
	for range maxRounds {
		r.ops = map[*ast.CallExpr][]Op{}
		changed := false
		for _, b := range r.pkg.Bodies {
			if b.Func != nil && r.summarise(b) {
				changed = true
			}
		}
		if !changed {
			break
		}
	}
	r.ops = map[*ast.CallExpr][]Op{}
	r.findSpawned()
	r.entries()
	r.exportFacts(pass)
	return r, nil
}

// after is the set held after the event.
func (r *Result) after(held Set, ev accesses.Event) Set {
	for _, op := range r.Ops(ev) {
		held = apply(held, op)
	}
	return held
}

func apply(held Set, op Op) Set {
	switch op.Kind {
	case Acquire:
		if held.Holds(op.Lock) && held[op.Lock] >= op.Mode {
			return held
		}
		held = maps.Clone(held)
		held[op.Lock] = op.Mode
	case Release:
		_, have := held[op.Lock]
		_, caller := held[Caller]
		if !have && !caller {
			return held
		}
		held = maps.Clone(held)
		if have {
			delete(held, op.Lock)
		} else {
			delete(held, Caller)
		}
	}
	return held
}

// flow computes what is held at the start of each block when entry is held at
// the start of the body. Unreachable blocks have nil.
func (r *Result) flow(b *accesses.Body, entry Set) []Set {
	in := make([]Set, len(b.CFG.Blocks))
	in[0] = entry
	work := []int32{0}
	for budget := 50 * len(b.CFG.Blocks); len(work) > 0 && budget > 0; budget-- {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		block := b.CFG.Blocks[i]
		out := in[i]
		for _, ev := range b.Events[i] {
			out = r.after(out, ev)
		}
		for edge, succ := range block.Succs {
			along := out
			ops, possible := r.along(b, block, edge)
			if !possible {
				continue
			}
			for _, op := range ops {
				along = apply(along, op)
			}
			joined, changed := join(in[succ.Index], along)
			if changed {
				in[succ.Index] = joined
				work = append(work, succ.Index)
			}
		}
	}
	return in
}

// along is what the edge (0 true, 1 false) at the end of the block does to locks, and
// whether control can go there.
func (r *Result) along(b *accesses.Body, block *cfg.Block, edge int) (ops []Op, possible bool) {
	ops, possible = r.chosenArm(block.Succs[edge])
	return append(ops, r.refused(block, b.Conds[block.Index], edge)...), possible
}

// refused gives the releases that undo a failed attempt to take a lock on the edge of the
// condition: if !mu.TryLock(), if err := s.lock(ctx); err != nil.
func (r *Result) refused(block *cfg.Block, conds []ast.Expr, edge int) []Op {
	if len(conds) != 1 {
		return nil
	}
	return r.refusedBy(block, conds[0], edge)
}

func (r *Result) refusedBy(block *cfg.Block, cond ast.Expr, edge int) []Op {
	cond = ast.Unparen(cond)
	failed := edge == 1
	switch c := cond.(type) {
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			cond, failed = ast.Unparen(c.X), edge == 0
		}
	case *ast.BinaryExpr:
		if c.Op == token.LOR || c.Op == token.LAND {
			undone := append(r.refusedBy(block, c.X, edge), r.refusedBy(block, c.Y, edge)...)
			if (c.Op == token.LOR) == (edge == 0) { // one of them decides, and which is not known
				undone = append(undone, append(r.refusedBy(block, c.X, 1-edge), r.refusedBy(block, c.Y, 1-edge)...)...)
			}
			return undone
		}
		if !r.pkg.Info.Types[c.Y].IsNil() {
			return nil
		}
		cond, failed = ast.Unparen(c.X), (c.Op == token.NEQ) == (edge == 0)
	}
	if !failed {
		return nil
	}
	call, ok := r.answeredBy(block, cond)
	if !ok {
		return nil
	}
	var undone []Op
	for _, op := range r.Ops(accesses.Event{Kind: accesses.OnCall, Node: call}) {
		if op.Try {
			undone = append(undone, Op{Kind: Release, Lock: op.Lock, Mode: op.Mode})
		}
	}
	return undone
}

// answeredBy is the call whose result the expression is, itself or as a local that the
// statement before the end of the block has set.
func (r *Result) answeredBy(block *cfg.Block, e ast.Expr) (*ast.CallExpr, bool) {
	if id, ok := e.(*ast.Ident); ok && len(block.Nodes) > 1 {
		set, isSet := block.Nodes[len(block.Nodes)-2].(*ast.AssignStmt)
		if !isSet || len(set.Rhs) != 1 {
			return nil, false
		}
		last, isID := set.Lhs[len(set.Lhs)-1].(*ast.Ident)
		if !isID || r.pkg.Info.ObjectOf(last) != r.pkg.Info.ObjectOf(id) {
			return nil, false
		}
		e = ast.Unparen(set.Rhs[0])
	}
	call, ok := e.(*ast.CallExpr)
	return call, ok
}

// join is what is held on both ways; nil means that a way was not seen yet.
func join(old, more Set) (Set, bool) {
	if old == nil {
		return more, more != nil
	}
	var joined Set
	change := func(l accesses.Place, m Mode) {
		if joined == nil {
			joined = maps.Clone(old)
		}
		joined[l] = m
	}
	for l, m := range old {
		if n := more[l]; n < m { // Possible if missing
			change(l, n)
		}
	}
	for l := range more {
		if _, ok := old[l]; !ok {
			change(l, Possible)
		}
	}
	if joined == nil {
		return old, false
	}
	return joined, true
}
