package locks

import (
	"go/ast"
	"go/types"
	"maps"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// entries computes what is held at the start of every body: for functions that
// are only called inside the package, what all callers hold.
func (r *Result) entries() {
	inside := r.onlyCalled()
	known := map[*accesses.Body]bool{}
	stale := map[*accesses.Body]bool{} // what is held inside is not what the entry says
	for _, b := range r.pkg.Bodies {
		if b.Func != nil && !inside[b.Func] {
			r.entry[b] = r.assumed(b, Set{})
			known[b], stale[b] = true, true
		}
	}
	passed := map[*accesses.Body]*entrances{}
	// Bodies are added as soon as one caller is known, and shrink from there.
	for range maxRounds {
		next := map[*accesses.Body]Set{}
		for _, b := range r.pkg.Bodies {
			if !known[b] {
				continue
			}
			if p := passed[b]; p == nil || stale[b] || p.others {
				if stale[b] {
					r.in[b] = r.flow(b, r.entry[b])
					stale[b] = false
				}
				passed[b] = r.entrancesIn(b)
			}
			for _, e := range passed[b].list {
				add(next, e.body, e.held)
			}
		}
		changed := false
		for b, held := range next {
			if b.Func != nil && !inside[b.Func] {
				held, _ = join(Set{}, held) // others may call it without
			}
			held = r.assumed(b, held)
			if old, ok := r.entry[b]; !ok || !maps.Equal(old, held) {
				r.entry[b] = held
				known[b], stale[b] = true, true
				changed = true
			}
		}
		if !changed {
			unused := r.unused(known)
			for _, b := range unused {
				r.entry[b] = r.assumed(b, Set{})
				known[b], stale[b] = true, true
			}
			if len(unused) == 0 {
				break
			}
		}
	}
	for _, b := range r.pkg.Bodies {
		if !known[b] { // never called
			r.entry[b], stale[b] = r.assumed(b, Set{}), true
		}
		if stale[b] {
			r.in[b] = r.flow(b, r.entry[b])
		}
	}
}

// unused are the functions that nothing is known to call, or no more than functions that are not
// called themselves: what these hold counts for what they call.
func (r *Result) unused(known map[*accesses.Body]bool) []*accesses.Body {
	called := map[*accesses.Body]bool{}
	for _, b := range r.pkg.Bodies {
		if known[b] {
			continue
		}
		ast.Inspect(b.Block, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if callee := r.pkg.ByFunc[r.Callee(call)]; callee != b {
					called[callee] = true
				}
			}
			return true
		})
	}
	var unused []*accesses.Body
	for _, b := range r.pkg.Bodies {
		if b.Func != nil && !known[b] && !called[b] {
			unused = append(unused, b)
		}
	}
	return unused
}

// assumed is what is held at the start of the body where its callers do not tell: by a
// function whose name or comment says that its caller holds a lock, and by a literal
// that gives up what it has not taken.
func (r *Result) assumed(b *accesses.Body, held Set) Set {
	if _, ok := b.Node.(*ast.FuncLit); ok && !held.Any() {
		if given := r.givenUp(b); len(given) > 0 {
			return given
		}
	}
	if d, ok := b.Node.(*ast.FuncDecl); ok && !held.Any() && r.assumesLock(d) {
		return Set{Caller: Exclusive}
	}
	return held
}

// givenUp are the locks that the body releases in the end by a defer statement of its own
// and does not take before: return func() { defer s.mu.RUnlock(); … }.
func (r *Result) givenUp(b *accesses.Body) Set {
	taken := map[accesses.Place]bool{}
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range r.Ops(ev) {
				taken[op.Lock] = taken[op.Lock] || op.Kind == Acquire
			}
		}
	}
	given := Set{}
	for _, op := range r.deferred(b) {
		if op.Kind == Release && !taken[op.Lock] && op.Lock.Root != nil && op.Lock.Root.Pos() < b.Node.Pos() {
			given[op.Lock] = op.Mode
		}
	}
	return given
}

// An entrance is a body that another one starts, and what is held then.
type entrance struct {
	body *accesses.Body
	held Set
}

