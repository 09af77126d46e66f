package section

import (
	"go/ast"
	"go/token"
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

// idempotent says whether storing twice stores equal values: a cache of what
// everybody computes alike.
func (f *finding) idempotent(end *hit) bool {
	if f.entry.chosen || end.Mode != atomicity.Write || end.Method == "delete" || end.Method == "Delete" || end.source().Update != nil ||
		f.extreme(end) || f.newer(end) || f.sized(end) {
		return false
	}
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if end.Kind == access.Atomic && !f.holdsPointer(values) {
		return false // a number or flag: what matters is what else is done
	}
	if len(values) == 0 || f.setsGoing(end) || f.startsBelow(end) || f.changedAbove(end) || f.storesSomebody(end) || f.entry.Kind == access.SyncMap && f.marksWhatIsDone(values, end) {
		return false
	}
	if f.promisesOne(values) || f.closedAsserted(end.Var.Obj) || f.madeInItsHold(end) || f.emptiesAgain(values, end) || f.sendsOnTested(end) {
		return false
	}
	for _, v := range values {
		if len(values) > 1 && end.via != nil && f.pkg.Info.Types[v].Value != nil {
			continue // for how long it is kept, as cache.Set(key, v, cache.DefaultExpiration) says
		}
		if !(f.equalEachTime(v) || f.classifies(v, end) || f.marksAlone(end)) || f.changedAfterwards(v, end) {
			return false
		}
	}
	return true
}

// promisesOne says whether the body is of a method that says by its name that all who ask for a
// key are given what the first one has made, as GetOrSet does, and returns what it stores,
// which a function that it was given has made.
func (f *finding) promisesOne(values []ast.Expr) bool {
	fn := f.body.Func
	if fn == nil || !both.MatchString(fn.Name()) || len(values) == 0 {
		return false
	}
	id, ok := ast.Unparen(values[len(values)-1]).(*ast.Ident)
	if !ok {
		return false
	}
	v := f.pkg.Info.ObjectOf(id)
	made := slices.ContainsFunc(f.values.assigns[v], func(d assignment) bool {
		call, ok := ast.Unparen(d.value).(*ast.CallExpr)
		if !ok {
			return false
		}
		maker, ok := ast.Unparen(call.Fun).(*ast.Ident)
		return ok && f.isParameter(maker)
	})
	returned := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok {
			for _, r := range ret.Results {
				x, ok := ast.Unparen(r).(*ast.Ident)
				returned = returned || ok && f.pkg.Info.ObjectOf(x) == v
			}
		}
		return !returned
	})
	return made && returned
}

// marksWhatIsDone says whether the values are constants, which say that something has been
// done, and the body sends or calls something where it stores them that gives no answer: what
// answers can be done once more if it fails.
func (f *finding) marksWhatIsDone(values []ast.Expr, end *hit) bool {
	for _, v := range values {
		tv := f.pkg.Info.Types[v]
		lit, isLit := ast.Unparen(v).(*ast.CompositeLit)
		if tv.Value == nil && !tv.IsNil() && !(isLit && len(lit.Elts) == 0) {
			return false
		}
	}
	unanswered := map[ast.Node]bool{}
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if stmt, ok := n.(*ast.ExprStmt); ok {
			unanswered[ast.Unparen(stmt.X)] = true
		}
		return true
	})
	return f.inBranch(end, func(ev accesses.Event) bool {
		call, ok := ev.Node.(*ast.CallExpr)
		return ev.Kind == accesses.OnSend || ev.Kind == accesses.OnCall && ok && unanswered[call] && ast.Expr(call) != end.source().Expr && ast.Expr(call) != end.Expr && !f.harmless(call) && !f.storesThere(call)
	})
}

// storesThere says whether the call stores something in the variable too.
func (f *finding) storesThere(call *ast.CallExpr) bool {
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Expr == ast.Expr(call) && o.via == nil && o.Mode == atomicity.Write && o.Var == f.entry.Var
	})
}

// storesSomebody says whether what a callee stores is told apart from others that are made
// of the same arguments.
func (f *finding) storesSomebody(end *hit) bool {
	return end.via != nil && slices.ContainsFunc(stored(end.source()), func(v ast.Expr) bool {
		t := f.pkg.Info.TypeOf(v)
		return t != nil && f.isSomebody(t)
	})
}

// classifies says whether v is one of several constants of which the body stores one at a
// key that it was given, and does nothing else: what kind of thing that is, not who has
// come first.
func (f *finding) classifies(v ast.Expr, end *hit) bool {
	tv := f.pkg.Info.Types[v]
	id, ok := keyIdent(f.entry)
	if tv.Value == nil || end.via != nil || f.entry.Kind != access.MapElement || !ok || !f.isParameter(id) || isBoolean(tv.Type) {
		return false
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		if o.Mode != atomicity.Write || o.via != nil || !o.sameInstance(end.occurrence) || f.leadsTo(o, end.occurrence) || f.leadsTo(end.occurrence, o) {
			return false
		}
		values := stored(o.Access)
		if len(values) != 1 {
			return false
		}
		other := f.pkg.Info.Types[values[0]].Value
		return other != nil && other.ExactString() != tv.Value.ExactString()
	})
}

