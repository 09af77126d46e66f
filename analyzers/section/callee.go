package section

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// effect is one access that a call of a function makes, in the function's own
// terms.
type effect struct {
	*occurrence
	// result says that the value read becomes the function's result.
	result bool
	// presence says that it is the last result alone which tells of the read; see toldPresent.
	presence bool
	// params are the parameters whose values a write stores.
	params []*types.Var
	// keyParam is the parameter that is the key, or whose part keyPart is, as in
	// ".ID" and ".Name()"; see keyThrough.
	keyParam *types.Var
	keyPart  string
	// keyResult is 1 more than the index of the result that is the key of a read
	// which found nothing there; 0 for none.
	keyResult int
}

// maxEffects bounds what is remembered of a function, and maxBlocks the
// functions that are looked into at all: what a caller expects to be one step
// with its own is small.
const (
	maxEffects = 16
	maxBlocks  = 60
	maxDepth   = 3
)

// effects are the accesses that a call of fn makes to what its caller can name:
// the reads whose values it returns, and the writes that it makes without
// testing the variable first.
func (s *search) effects(fn *types.Func) []effect {
	if known, ok := s.known[fn]; ok {
		return known
	}
	if fn.Pkg() != nil && access.IsAtomic(fn.Pkg().Path()) {
		return nil // its calls are accesses themselves
	}
	b := s.pkg.ByFunc[fn]
	if b == nil {
		s.known[fn] = s.imported(fn)
		return s.known[fn]
	}
	if len(b.CFG.Blocks) > maxBlocks {
		return nil
	}
	s.known[fn] = nil // recursion adds nothing
	st := s.stateOf(b)
	sig := fn.Signature()
	returned, told := s.returned(b, st), s.toldPresent(b, st)
	var list []effect
	for _, o := range st.order {
		if !nameable(sig, o.place) || inCopy(o.place) || o.like || len(list) >= maxEffects || o.depth >= maxDepth {
			continue
		}
		switch {
		case o.Mode == atomicity.Read && returned[o.Access] && !st.writes(o) && !s.final(st, o):
			list = append(list, effect{occurrence: o, result: true})
		case o.Mode == atomicity.Read && s.chosenKey(b, st, o) > 0:
			list = append(list, effect{occurrence: o, result: true, keyResult: s.chosenKey(b, st, o)})
		case o.Mode == atomicity.Read && told[o.Access] && !st.writes(o) && !s.final(st, o):
			list = append(list, effect{occurrence: o, result: true, presence: true})
		case o.Mode == atomicity.Write && (!rmw(o.Access) || st.replaces(o)) && !(o.via != nil && o.origin != nil && rmw(o.origin)) && (!st.testedBefore(o) || s.askedAside(st, o)) && !st.decidesAfresh(o) && !st.refusesAll(o):
			list = append(list, effect{occurrence: o, params: st.paramsOf(s.pkg, sig, o)})
		}
	}
	s.known[fn] = list
	return list
}

func nameable(sig *types.Signature, pl accesses.Place) bool {
	if !pl.Valid() {
		return false
	}
	if accesses.IsGlobal(pl.Root) {
		return true
	}
	if types.Object(sig.Recv()) == pl.Root {
		return true
	}
	for v := range sig.Params().Variables() {
		if types.Object(v) == pl.Root {
			return true
		}
	}
	return false
}

// inCopy says whether the place lies in a receiver or parameter that is a struct
// itself: the caller's own is another one.
func inCopy(pl accesses.Place) bool {
	if accesses.IsGlobal(pl.Root) {
		return false
	}
	holders := facts.Holders(pl)
	for i, t := range holders {
		if _, ok := t.Underlying().(*types.Struct); !ok {
			return i > 0 && i == len(holders)-1 // the variable itself
		}
	}
	return len(holders) > 0
}

// writes says whether the body writes the instance that o reads: then it takes
// what it returns, and is no mere getter. A getter that makes what is missing from a
// map, stores it there and returns it is one all the same, and so is one that deletes what
// it finds out of date, and does not return that.
func (st *bodyState) writes(o *occurrence) bool {
	return slices.ContainsFunc(st.order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.sameInstance(o) && !st.provides(w) && !st.refusesAfter(w, o)
	})
}