// entrances are all those that a body has in it, in the order of its events. They stay what they
// are as long as what is held inside the body does, but where they depend on others as well.
type entrances struct {
	list   []entrance
	others bool
}

// entrancesIn finds those of the body.
func (r *Result) entrancesIn(b *accesses.Body) *entrances {
	in := new(entrances)
	r.Walk(b, func(_, _ int, ev accesses.Event, held Set) { r.passOn(in, ev, held) })
	return in
}

// add joins what b is started with once more to what is known in next.
func add(next map[*accesses.Body]Set, b *accesses.Body, was Set) {
	held := was
	if old, ok := next[b]; ok {
		held, _ = join(old, held)
		held = maps.Clone(held)
		for l := range held {
			if old[l] == Exclusive && was[l] == Shared || old[l] == Shared && was[l] == Exclusive {
				held[l] = Possible // which of them calls when it matters is not known
			}
		}
		if !held.Any() && ofHolder(old) && ofHolder(was) {
			held[Caller] = Exclusive // each of its holders has a lock of its own for it
		}
	}
	next[b] = held
}

// passOn adds the bodies that ev starts.
func (r *Result) passOn(in *entrances, ev accesses.Event, held Set) {
	start := func(b *accesses.Body, held Set) {
		if b != nil {
			in.list = append(in.list, entrance{b, held})
		}
	}
	var call *ast.CallExpr
	switch ev.Kind {
	case accesses.OnGo:
		call, held = ev.Node.(*ast.GoStmt).Call, Set{}
	case accesses.OnDefer:
		call = ev.Node.(*ast.DeferStmt).Call
	case accesses.OnCall:
		call = ev.Node.(*ast.CallExpr)
	case accesses.OnAssign, accesses.OnReturn, accesses.OnSend:
		// A literal that is kept runs later, with nothing known to be held.
		r.eachLit(ev.Node, func(lit *ast.FuncLit) { start(r.pkg.ByNode[lit], Set{}) })
		return
	default:
		return
	}
	fn := r.Callee(call)
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		start(r.pkg.ByNode[lit], held)
	}
	for i, a := range call.Args {
		if method := r.funcValue(a); method != nil && runsOnce(fn) {
			start(r.pkg.ByFunc[method], Set{Once: Exclusive})
		} else if method != nil && r.OnlyCalls(fn, i) {
			in.others = true
			r.startAs(&ast.CallExpr{Fun: a}, method, r.heldInside(call, fn, i, held), start)
		}
		if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok {
			switch {
			case r.Spawns(fn, i):
				start(r.pkg.ByNode[lit], Set{})
			case runsOnce(fn):
				once := maps.Clone(held)
				once[Once] = Exclusive
				start(r.pkg.ByNode[lit], once)
			default:
				in.others = in.others || r.pkg.ByFunc[fn] != nil
				start(r.pkg.ByNode[lit], r.heldInside(call, fn, i, held))
			}
		}
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if lit := r.localLit(id); lit != nil {
			start(lit, held)
		}
	}
	r.startAs(call, fn, held, start)
}

// ofHolder says whether a lock is held exclusively that the callee cannot name: one of the
// object which the callee's is a part of.
func ofHolder(held Set) bool {
	for l, m := range held {
		if l.Root == nil && l != Once && m == Exclusive {
			return true
		}
	}
	return false
}

// startAs starts the body of fn, if the package has it, with what is held in its terms.
func (r *Result) startAs(call *ast.CallExpr, fn *types.Func, held Set, start func(*accesses.Body, Set)) {
	callee := r.pkg.ByFunc[fn]
	if callee == nil {
		return
	}
	translated := Set{}
	for l, m := range held {
		to := r.ToCallee(call, fn, l)
		translated[to] = max(translated[to], m)
	}
	start(callee, translated)
}