// keyIdent is the key of the access, if that is a variable.
func keyIdent(o *occurrence) (*ast.Ident, bool) {
	if o.Key == nil {
		return nil, false
	}
	id, ok := ast.Unparen(o.Key).(*ast.Ident)
	return id, ok
}

// changedAfterwards says whether the body changes what the value refers to once it has
// been stored: of two goroutines that store one each, one changes what is lost.
func (f *finding) changedAfterwards(v ast.Expr, end *hit) bool {
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return false
	}
	obj := f.pkg.Info.ObjectOf(id)
	for _, d := range f.values.filled[obj] {
		if d.at > f.pkg.Order(end.Pos()) {
			return true
		}
	}
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		return o.Mode == atomicity.Write && o.place.Root == obj && o.place.Path != "" && f.leadsTo(end.occurrence, o)
	})
}

// holdsPointer says whether one of the values refers to something.
func (f *finding) holdsPointer(values []ast.Expr) bool {
	for _, v := range values {
		if t := f.pkg.Info.TypeOf(v); t != nil {
			switch t.Underlying().(type) {
			case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Struct:
				return true
			case *types.Basic:
				if types.Identical(t, types.Typ[types.UnsafePointer]) {
					return true
				}
			}
		}
	}
	return false
}

func (f *finding) equalEachTime(v ast.Expr) bool {
	if tv, ok := f.pkg.Info.Types[v]; ok && (tv.Value != nil || tv.IsNil()) {
		return !f.locked() || f.entry.Kind == access.SyncMap // a flag; what matters is what else is done
	}
	t := f.pkg.Info.TypeOf(v)
	if t == nil {
		return true
	}
	if f.reckoned(v) {
		return false
	}
	// A parameter differs from caller to caller, unless it is the key itself, or a copy of
	// what the key is a part of.
	if id, ok := ast.Unparen(v).(*ast.Ident); ok && f.isParameter(id) {
		obj := f.pkg.Info.ObjectOf(id)
		if f.entry.Key == nil || !f.mentions(f.entry.Key, obj) || pointers(t) && !f.isObject(f.entry.Key, obj) {
			return false
		}
	}
	if f.madeWithoutKey(v, t) || f.countedUp(v) || f.firstNode(v) {
		return false
	}
	if !f.isSomebody(t) && f.ofKeyAlone(v) {
		return true
	}
	if results, ok := t.(*types.Tuple); ok { // x.f, err = g()
		if results.Len() == 0 {
			return true
		}
		t = results.At(0).Type()
	}
	// What is made of the old contents differs each time.
	again := false
	ast.Inspect(v, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			for _, a := range f.values.reads[e] {
				again = again || a.Var == f.entry.Var
			}
		}
		return !again
	})
	if again {
		return false
	}
	if f.received(v) || f.readsClock(v) && f.waitsForTime() {
		return false
	}
	if f.drawn(v) {
		return false
	}
	// A number that was drawn from a counter differs each time.
	for a := range f.values.of(v) {
		if a.Kind == access.Atomic && adds(a) {
			return false
		}
	}
	return !stateful(t, v, f) && !f.fromKernel(v)
}

// madeWithoutKey says whether v, what is stored at a key, is an object that a function value has made
// without being told of the key, nor of anything else: such objects are alike when they are
// made, so that what they are kept for is what becomes of them.
func (f *finding) madeWithoutKey(v ast.Expr, t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok || f.entry.Key == nil {
		return false
	}
	if id, ok := ast.Unparen(v).(*ast.Ident); ok {
		for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
			if d.at <= f.pkg.Order(id.Pos()) {
				v = d.value
			}
		}
	}
	call, ok := ast.Unparen(v).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 || f.locks.Callee(call) != nil {
		return false
	}
	_, made := f.pkg.Info.TypeOf(call.Fun).(*types.Signature)
	return made && !f.mentionsKey(call.Fun)
}

// mentionsKey says whether e uses a local that the key of the entry is made of.
func (f *finding) mentionsKey(e ast.Expr) bool {
	found := false
	ast.Inspect(f.entry.Key, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := f.pkg.Info.ObjectOf(id)
			found = found || obj != nil && f.mentions(e, obj)
		}
		return !found
	})
	return found
}

// countedUp says whether v is read from a variable that the function counts up itself.
func (f *finding) countedUp(v ast.Expr) bool {
	for a := range f.values.of(v) {
		if slices.ContainsFunc(f.order, func(o *occurrence) bool {
			return o.Mode == atomicity.Write && o.via == nil && o.Update != nil && o.Var == a.Var && o.Var.Obj.IsField()
		}) {
			return true
		}
	}
	return false
}

