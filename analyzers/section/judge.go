package section

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sure decides whether the candidate is worth a person's attention. A false
// alarm costs more than a miss: each rule asks for evidence that goroutines do
// meet here, and that meeting does harm.
func (f *finding) sure(c *Candidate, end *hit, plain bool) bool {
	if c.Pattern == atomicity.LoadAndStore && c.Protected != "" && f.entry.Var.Contents {
		plain = true // m[k] = f(m[k]), whatever f does
	}
	if !f.strong || !plain || f.inTest() || f.excused(c, end) {
		return false
	}
	switch c.Category {
	case "atomic-check-then-act":
		return end.Mode == atomicity.Write && f.acts(end) && !f.idempotent(end) && (f.claims(end) || f.closes(end) != "")
	case "atomic-load-and-store":
		return true
	case "sync-map":
		return !f.idempotent(end)
	}
	if c.Pattern == atomicity.TestAndUse && isError(f.entry.Var.Obj.Type()) {
		return false // the first error or the last one: either tells
	}
	own := f.ownLock(f.entry.held) || f.ownLock(end.held)
	if f.reach < shared.Meant && !own {
		return false
	}
	switch c.Category {
	case "unlock-relock", "rlock-upgrade":
		if c.Pattern == atomicity.LoadAndStore {
			return true
		}
		if end.Mode == atomicity.Read {
			return own && dangerous(end.Access) && f.nilled()
		}
		return !f.idempotent(end)
	case "write-under-rlock":
		return f.guarded()
	case "read-before-lock":
		return own
	case "test-before-lock":
		return own && (end.Mode == atomicity.Write || dangerous(end.Access) && f.nilled() && f.guarded()) && !f.idempotent(end)
	case "use-after-unlock", "store-after-unlock":
		return end.Mode == atomicity.Write && own && f.guarded() && !f.idempotent(end)
	}
	if len(f.entry.held) > 0 || len(end.held) > 0 { // perhaps there is a lock after all
		return false
	}
	if c.Pattern == atomicity.TestAndUse && (end.Mode != atomicity.Write || !f.claims(end)) {
		return false
	}
	if c.Pattern == atomicity.TestAndUse && f.reach >= shared.Meant && f.ends() && f.acts(end) {
		return true
	}
	if f.entry.Kind == access.Element && f.ownIndex() {
		return false
	}
	// A type with a lock that does not use it for this variable has another
	// rule for it, such as a goroutine that owns it.
	if f.guarded() {
		return true
	}
	return f.shared.Launched(f.body) && (f.reach == shared.Shared || f.reach == shared.Listed && !f.holderLocks())
}

var endings = regexp.MustCompile(`^(Close|Stop|Shutdown|Cancel|Terminate|Destroy|AsyncClose|Unsubscribe|Disconnect|GracefulStop)$`)

// ends says whether the function is an exported method that ends something:
// people call these from wherever they notice that it is over.
func (f *finding) ends() bool {
	return f.body.Func != nil && endings.MatchString(f.body.Func.Name()) && f.holderLocks()
}

// holderLocks says whether the type that the variable is a field of is made for
// concurrent use.
func (f *finding) holderLocks() bool {
	sel, ok := ast.Unparen(f.entry.Cell).(*ast.SelectorExpr)
	if !ok {
		star, isStar := ast.Unparen(f.entry.Cell).(*ast.StarExpr)
		if isStar {
			sel, ok = ast.Unparen(star.X).(*ast.SelectorExpr)
		}
	}
	for ok {
		if t := f.pkg.Info.TypeOf(sel.X); t != nil && f.shared.Concurrent(t) {
			return true
		}
		sel, ok = ast.Unparen(sel.X).(*ast.SelectorExpr)
	}
	return false
}