// refusesAfter says whether w deletes the entry that o has read, and the body returns something
// else from there.
func (st *bodyState) refusesAfter(w, o *occurrence) bool {
	if w.Kind != access.MapElement || w.Method != "delete" || w.via != nil || w.later {
		return false
	}
	after := blocksFrom(st.body.CFG, st.body.CFG.Blocks[w.block], -1)
	for block, events := range st.body.Events {
		if !after[block] {
			continue
		}
		for i, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn || block == w.block && i < w.index {
				continue
			}
			if len(ret.Results) == 0 {
				return false
			}
			for _, e := range ret.Results {
				for _, x := range []ast.Expr{e, st.values.copyWith(e)} {
					if _, from := st.values.of(x)[o.Access]; from {
						return false
					}
				}
			}
		}
	}
	return true
}

// provides says whether w stores, as the entry of a map, what the body returns.
func (st *bodyState) provides(w *occurrence) bool {
	values := stored(w.Access)
	if w.Kind != access.MapElement || w.Method == "delete" || w.via != nil || len(values) != 1 {
		return false
	}
	kept, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	for _, events := range st.body.Events {
		for _, ev := range events {
			ret, ok := ev.Node.(*ast.ReturnStmt)
			if !ok || ev.Kind != accesses.OnReturn {
				continue
			}
			for _, e := range ret.Results {
				if id, ok := ast.Unparen(e).(*ast.Ident); ok && st.values.pkg.Info.ObjectOf(id) == st.values.pkg.Info.ObjectOf(kept) {
					return true
				}
			}
		}
	}
	return false
}

// decidesAfresh says whether o lies in a branch that the function chooses by what
// it finds, under the lock, in another variable of the same object.
func (st *bodyState) decidesAfresh(o *occurrence) bool {
	if o.via != nil || !o.held.Any() {
		return false
	}
	found := false
	ast.Inspect(st.body.Block, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || found {
			return !found
		}
		if st.values.pkg.Order(branch.Body.Pos()) < st.values.pkg.Order(o.Pos()) && st.values.pkg.Order(o.Pos()) < st.values.pkg.Order(branch.Body.End()) {
			for a := range st.values.of(branch.Cond) {
				r := st.occ[a]
				found = found || r != nil && r.Var != o.Var && r.place.Root == o.place.Root && r.held.Any()
			}
		}
		return true
	})
	return found
}

// refusesAll says whether the function returns before it comes to o when a flag beside it is
// set, and sets that under the same lock: if x.done { return false }; x.ctx = nil; x.done = true.
func (st *bodyState) refusesAll(o *occurrence) bool {
	if o.via != nil || !o.held.Any() {
		return false
	}
	for _, stmt := range st.body.Block.List {
		branch, ok := stmt.(*ast.IfStmt)
		if !ok || branch.Else != nil || st.values.pkg.Order(branch.End()) > st.values.pkg.Order(o.Pos()) || len(branch.Body.List) == 0 {
			continue
		}
		if _, leaves := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt); !leaves {
			continue
		}
		for a := range st.values.of(branch.Cond) {
			r := st.occ[a]
			if r != nil && r.Var != o.Var && r.place.Root == o.place.Root && r.held.Any() && isFlag(r.Var) && slices.ContainsFunc(st.order, func(w *occurrence) bool {
				return w.Mode == atomicity.Write && w.sameInstance(r) && w.held.Any() && st.values.pkg.Order(w.Pos()) > st.values.pkg.Order(branch.End())
			}) {
				return true
			}
		}
	}
	return false
}

// asksForChange says whether the condition compares the variable with the very
// value that o stores: it asks whether there is anything to do, not whether it
// may be done.
func (st *bodyState) asksForChange(cond ast.Expr, o *occurrence) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	values := stored(o.Access)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ || len(values) != 1 || o.via != nil {
		return false
	}
	value, ok := ast.Unparen(values[0]).(*ast.Ident)
	if !ok {
		return false
	}
	if _, variable := st.values.pkg.Info.ObjectOf(value).(*types.Var); !variable {
		return false // a constant is a state, which is tested
	}
	return types.ExprString(b.X) == value.Name || types.ExprString(b.Y) == value.Name
}

