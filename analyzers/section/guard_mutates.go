package section

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// mutation says through what a function changes memory without a lock of its
// own: bit 0 is the receiver, bit i+1 the parameter i.
type mutation uint32

const ofReceiver mutation = 1

// mutates is the mutation of fn, by itself or by what it calls. Calls that are
// not resolved count as harmless.
func (s *search) mutates(fn *types.Func) mutation {
	if m, ok := s.mutations[fn]; ok {
		return m
	}
	s.mutations[fn] = 0 // recursion adds nothing
	s.mutations[fn] = s.mutationOf(fn, nil)
	return s.mutations[fn]
}

// A switching is a function with those of its parameters that are false.
type switching struct {
	fn  *types.Func
	off string
}

// mutatesWithout is mutates where the parameters are false that are off.
func (s *search) mutatesWithout(fn *types.Func, off []*types.Var) mutation {
	k := switching{fn: fn}
	for _, v := range off {
		k.off += v.Name() + " "
	}
	if m, ok := s.switched[k]; ok {
		return m
	}
	if s.switched == nil {
		s.switched = map[switching]mutation{}
	}
	s.switched[k] = 0 // recursion adds nothing
	s.switched[k] = s.mutationOf(fn, off)
	return s.switched[k]
}

// mutationOf computes both.
func (s *search) mutationOf(fn *types.Func, off []*types.Var) mutation {
	if m := libraryMutation(fn); m != 0 {
		return m
	}
	b := s.pkg.ByFunc[fn]
	if b == nil {
		if fn.Pkg() != nil {
			if r, ok := s.imports.Entry(fn.Pkg(), facts.Key(fn)); ok {
				return mutation(r.Int())
			}
		}
		return 0
	}
	st, m := s.stateOf(b), mutation(0)
	lazy := s.lazyParts(b)
	s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
		if ev.Node != nil && slices.ContainsFunc(lazy, func(n ast.Node) bool { return n.Pos() <= ev.Pos() && ev.Pos() < n.End() }) {
			return
		}
		for l, mode := range held {
			if before, ok := s.locks.Entry(b)[l]; !ok || before != mode {
				return // a lock that it has taken itself, if only for reading: the object has a rule of its own
			}
		}
		if ev.Node != nil && s.switchedOff(b, ev.Pos(), off) {
			return
		}
		if a := ev.Access; a != nil && a.Mode == atomicity.Write && a.Cell != nil && (a.Kind == access.Cell || a.Kind == access.Element || a.Kind == access.MapElement) {
			if _, local := ast.Unparen(a.Cell).(*ast.Ident); !local || a.Kind != access.Cell {
				m |= s.rootBit(st, fn, a.Cell, 0)
			}
		}
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall {
			return
		}
		callee := s.locks.Callee(call)
		if callee == nil || s.mutates(callee) == 0 {
			return
		}
		through := s.mutates(callee)
		if not := s.givenFalse(callee, call, off); len(not) > 0 && s.pkg.ByFunc[callee] != nil {
			through = s.mutatesWithout(callee, not)
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && through&ofReceiver != 0 {
			m |= s.rootBit(st, fn, sel.X, 0)
		}
		for i, arg := range call.Args {
			if through&(ofReceiver<<(i+1)) != 0 {
				m |= s.rootBit(st, fn, arg, 0)
			}
		}
	})
	return m
}

// givenFalse are the parameters of the function, true or false, that the call gives false, or
// what is off itself.
func (s *search) givenFalse(fn *types.Func, call *ast.CallExpr, off []*types.Var) []*types.Var {
	var list []*types.Var
	for i, arg := range call.Args {
		params := fn.Signature().Params()
		if i >= params.Len() || !isBoolean(params.At(i).Type()) {
			continue
		}
		if v := s.pkg.Info.Types[arg].Value; v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v) {
			list = append(list, params.At(i))
		} else if id, ok := ast.Unparen(arg).(*ast.Ident); ok && slices.ContainsFunc(off, func(p *types.Var) bool { return s.pkg.Info.Uses[id] == types.Object(p) }) {
			list = append(list, params.At(i))
		}
	}
	return list
}