// ownLock says whether one of the locks belongs to the object that the variable
// is part of, or to the package.
func (f *finding) ownLock(held locks.Set) bool {
	for l, m := range held {
		if m > locks.Possible && l.Root != nil && (l.Root == f.entry.place.Root || l.Root.Parent() == f.pkg.Types.Scope()) {
			return true
		}
	}
	return false
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

func (f *finding) inTest() bool { return f.isTest() }

func (s *search) isTest() bool {
	return strings.HasSuffix(s.pkg.Fset.Position(s.body.Node.Pos()).Filename, "_test.go")
}

// ownIndex says whether the element's index is not a constant: goroutines that
// share a slice mostly keep to elements of their own.
func (f *finding) ownIndex() bool {
	x, ok := f.entry.Expr.(*ast.IndexExpr)
	if !ok {
		return true
	}
	tv := f.pkg.Info.Types[x.Index]
	return tv.Value == nil
}

// guarded says whether the package accesses the variable mostly under a lock,
// which shows that it means to share it.
func (f *finding) guarded() bool {
	u := f.shared.Use(f.entry.Var)
	return u != nil && (u.MostlyGuarded(f.body) || len(u.Locks) > 0 && f.entry.held.Any())
}

// dangerous says whether a use of what was tested can panic or go astray when
// the test no longer holds.
func dangerous(a *access.Access) bool {
	switch t := a.Var.Obj.Type().Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Slice, *types.Signature:
		_ = t
		return true
	}
	return false
}

// nilled says whether some function other than this one takes away what the
// variable holds: sets it to nil or cuts it short.
func (f *finding) nilled() bool {
	u := f.shared.Use(f.entry.Var)
	return u != nil && len(u.Cleared) > 0
}

// acts says whether the branch that the test leads to does more than store:
// if all it does is set a flag that is set already, nobody can tell.
func (f *finding) acts(end *hit) bool {
	if strings.HasPrefix(end.Method, "Add") {
		return true // counts twice
	}
	for _, test := range f.trail.tests {
		ok, edge := f.decides(test, end.block)
		if !ok {
			continue
		}
		succs := f.body.CFG.Blocks[test].Succs
		mine, other := f.reaches(succs[edge], test), f.reaches(succs[1-edge], test)
		for i, events := range f.body.Events {
			if !mine[i] || other[i] {
				continue
			}
			for _, ev := range events {
				switch ev.Kind {
				case accesses.OnCall:
					if call := ev.Node.(*ast.CallExpr); call != end.Expr && !f.harmless(call) {
						return true
					}
				case accesses.OnGo, accesses.OnDefer, accesses.OnSend:
					return true
				case accesses.OnAccess:
					if ev.Access.Mode == atomicity.Write && ev.Access != end.Access {
						return true
					}
				}
			}
		}
	}
	return false
}

// claims says whether the test alone decides that the end is reached, so that
// it takes what the test found free. A flag that is set on some further
// condition mostly just remembers what everybody finds out alike.
func (f *finding) claims(end *hit) bool {
	for block, conds := range f.body.Conds {
		if conds == nil || slices.Contains(f.trail.tests, block) {
			continue
		}
		after := false
		for _, test := range f.trail.tests {
			if ok, edge := f.decides(test, block); ok && f.reaches(f.body.CFG.Blocks[test].Succs[edge], test)[block] {
				after = true
			}
		}
		if ok, _ := f.decides(block, end.block); ok && after {
			return false
		}
	}
	return true
}

// harmless says whether a call can be made twice without anybody noticing.
func (f *finding) harmless(call *ast.CallExpr) bool {
	if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	if reads := f.values.reads[call]; len(reads) > 0 {
		for _, a := range reads {
			if a.Mode != atomicity.Read || a.Method == "Range" {
				return false
			}
		}
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := f.pkg.Info.Uses[id].(*types.Builtin); ok {
			return b.Name() != "close" && b.Name() != "delete"
		}
	}
	fn := f.locks.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "time", "fmt", "strings", "strconv", "log", "log/slog", "errors", "math":
		return true
	}
	return false
}

var benign = regexp.MustCompile(`(?i)\b(benign|harmless|idempotent|racy|don't care|doesn't matter|does not matter|no harm|ok to race|possible to race|race (is|here is) (ok|fine)|best[- ]effort|approximate|multiple goroutines may|may be (called|computed|created|done) (twice|more than once))\b`)