// paramsOf are the parameters that flow into what o stores.
func (st *bodyState) paramsOf(pkg *accesses.Package, sig *types.Signature, o *occurrence) []*types.Var {
	var list []*types.Var
	seen := map[types.Object]bool{}
	var trace func(e ast.Expr, depth int)
	trace = func(e ast.Expr, depth int) {
		ast.Inspect(e, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := pkg.Info.ObjectOf(id)
			if obj == nil || seen[obj] {
				return true
			}
			seen[obj] = true
			for v := range sig.Params().Variables() {
				if obj == types.Object(v) {
					list = append(list, v)
				}
			}
			if depth < 4 {
				for _, d := range st.values.assigns[obj] {
					trace(d.value, depth+1)
				}
			}
			return true
		})
	}
	for _, e := range stored(o.Access) {
		trace(e, 0)
	}
	return list
}

// through puts the effects of a call in terms of the caller. Each call has
// accesses of its own, so that two calls of a getter are two reads.
func (s *search) through(st *bodyState, call *ast.CallExpr, block, index int, held locks.Set) []*occurrence {
	fn := s.locks.Callee(call)
	if fn == nil {
		return nil
	}
	return s.inCaller(st, call, fn, s.effects(fn), block, index, held)
}

// addTaken adds what the call takes away unless there is nothing.
func (s *search) addTaken(st *bodyState, call *ast.CallExpr, block, index int, held locks.Set) {
	fn := s.locks.Callee(call)
	if fn == nil {
		return
	}
	effects := s.unlessEmpty(fn)
	if len(effects) == 0 {
		return
	}
	if st.taken == nil {
		st.taken = map[*ast.CallExpr][]*occurrence{}
	}
	st.taken[call] = s.inCaller(st, call, fn, effects, block, index, held)
	for _, o := range st.taken[call] {
		st.occ[o.Access] = o
	}
}

// inCaller puts the effects of the function in terms of the body that calls it.
func (s *search) inCaller(st *bodyState, call *ast.CallExpr, fn *types.Func, effects []effect, block, index int, held locks.Set) []*occurrence {
	var list []*occurrence
	for _, e := range effects {
		pl := s.locks.ToCaller(call, fn, e.place)
		if !pl.Valid() {
			continue
		}
		a := *e.Access
		a.Expr, a.Stmt, a.Update = call, nil, nil
		if e.Mode == atomicity.Write && strings.HasPrefix(a.Method, "Swap") {
			a.Method = "Store" // that of replaces
		}
		if a.Func == nil { // of another package
			a.Func = st.body.Fn
		}
		if v, ok := pl.Root.(*types.Var); ok {
			a.Base = v
		}
		if e.place.Path == "" && e.place.Root == types.Object(a.Var.Obj) && !accesses.IsGlobal(e.place.Root) {
			if v := s.locks.Globals().Variable(pl); v != nil { // what the pointer points to
				a.Var = access.Var{Obj: v}
			}
		}
		o := &occurrence{
			Access: &a, origin: e.source(), at: e.where(), via: call, depth: e.depth + deeper(fn), dropped: s.droppedBy(call, fn, e),
			block: block, index: index, place: pl, key: s.keyThrough(st, call, fn, e), computed: s.computedThrough(st, call, fn, e),
			outer: held, held: maps.Clone(held), chosen: e.keyResult > 0,
		}
		if v, part := s.keyOf(fn, e); v != nil && part == "" {
			o.keyArg = s.keyArgument(call, fn, v)
		}
		for l, m := range e.held {
			if to := s.locks.ToCaller(call, fn, l); to.Valid() {
				if o.held[to] < m {
					o.held[to] = m
				}
			}
		}
		for _, v := range e.params {
			if arg := s.locks.Argument(call, fn, v); arg != nil {
				o.stores = append(o.stores, arg)
			}
		}
		if e.result {
			st.values.reads[call] = append(st.values.reads[call], o.Access)
		}
		list = append(list, o)
	}
	// A function's reads come before its writes.
	slices.SortStableFunc(list, func(a, b *occurrence) int { return int(a.Mode) - int(b.Mode) })
	return list
}