// switchedOff says whether the place lies in a branch of the body that is taken only if one of
// the parameters is true that are off: if mut && n.shared { … }.
func (s *search) switchedOff(b *accesses.Body, pos token.Pos, off []*types.Var) bool {
	if len(off) == 0 {
		return false
	}
	found := false
	var needs func(cond ast.Expr) bool
	needs = func(cond ast.Expr) bool {
		switch x := ast.Unparen(cond).(type) {
		case *ast.Ident:
			return slices.ContainsFunc(off, func(p *types.Var) bool { return s.pkg.Info.Uses[x] == types.Object(p) })
		case *ast.BinaryExpr:
			return x.Op == token.LAND && (needs(x.X) || needs(x.Y))
		}
		return false
	}
	ast.Inspect(b.Block, func(n ast.Node) bool {
		if branch, ok := n.(*ast.IfStmt); ok && branch.Body.Pos() <= pos && pos < branch.Body.End() {
			found = found || needs(branch.Cond)
		}
		return !found
	})
	return found
}

// drawsAtRandom says whether the method draws from a generator of random numbers, which changes its
// source behind an interface and is not safe for use by several goroutines (math/rand.Rand).
func drawsAtRandom(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math/rand" && fn.Pkg().Path() != "math/rand/v2" {
		return false
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && tn.Name() == "Rand"
}

// ownSource says whether the package gives a generator of random numbers a source other than
// those of math/rand, which may have a lock.
func (s *search) ownSource() bool {
	own := false
	for _, file := range s.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || own || len(call.Args) != 1 {
				return !own
			}
			fn := s.locks.Callee(call)
			if fn == nil || fn.Name() != "New" || fn.Pkg() == nil || fn.Pkg().Path() != "math/rand" && fn.Pkg().Path() != "math/rand/v2" {
				return true
			}
			made, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
			from := (*types.Func)(nil)
			if ok {
				from = s.locks.Callee(made)
			}
			own = from == nil || from.Pkg() != fn.Pkg()
			return !own
		})
	}
	return own
}

// lazyParts are the branches of the body for objects that are not ready yet: if
// r.next == nil { r.init() }. An object that is shared has mostly been readied.
func (s *search) lazyParts(b *accesses.Body) []ast.Node {
	var list []ast.Node
	ast.Inspect(b.Block, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok {
			return true
		}
		if c, ok := ast.Unparen(branch.Cond).(*ast.BinaryExpr); ok && c.Op == token.EQL && s.pkg.Info.Types[c.Y].IsNil() {
			if _, ok := ast.Unparen(c.X).(*ast.SelectorExpr); ok {
				list = append(list, branch.Body)
			}
		}
		return true
	})
	return list
}

// rootBit is the bit of the receiver or parameter through which e reaches what it
// denotes, also by way of locals; 0 if it is none, or a copy.
func (s *search) rootBit(st *bodyState, fn *types.Func, e ast.Expr, depth int) mutation {
	pl := s.pkg.PlaceOf(e)
	if !pl.Valid() || depth > 3 || accesses.IsGlobal(pl.Root) {
		return 0
	}
	sig := fn.Signature()
	bit := mutation(0)
	if recv := sig.Recv(); recv != nil && pl.Root == types.Object(recv) {
		bit = ofReceiver
	}
	for i := range min(sig.Params().Len(), 30) {
		if pl.Root == types.Object(sig.Params().At(i)) {
			bit = ofReceiver << (i + 1)
		}
	}
	list, whole := st.values.reaching(pl.Root, e.Pos())
	if bit != 0 && !whole {
		if _, ok := pl.Root.Type().Underlying().(*types.Struct); ok && inCopy(pl) {
			return 0
		}
		return bit
	}
	bit = 0
	for _, d := range list {
		if pointers(pl.Root.Type()) {
			bit |= s.rootBit(st, fn, d.value, depth+1)
		}
	}
	return bit
}

// pointers says whether a value of the type refers to memory elsewhere.
func pointers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice:
		return true
	}
	return false
}