// OnlyCalls says whether fn, a function of this package, does nothing else with its
// parameter i than to call it.
func (r *Result) OnlyCalls(fn *types.Func, i int) bool {
	b := r.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() || r.Spawns(fn, i) {
		return false
	}
	param := types.Object(fn.Signature().Params().At(i))
	uses, calls := 0, 0
	ast.Inspect(b.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if r.pkg.Info.Uses[n] == param {
				uses++
			}
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && r.pkg.Info.Uses[id] == param {
				calls++
			}
		case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && r.pkg.Info.Uses[id] == param {
					uses++ // at another time
				}
				return true
			})
			return false
		}
		return true
	})
	return calls > 0 && uses == calls
}

// heldInside is what is held when fn, called with the locks held, calls the
// function that it is given as its argument i.
func (r *Result) heldInside(call *ast.CallExpr, fn *types.Func, i int, held Set) Set {
	under, ok := r.CallsArgument(fn, i)
	if !ok && fn != nil {
		r.known(fn)
		under = r.under[fn][i]
	}
	if len(under) == 0 {
		return held
	}
	all := maps.Clone(held)
	for l, m := range under {
		to := r.ToCaller(call, fn, l)
		if !to.Valid() {
			to = Caller // a lock that only fn can name
		}
		all[to] = max(all[to], m)
	}
	return all
}

// CallsArgument says whether fn, a function of this package, itself calls the
// function that it is given as its argument i, and which locks it holds whenever
// it does.
func (r *Result) CallsArgument(fn *types.Func, i int) (under Set, ok bool) {
	b := r.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() || r.Spawns(fn, i) {
		return nil, false
	}
	param := types.Object(fn.Signature().Params().At(i))
	if _, isFunc := param.Type().Underlying().(*types.Signature); !isFunc || r.in[b] == nil {
		return nil, false
	}
	visit := func(_, _ int, ev accesses.Event, held Set) {
		call, isCall := ev.Node.(*ast.CallExpr)
		if !isCall || ev.Kind != accesses.OnCall {
			return
		}
		if id, isID := ast.Unparen(call.Fun).(*ast.Ident); !isID || r.pkg.Info.Uses[id] != param {
			return
		}
		if !ok {
			under, ok = held, true
		} else {
			under, _ = join(under, held)
		}
	}
	r.Walk(b, visit)
	r.eachWithin(b, func(lit *accesses.Body) {
		if r.in[lit] != nil {
			r.Walk(lit, visit) // each(func(x) { x.mu.Lock(); defer x.mu.Unlock(); f(x) })
		}
	})
	return under, ok
}

// eachWithin visits the literals inside the body, and those inside them.
func (r *Result) eachWithin(b *accesses.Body, visit func(*accesses.Body)) {
	for _, lit := range b.Lits {
		visit(lit)
		r.eachWithin(lit, visit)
	}
}

// eachLit finds the literals that are operands of n itself, not of calls in it.
func (r *Result) eachLit(n ast.Node, f func(*ast.FuncLit)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return false
		case *ast.FuncLit:
			if !r.onlyCalledLit(n) {
				f(n)
			}
			return false
		}
		return true
	})
}

// onlyCalled finds the functions that are unexported and never used as values.
func (r *Result) onlyCalled() map[*types.Func]bool {
	inside := map[*types.Func]bool{}
	for fn := range r.pkg.ByFunc {
		inside[fn] = !r.pkg.Exported(fn) && fn.Name() != "main" && fn.Name() != "init"
	}
	called := r.called
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch f := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				called[f] = true
			case *ast.SelectorExpr:
				called[f.Sel] = true
			}
			return true
		})
	}
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn := r.Callee(call)
			for i, a := range call.Args {
				if id := identOf(a); id != nil && (runsOnce(fn) || r.funcValue(a) != nil && r.OnlyCalls(fn, i)) {
					called[id] = true
				}
			}
			return true
		})
	}
	for id, obj := range r.pkg.Info.Uses {
		if fn, ok := obj.(*types.Func); ok && !called[id] {
			delete(inside, fn.Origin())
		}
	}
	return inside
}

// funcValue is the function that the expression names, or nil.
func (r *Result) funcValue(e ast.Expr) *types.Func {
	if id := identOf(e); id != nil {
		if fn, ok := r.pkg.Info.Uses[id].(*types.Func); ok {
			return fn.Origin()
		}
	}
	return nil
}

func identOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}