// droppedBy are the locks of the caller's that the callee gives up before it makes the
// access, in terms of the caller.
func (s *search) droppedBy(call *ast.CallExpr, fn *types.Func, e effect) []accesses.Place {
	b := s.pkg.ByFunc[fn]
	if b == nil || e.Mode != atomicity.Write {
		return nil
	}
	given := slices.Clone(e.dropped)
	current := s.bodyState
	s.bodyState = s.stateOf(b)
	for block, events := range b.Events {
		for index, ev := range events {
			if ev.Node == nil || ev.Node == e.via || ev.Kind != accesses.OnCall {
				continue
			}
			for _, op := range s.locks.Ops(ev) {
				from := &occurrence{Access: &access.Access{}, block: block, index: index}
				if op.Kind != locks.Acquire && s.locks.Entry(b).Holds(op.Lock) && e.held.Holds(op.Lock) && s.leadsTo(from, e.occurrence) {
					given = append(given, op.Lock)
				}
			}
		}
	}
	s.bodyState = current
	var list []accesses.Place
	for _, l := range given {
		if to := s.locks.ToCaller(call, fn, l); to.Valid() && !slices.Contains(list, to) {
			list = append(list, to)
		}
	}
	return list
}

// deeper is by how much a call of the function lies deeper than the one around it: methods of
// maps and lists with names are what indexing is elsewhere.
func deeper(fn *types.Func) int {
	if recv := fn.Signature().Recv(); recv != nil {
		switch recv.Type().Underlying().(type) {
		case *types.Map, *types.Slice:
			return 0
		}
	}
	return 1
}

// keyThrough is the caller's expression for the key that the callee uses.
func (s *search) keyThrough(st *bodyState, call *ast.CallExpr, fn *types.Func, e effect) string {
	if i := e.keyResult - 1; i >= 0 && i < len(st.values.taken[call]) {
		return types.ExprString(st.values.taken[call][i])
	}
	if v, part := s.keyOf(fn, e); v != nil {
		if arg := s.keyArgument(call, fn, v); arg != nil {
			if local, ok := ast.Unparen(arg).(*ast.Ident); ok && part != "" {
				if x := s.madeWith(st, local, part[1:], call.Pos()); x != nil {
					return st.values.keyText(x)
				}
				if key := s.keyFound(st, local, part, e.Var); key != "" {
					return key
				}
			}
			if x := s.madeKey(st, arg); x != nil && part == "" {
				return st.values.keyText(st.values.original(x))
			}
			if part == "" {
				arg = st.values.original(arg)
			}
			return st.values.keyText(arg) + part
		}
	} else if e.Key == nil || s.pkg.Info.Types[e.Key].Value != nil {
		return e.key // a constant is one wherever it is named
	}
	return "?" + fn.Name() + "." + e.key
}

// keyOf is the parameter of fn that is the key of the effect, or that the key is a part
// of, or nil.
func (s *search) keyOf(fn *types.Func, e effect) (v *types.Var, part string) {
	if e.keyParam != nil || e.Key == nil {
		return e.keyParam, e.keyPart
	}
	key := e.Key
	if e.via != nil {
		if key = e.keyArg; key == nil {
			return nil, ""
		}
	}
	of := s.stateOf(s.pkg.ByFunc[fn]).values
	x, part := partOf(of.named(key))
	if part != "" {
		x = of.elementOf(x)
	}
	if id, ok := x.(*ast.Ident); ok {
		for v := range fn.Signature().Params().Variables() {
			if types.Object(v) == s.pkg.Info.ObjectOf(id) {
				return v, part
			}
		}
		if v := s.eachOf(fn, id); v != nil {
			return v, part
		}
	}
	return nil, ""
}

// where is the place of the access in the function that makes it.
func (o *occurrence) where() token.Pos {
	if o.at.IsValid() {
		return o.at
	}
	return o.source().Pos()
}

// source is the access in the function that makes it.
func (o *occurrence) source() *access.Access {
	if o.origin != nil {
		return o.origin
	}
	return o.Access
}