// excused says whether a comment in the function says that the race is known.
func (f *finding) excused(c *Candidate, end *hit) bool {
	from, to := c.Pos, c.EndPos
	if from > to {
		from, to = to, from
	}
	tf := f.pkg.Fset.File(from)
	if tf == nil || tf != f.pkg.Fset.File(to) {
		return false
	}
	first, last := tf.Line(from)-4, tf.Line(to)+1
	for _, group := range f.entry.Func.File.Comments {
		if tf.Line(group.End()) >= first && tf.Line(group.Pos()) <= last && benign.MatchString(group.Text()) {
			return true
		}
	}
	return false
}

// idempotent says whether storing twice stores equal values: a cache of what
// everybody computes alike.
func (f *finding) idempotent(end *hit) bool {
	if end.Mode != atomicity.Write || end.Method == "delete" || end.Method == "Delete" {
		return false
	}
	values := stored(end.Access)
	if end.via != nil {
		values = end.stores
	}
	if end.Kind == access.Atomic && !f.holdsPointer(values) {
		return false // a number or flag: what matters is what else is done
	}
	if len(values) == 0 {
		return false
	}
	for _, v := range values {
		if !f.equalEachTime(v) {
			return false
		}
	}
	return true
}

// holdsPointer says whether one of the values refers to something.
func (f *finding) holdsPointer(values []ast.Expr) bool {
	for _, v := range values {
		if t := f.pkg.Info.TypeOf(v); t != nil {
			switch t.Underlying().(type) {
			case *types.Pointer, *types.Interface, *types.Map, *types.Slice, *types.Struct:
				return true
			}
		}
	}
	return false
}

func (f *finding) equalEachTime(v ast.Expr) bool {
	if tv, ok := f.pkg.Info.Types[v]; ok && (tv.Value != nil || tv.IsNil()) {
		return false // a flag; what matters is what else is done
	}
	t := f.pkg.Info.TypeOf(v)
	if t == nil {
		return true
	}
	if results, ok := t.(*types.Tuple); ok { // x.f, err = g()
		if results.Len() == 0 {
			return true
		}
		t = results.At(0).Type()
	}
	// A parameter differs from caller to caller, unless it is the key itself.
	if id, ok := ast.Unparen(v).(*ast.Ident); ok && f.isParameter(id) && (f.entry.Key == nil || !f.mentions(f.entry.Key, f.pkg.Info.ObjectOf(id))) {
		return false
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
	// A number that was drawn from a counter differs each time.
	for a := range f.values.of(v) {
		if a.Kind == access.Atomic && strings.HasPrefix(a.Method, "Add") {
			return false
		}
	}
	return !stateful(t, v, f)
}

func (f *finding) isParameter(id *ast.Ident) bool {
	sig := f.body.Type(f.pkg.Info)
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if types.Object(v) == f.pkg.Info.ObjectOf(id) {
			return true
		}
	}
	return false
}

// stateful says whether it matters which of two values of the type is kept.
func stateful(t types.Type, v ast.Expr, f *finding) bool {
	if types.IsInterface(t) {
		if call, ok := ast.Unparen(v).(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv, ok := f.pkg.Info.Types[call.Fun]; ok && tv.IsType() {
				return stateful(f.pkg.Info.TypeOf(call.Args[0]), call.Args[0], f)
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Map:
		return true
	case *types.Interface:
		return hasStatefulMethod(t)
	case *types.Pointer:
		if s, ok := u.Elem().Underlying().(*types.Struct); ok {
			for field := range s.Fields() {
				if use := f.shared.Use(access.Var{Obj: field.Origin()}); use != nil && len(use.Writes) > 0 {
					return true
				}
				if use := f.shared.Use(access.Var{Obj: field.Origin(), Contents: true}); use != nil && len(use.Writes) > 0 {
					return true
				}
			}
		}
		return f.shared.Concurrent(t) || hasStatefulMethod(t)
	}
	return false
}

// hasStatefulMethod goes by the names that methods which change or end
// something bear.
func hasStatefulMethod(t types.Type) bool {
	for _, name := range []string{"Close", "Stop", "Write", "Lock", "Add", "Inc", "Set", "Shutdown", "Cancel", "Allow", "Wait"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if _, ok := obj.(*types.Func); ok {
			return true
		}
	}
	return false
}