// mutators finds calls of methods that change the object, made with the lock that
// guards the object held for reading only, such as a look into an LRU cache, which
// moves what it finds to the front. Elsewhere the same lock is held for writing
// when the object is changed, so that this is what it guards.
func (s *search) mutators() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) {
		return
	}
	reported := map[access.Var]bool{}
	for _, m := range s.mutatingCalls(s.body) {
		if reported[m.of.Var] || !m.lock.Valid() || m.mode != locks.Shared || s.locksItself(s.locks.Callee(m.call)) || s.namedForAnother(m.lock, m.of.Var) {
			continue
		}
		keeper, at, in := s.keeperOf(m)
		noted := placed{}
		if !keeper.Valid() {
			noted = s.notedBelow(m)
		}
		if !keeper.Valid() && noted.occurrence == nil && (!drawsAtRandom(s.locks.Callee(m.call)) || s.ownSource()) {
			continue
		}
		reported[m.of.Var] = true
		c := s.direct("discipline", "write-under-rlock", m.of.Access, m.call.Pos(), m.call.Pos())
		c.Roles = [2]string{"changed with the lock held for reading", "changed then"}
		c.Message = fmt.Sprintf("%s changes %s, and %s is held for reading only, which others can do at the same time", types.ExprString(m.call.Fun), types.ExprString(m.of.Expr), m.lock)
		if keeper.Valid() {
			c.EndPos, c.Roles[1] = at.Pos(), "changed with it held for writing"
			c.Message += "; " + in.Name + " holds it for writing"
		} else if noted.occurrence != nil {
			c.EndPos, c.Roles[1] = noted.Pos(), "looked at with it held for writing"
		}
		s.tell(c, m.of, m.of.Access)
	}
}

// locksItself says whether the method is one of another package, of a type with a lock of its own: that
// package knows what may happen at once to what it keeps.
func (s *search) locksItself(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == s.pkg.Types || fn.Signature().Recv() == nil {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	if tn == nil {
		return false
	}
	of, ok := tn.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range of.Fields() {
		lock, _, _ := types.LookupFieldOrMethod(f.Type(), true, nil, "Lock")
		unlock, _, _ := types.LookupFieldOrMethod(f.Type(), true, nil, "Unlock")
		if lock != nil && unlock != nil {
			return true
		}
	}
	return false
}

// mutatingCall is a call of a method that changes a field's object.
type mutatingCall struct {
	call *ast.CallExpr
	of   *occurrence // the read of the field
	lock accesses.Place
	mode locks.Mode
}

// mutatingCalls lists the calls of b that change the object of a field beside a
// lock which is held: one of its methods, or a function that is given it.
func (s *search) mutatingCalls(b *accesses.Body) []mutatingCall {
	if list, ok := s.mutating[b]; ok {
		return list
	}
	var list []mutatingCall
	s.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
		call, ok := ev.Node.(*ast.CallExpr)
		if !ok || ev.Kind != accesses.OnCall || !held.Any() {
			return
		}
		fn := s.locks.Callee(call)
		if fn == nil {
			return
		}
		through := s.mutates(fn) | s.writesTo(fn, call)
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && through&ofReceiver != 0 {
			if m, ok := s.mutatingCall(b, call, sel.X, held); ok {
				list = append(list, m)
			}
		}
		for i, arg := range call.Args {
			if i > 29 || through&(ofReceiver<<(i+1)) == 0 {
				continue
			}
			if m, ok := s.mutatingCall(b, call, s.referred(arg), held); ok {
				list = append(list, m)
			}
		}
	})
	if s.mutating == nil {
		s.mutating = map[*accesses.Body][]mutatingCall{}
	}
	s.mutating[b] = list
	return list
}

// mutatingCall is the call as one that changes the object that x is, if that is a field with
// locks beside it alone that are held.
func (s *search) mutatingCall(b *accesses.Body, call *ast.CallExpr, x ast.Expr, held locks.Set) (m mutatingCall, ok bool) {
	of := s.fieldOf(b, x)
	if of == nil {
		of = s.entryChanged(b, x)
	}
	if of == nil {
		return m, false
	}
	m = mutatingCall{call: call, of: of}
	for _, l := range held.Places() {
		switch {
		case held[l] == locks.Possible || l.Root == nil:
			return m, false // perhaps another lock is held
		case beside(l, of.place) && held[l] > m.mode:
			m.lock, m.mode = l, held[l]
		case held[l] == locks.Exclusive:
			return m, false
		}
	}
	return m, true
}