// fromKernel says whether v is made of what a system call has given.
func (f *finding) fromKernel(v ast.Expr) bool {
	found := false
	seen := map[types.Object]bool{}
	var look func(e ast.Expr, depth int)
	look = func(e ast.Expr, depth int) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if fn := f.locks.Callee(n); fn != nil && fn.Pkg() != nil {
					found = found || fn.Pkg().Path() == "syscall" || strings.HasPrefix(fn.Pkg().Path(), "golang.org/x/sys/")
				}
			case *ast.Ident:
				obj := f.pkg.Info.ObjectOf(n)
				if obj == nil || seen[obj] || depth > 3 {
					return true
				}
				seen[obj] = true
				for _, d := range f.values.assigns[obj] {
					look(d.value, depth+1)
				}
			}
			return !found
		})
	}
	look(v, 0)
	return found
}

// received says whether v is, or is part of, what the body has received from a
// channel: each gets another one.
func (f *finding) received(v ast.Expr) bool {
	for {
		sel, ok := ast.Unparen(v).(*ast.SelectorExpr)
		if !ok {
			break
		}
		v = sel.X
	}
	id, ok := ast.Unparen(v).(*ast.Ident)
	if !ok {
		return false
	}
	for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
		if u, ok := ast.Unparen(d.value).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			return true
		}
		if t := f.pkg.Info.TypeOf(d.value); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok && !types.Identical(t, f.pkg.Info.TypeOf(id)) {
				return true // range ch
			}
		}
	}
	return false
}

// drawing are the names of functions that give each caller another thing.
var drawing = pattern.New(`^(?i:open|next|alloc|accept|draw|rand|generate|acquire|reserve|pop|dequeue|enqueue|spawn)|^(?i:new)[A-Z].*(?i:id|uuid|token|nonce|session|stream)$`)

// drawn says whether v is, or is a part of, what a function with such a name has given.
func (f *finding) drawn(v ast.Expr) bool {
	for range 6 {
		switch e := ast.Unparen(v).(type) {
		case *ast.SelectorExpr:
			v = e.X
		case *ast.CallExpr:
			if fn := f.locks.Callee(e); fn != nil && drawing.MatchString(fn.Name()) {
				return true
			}
			sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
			if !ok {
				return false
			}
			v = sel.X // str.StreamID()
		case *ast.Ident:
			list := f.values.assigns[f.pkg.Info.ObjectOf(e)]
			if len(list) != 1 {
				return false
			}
			v = list[0].value
		default:
			return false
		}
	}
	return false
}

// readsClock says whether v is the time of now.
func (f *finding) readsClock(v ast.Expr) bool {
	found := false
	inspect := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				fn := f.locks.Callee(call)
				found = found || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "Now"
			}
			return !found
		})
	}
	inspect(v)
	if id, ok := ast.Unparen(v).(*ast.Ident); ok {
		for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
			inspect(d.value)
		}
	}
	return found
}

// waitsForTime says whether the test asks how long ago the entry's time was, and
// not merely whether there is one.
func (f *finding) waitsForTime() bool {
	found := false
	look := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if fn := f.locks.Callee(call); fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "time" {
					switch fn.Name() {
					case "Since", "Until", "Sub", "Before", "After":
						found = true
					}
				}
			}
			return !found
		})
	}
	for _, test := range f.trail.tests {
		for _, cond := range f.body.Conds[test] {
			look(cond)
			ast.Inspect(cond, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					for _, d := range f.values.assigns[f.pkg.Info.ObjectOf(id)] {
						look(d.value)
					}
				}
				return true
			})
		}
	}
	return found
}

// locked says whether a lock is held at the entry, or the access is a
// synchronised one itself: then a constant is stored for others to see.
func (f *finding) locked() bool {
	return f.entry.held.Any() || f.entry.Kind == access.Atomic || f.entry.Kind == access.SyncMap
}

func (s *search) isParameter(id *ast.Ident) bool {
	return hasParameter(s.body.Type(s.pkg.Info), s.pkg.Info.ObjectOf(id))
}

// hasParameter says whether the object is a parameter of the signature, which may be nil.
func hasParameter(sig *types.Signature, obj types.Object) bool {
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if types.Object(v) == obj {
			return true
		}
	}
	return false
}

// appendsAgain says whether the branch that the test leads to also appends, under the lock
// of the end, to a slice that the body does not begin anew: to do it twice is to have it all
// twice.
func (f *finding) appendsAgain(end *hit) bool {
	return slices.ContainsFunc(f.order, func(o *occurrence) bool {
		if o.Kind != access.Cell || o.Mode != atomicity.Write || o.via != nil || o.Var == f.entry.Var || !f.isGrowth(o) || !isContainer(o.Var.Obj.Type()) {
			return false
		}
		if !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) || !f.decided(f.trail.tests, o.block) || !f.leadsTo(o, end.occurrence) || f.reachOf(o) == shared.Private {
			return false
		}
		if !slices.ContainsFunc(o.held.Places(), func(l accesses.Place) bool { return o.held[l] == locks.Exclusive && end.held.Holds(l) }) {
			return false
		}
		return !slices.ContainsFunc(f.order, func(w *occurrence) bool {
			return w.sameInstance(o) && w.Mode == atomicity.Write && !f.isGrowth(w) && f.leadsTo(w, o)
		})
	})
}