// referred is the variable that an argument refers to: &x.f, or what a conversion is made of, as
// in sort.Sort(byAge(x.f)).
func (s *search) referred(arg ast.Expr) ast.Expr {
	for {
		switch x := ast.Unparen(arg).(type) {
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return x
			}
			arg = x.X
		case *ast.CallExpr:
			if tv, ok := s.pkg.Info.Types[x.Fun]; !ok || !tv.IsType() || len(x.Args) != 1 {
				return x
			}
			arg = x.Args[0]
		default:
			return x
		}
	}
}

// beside says whether the lock lies in the same object as the variable; package-level
// ones lie beside each other.
func beside(l, v accesses.Place) bool {
	if accesses.IsGlobal(v.Root) && v.Path == "" {
		return accesses.IsGlobal(l.Root) && l.Root.Pkg() == v.Root.Pkg() && l.Path == ""
	}
	return l.Beside(v)
}

// fieldOf is the use of a field or package-level variable whose method is called, as a
// read of it; nil if e is something else. A method of one that is no pointer is called
// without a read.
func (s *search) fieldOf(b *accesses.Body, e ast.Expr) *occurrence {
	e = s.pkg.Target(e)
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		v, ok := s.pkg.Info.ObjectOf(id).(*types.Var)
		if !ok || !accesses.IsGlobal(v) || v.Pkg() != s.pkg.Types {
			return nil
		}
		a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Kind: access.Cell, Expr: id, Cell: id, Func: b.Fn}
		return &occurrence{Access: a, place: s.pkg.PlaceOf(id)}
	}
	x, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok || s.pkg.Info.Selections[x] == nil {
		return nil
	}
	v, ok := s.pkg.Info.Selections[x].Obj().(*types.Var)
	pl := s.pkg.PlaceOf(x)
	if !ok || !pl.Valid() {
		return nil
	}
	a := &access.Access{Var: access.Var{Obj: v}, Mode: atomicity.Read, Kind: access.Cell, Expr: x, Cell: x, Func: b.Fn}
	return &occurrence{Access: a, place: pl}
}

// keeperOf is a call, or a write, that changes the same object with the same lock held for
// writing.
func (s *search) keeperOf(m mutatingCall) (lock accesses.Place, at ast.Node, in *access.Function) {
	class := locks.ClassOf(m.lock)
	stream := isStream(s.locks.Callee(m.call))
	for _, b := range s.pkg.Bodies {
		if fn := b.Outermost().Func; stream && fn != nil && endings.MatchString(fn.Name()) {
			continue // one goroutine may use it, until another one ends it
		}
		for _, k := range s.mutatingCalls(b) {
			if k.of.Var == m.of.Var && k.mode == locks.Exclusive && locks.ClassOf(k.lock) == class {
				return k.lock, k.call, b.Fn
			}
		}
	}
	if m.of.Var.Contents || !isContainer(m.of.Var.Obj.Type()) {
		return lock, nil, nil
	}
	w, in := s.another(access.Var{Obj: m.of.Var.Obj}, s.body, func(k *occurrence) bool {
		l := k.lockOf(class)
		return k.Mode == atomicity.Write && l.Valid() && k.held[l] == locks.Exclusive
	})
	if w == nil {
		return lock, nil, nil
	}
	return w.lockOf(class), w.Expr, in
}

// alwaysUnderReadLock says whether the entry is part of an object that the holder of a
// lock keeps, changes there with that lock held for reading alone, and all other functions
// hold the same lock when they access it.
func (f *finding) alwaysUnderReadLock() bool {
	u := f.shared.Use(f.entry.Var)
	read := false
	for l, m := range f.entry.held {
		if m != locks.Shared {
			return false // another lock, or one that is perhaps held
		}
		read = read || u.AlwaysUnder(f.body, locks.ClassOf(l))
	}
	return read
}
