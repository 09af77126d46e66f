package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// doubt says why the candidate is not worth a person's attention, or nothing if it
// is. A false alarm costs more than a miss: each rule asks for evidence that
// goroutines do meet here, and that meeting does harm.
func (f *finding) doubt(c *Candidate, end *hit, plain bool) string {
	if c.Pattern == atomicity.LoadAndStore && c.Protected != "" && f.entry.Var.Contents {
		plain = true // m[k] = f(m[k]), whatever f does
	}
	if c.Pattern == atomicity.LoadAndStore && !plain {
		plain = f.rebuilt(c, end) || f.staleIndex(end) || f.updated(end)
	}
	switch {
	case forTests(f.pkg.Types):
		return onlyTests
	case !f.strong && !f.guardsClose(c, end) && !f.breaksReadLock(c, end):
		return "no other goroutine is sure to write the variable"
	case !plain:
		return "what is stored is made of the value by calls"
	}
	if f.entry.depth > 1 && end.via != nil && !f.entry.lit && !end.lit && c.Pattern == atomicity.TestAndUse && !f.putsWhatIsMissing(end) && !f.fullBelow(end) {
		return "the test lies deep in what is called, and the act elsewhere"
	}
	getter := f.entry.Kind == access.Atomic && f.entry.depth == 1 && f.entry.Base != nil && (f.shared.Given(f.body, f.entry.Base) || f.loadedFrom(f.entry.Base))
	if f.entry.via != nil && !f.entry.lit && f.reach < shared.Meant && !getter && !(f.reach == shared.Implied && (c.Category == "unlock-relock" || c.Category == "rlock-upgrade") && f.ownLock(f.entry.held)) && !f.keptInSharedMap(c, end) && !f.locksForIt(c, end) {
		return "the object is not sure to be shared" // a lock inside tells what the object can bear, an atomic what it is meant for
	}
	switch {
	case f.kept(end):
		return keptToItself
	case c.Pattern == atomicity.TestAndUse && f.anytime(end):
		return calledAnyTime
	case c.Pattern == atomicity.TestAndUse && (f.ownPeer(end) || f.ownConnection(end) || f.reconciled(end) || f.loopsKey(end)):
		return ownKey
	}
	if why := f.spared(c, end); why != "" {
		return why
	}
	if f.ownAndQuiet(c, end) {
		return keptToItself
	}
	switch c.Category {
	case "atomic-check-then-act":
		if f.postponesDeadline(end) {
			return idempotence
		}
		switch {
		case f.shared.SetsGoing(f.body) && (max(f.entry.depth, end.depth) > 1 || f.entry.via != nil && end.via != nil && shared.SetGoing(f.locks.Callee(end.via))):
			return "the function readies an object that others use afterwards"
		case end.Mode != atomicity.Write && f.vanishes(end):
			return ""
		case end.Mode != atomicity.Write:
			return onlyReadAgain
		case f.overwritesState(end):
			return ""
		case (f.shared.Single(f.body) || f.closesFirst()) && f.closes(end) == "" && !f.wipes(end):
			return oneComes
		case f.ownTurn():
			return ownTurns
		case f.addedFirst(end):
			return "who looks has been counted before"
		case f.ownState(end):
			return keptToItself
		case f.extreme(end), f.newer(end), f.letsThrough(end), f.renumbers(end):
			return ""
		case f.storesAnother(end), f.tellsWho(end):
			return ""
		case !f.acts(end) && !f.actsBelow(end):
			return nothingDone
		case f.computesAlone(end):
			return idempotence
		case f.idempotent(end):
			return idempotence
		case (!f.claims(end) || f.asksLater(end)) && f.closes(end) == "" && !f.startsBeside(end) && !f.limited(end):
			return "more than the test decides about the act"
		}
		return ""
	case "atomic-load-and-store":
		if f.atRing(end) {
			return oneAtEachEnd
		}
		if f.memo(end) {
			return idempotence
		}
		return ""
	case "sync-map":
		switch {
		case c.Pattern == atomicity.LoadAndStore && f.whereMissing(end):
			return idempotence
		case f.deletesOther(end), c.Pattern == atomicity.LoadAndStore && f.rebuilt(c, end):
			return ""
		case end.Mode != atomicity.Write || (f.idempotent(end) || end.Method == "Delete" && (f.unused() || f.onlyRemoves(end))) && !f.tellsWho(end) && !f.refusesSecond(end) && !f.refusesByPanic(end) && !f.refusesByReply(end):
			return idempotence
		case f.registersOnce(end):
			return "what is made known so is made known once"
		case f.callerDecides(end):
			return "the callers decide whether it is stored"
		}
		return ""
	}
	if c.Pattern == atomicity.TestAndUse && f.callersKey(end) {
		return ownKey
	}
	if c.Pattern == atomicity.TestAndUse && f.removesAlone(end) && !f.tellsWho(end) {
		return idempotence
	}
	if c.Pattern == atomicity.TestAndUse && isError(f.entry.Var.Obj.Type()) && !f.closesAtOnce(end) {
		return eitherErrorTells
	}
	if c.Category == "test-and-use" && len(f.entry.held) == 0 && f.closes(end) != "" && f.claims(end) && f.shared.Entered(f.body) && f.calledTwice() {
		return ""
	}
	if c.Category == "test-and-use" && len(f.entry.held) == 0 && f.reach >= shared.Meant && f.closes(end) != "" && f.claims(end) && f.endedFromWithin() {
		return ""
	}
	if c.Category == "test-and-use" && f.closes(end) != "" && f.claims(end) && f.clearsAwaited(end) {
		return ""
	}
	if c.Category == "test-and-use" && (f.lockedLater(end) && f.takesEntry(end) || f.closesFlagged(end)) {
		return ""
	}
	if c.Category == "load-and-store" && f.writtenByTimer(end) {
		return ""
	}
	if (c.Category == "test-and-use" || c.Category == "load-and-store") && f.body.Func != nil && f.readies() ||
		c.Pattern == atomicity.TestAndUse && (c.Category == "unlock-relock" || c.Category == "rlock-upgrade") && end.Mode == atomicity.Write && f.initializesOnce(f.entry) {
		return "the function readies an object that others use afterwards"
	}
	if c.Pattern == atomicity.TestAndUse && end.Mode == atomicity.Write && (f.shared.Single(f.body) || f.shared.CalledInOneRun(f.body) || f.closesFirst()) && !f.wipes(end) && !f.filledMeanwhile(end) {
		return oneComes
	}
	if (c.Category == "store-after-unlock" || c.Category == "read-before-lock") && f.entry.Kind == access.Element && f.ownIndex() {
		return ownElements
	}
	if f.reach < shared.Meant && f.foreignLocal() {
		return "the object is not sure to be shared"
	}
	own := f.ownLock(f.entry.held) || f.ownLock(end.held) || f.lockedBefore().Valid()
	if f.reach < shared.Meant && !own && !f.guardedThere() {
		return "the object is not sure to be shared"
	}
	if c.Category == "test-and-use" || c.Category == "load-and-store" {
		return f.doubtUnlocked(c, end)
	}
	return f.doubtLocked(c, end, own)
}

const (
	oneComes     = "one goroutine alone comes here"
	keptToItself = "the package knows who uses the methods of a type of its own"
	notItsOwn    = "the lock is not known to guard the variable"
	ownElements  = "goroutines that share a slice mostly keep to elements of their own"
)

// doubtLocked is doubt about accesses one of which at least is under a lock.
func (f *finding) doubtLocked(c *Candidate, end *hit, own bool) string {
	vanishes := dangerous(end.Access) && f.nilled() || f.entryVanishes(end)
	switch c.Category {
	case "unlock-relock", "rlock-upgrade":
		switch {
		case c.Pattern == atomicity.LoadAndStore:
			return ""
		case end.Mode == atomicity.Read && !own:
			return notItsOwn
		case end.Mode == atomicity.Read && !vanishes:
			return unharmed
		}
	case "write-under-rlock":
		if f.readsForAnother(end.kept, f.entry.Var) || f.takenEitherWay(end.kept) {
			return notItsOwn
		}
		if f.alwaysUnderReadLock() {
			return ""
		}
		if !f.guarded() || f.shared.Use(f.entry.Var).GuardedOtherwise(f.body, end.kept) {
			return notItsOwn
		}
		return ""
	case "read-before-lock":
		if !own {
			return notItsOwn
		}
		return ""
	case "test-before-lock":
		switch {
		case !own:
			return notItsOwn
		case end.Mode == atomicity.Read && !(vanishes && (f.guarded() || f.clearedUnder(end.held))):
			return unharmed
		case c.Pattern == atomicity.TestAndUse && f.takesBackAlone(end):
			return idempotence
		case end.Method == "delete" && f.entry.Kind == access.MapWhole && f.onlyLength(f.entry) && slices.ContainsFunc(f.trail.tests, func(test int) bool { return f.zeroEdge(test) >= 0 }):
			return idempotence // if m is empty there is nothing to delete, and that is looked at again with it
		}
	case "use-after-unlock", "store-after-unlock":
		switch {
		case !f.entry.held.Any(): // written under the lock by this very function
			return ""
		case end.Mode == atomicity.Read && !(vanishes && end.via == nil && !end.held.Any() && f.clearedUnder(f.entry.held) && f.refersTo(end) && f.ruleOf(end.occurrence) == ""):
			return unharmed
		case !own || !f.guarded():
			return notItsOwn
		}
	}
	if f.repeatable(c, end) {
		return idempotence
	}
	return ""
}

// repeatable says whether nothing is lost where two do what the test has led them to.
func (f *finding) repeatable(c *Candidate, end *hit) bool {
	return f.idempotent(end) && f.closes(end) == "" && !f.tellsWho(end) && !f.refusesSecond(end) && !f.refusesByPanic(end) && !f.refusesByReply(end) &&
		!f.appendsAgain(end) && !f.askedUnderLock(end) && !f.superseded(end) && !f.sourceChanges(end) && !f.callsBack(end) && !f.unsetWith(end) &&
		!f.replacesFailed(end) && !(c.Category == "test-before-lock" && f.replacesBeside(end))
}

// doubtUnlocked is doubt about accesses without any lock.
func (f *finding) doubtUnlocked(c *Candidate, end *hit) string {
	perhaps := len(f.entry.held) > 0 || len(end.held) > 0
	if perhaps {
		if c.Bare = f.calledBareToo(f.entry.held, end.held); c.Bare == nil {
			return "perhaps a lock is held"
		}
	}
	if f.madeAnew(f.entry) {
		return "the function has made the object itself"
	}
	if c.Pattern == atomicity.TestAndUse {
		switch {
		case end.Mode != atomicity.Write && f.clearedBeside(end):
			return ""
		case end.Mode != atomicity.Write:
			return unharmed
		case !f.claims(end):
			return "more than the test decides about the act"
		case !f.acts(end) && f.idempotent(end):
			return idempotence // a default value
		case f.reach >= shared.Meant && f.ends() && f.acts(end):
			return ""
		}
	}
	if f.entry.Kind == access.Element && f.ownIndex() {
		return ownElements
	}
	// A type with a lock that does not use it for this variable has another
	// rule for it, such as a goroutine that owns it.
	if f.guarded() || f.guardedThere() || perhaps && ofItsObject(f.entry.held, f.entry.place) {
		return ""
	}
	// Objects that are handed from call to call mostly belong to one goroutine,
	// though some be shared.
	if f.shared.Launched(f.body) && f.handedOver() && (f.reach == shared.Shared || f.reach == shared.Listed && !f.holderLocks()) {
		return ""
	}
	if f.locksAsWell(c, end) || f.lazily(c, end) || f.guardedFurtherOn(end) {
		return ""
	}
	if (f.shared.Contracted(f.body) || f.closesConn(end)) && f.isReceiver(f.entry.Base) && f.isReceiver(end.Base) {
		return ""
	}
	if f.isReceiver(f.entry.Base) && f.besideItself() || f.entry.Kind != access.Atomic && end.Kind == access.Atomic && end.sameInstance(f.entry) {
		return "" // nobody adds atomically to what one goroutine owns
	}
	return "one goroutine may own the object"
}

// vanishes says whether the end is a second Load of a pointer that the first one was
// compared with nil, whose result is used without a look, while some function stores nil.
func (f *finding) vanishes(end *hit) bool {
	call, ok := end.Expr.(*ast.CallExpr)
	if !ok || end.Mode != atomicity.Read || !pointers(f.pkg.Info.TypeOf(call)) {
		return false
	}
	used := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && ast.Unparen(sel.X) == ast.Expr(call) {
			used = true
		}
		return !used
	})
	return used && f.storesNil(end.Var)
}

// storesNil says whether some function, constructors aside, stores nil into the atomic
// variable, itself or by a setter.
func (f *finding) storesNil(v access.Var) bool {
	for _, b := range f.pkg.Bodies {
		if f.shared.Constructing(b) {
			continue
		}
		for _, o := range f.states[b].order {
			values := o.stores
			if o.via == nil {
				values = stored(o.Access)
			}
			if o.Var == v && o.Mode == atomicity.Write && len(values) == 1 && f.pkg.Info.Types[values[0]].IsNil() {
				return true
			}
		}
	}
	return false
}

// staleIndex says whether the end cuts the slice at an index that was found in what
// the entry has read: others may have moved what stood there.
func (f *finding) staleIndex(end *hit) bool {
	found := false
	at := func(of ast.Expr, index ...ast.Expr) {
		if f.pkg.PlaceOf(of) != f.entry.place || !f.entry.place.Valid() {
			return
		}
		for _, i := range index {
			if i != nil && f.pkg.Info.Types[i].Value == nil {
				_, mine := f.values.of(i)[f.entry.Access]
				found = found || mine
			}
		}
	}
	for _, v := range stored(end.Access) {
		ast.Inspect(v, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.SliceExpr:
				at(x.X, x.Low, x.High)
			case *ast.CallExpr:
				if fn := f.locks.Callee(x); fn != nil && fn.Pkg() != nil && cutters.MatchString(fn.Pkg().Path()+"."+fn.Name()) && len(x.Args) > 1 {
					at(x.Args[0], x.Args[1])
				}
			}
			return !found
		})
	}
	return found
}

// cutters are the functions that take out or put in what stands at an index.
var cutters = pattern.New(`^slices\.(Delete|Insert|Replace)$`)

// handedOver says whether it is surely a shared object that the variable is part
// of: goroutines begin with the body and get it, or every call that leads here
// hands over such an object.
func (f *finding) handedOver() bool {
	return f.shared.Begins(f.body) || !f.shared.Mixed(f.entry.place.Root)
}

// holderLocks says whether the type that the variable is a field of is made for
// concurrent use.
func (f *finding) holderLocks() bool {
	if e := f.entry; e.via != nil && e.Var.Obj.Pkg() != f.pkg.Types {
		return slices.ContainsFunc(facts.Holders(e.place), f.shared.Concurrent)
	}
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
// is part of, or to the package, or guards the variable in most functions.
func (f *finding) ownLock(held locks.Set) bool {
	u := f.shared.Use(f.entry.Var)
	for l, m := range held {
		if m == locks.Possible || l.Root == nil {
			continue
		}
		global := accesses.IsGlobal(l.Root) && (l.Root.Pkg() == f.pkg.Types || l.Root.Pkg() == f.entry.Var.Obj.Pkg())
		if f.entry.place.In(f.shared.LockOwner(l)) || global || u != nil && u.GuardedBy(locks.ClassOf(l)) {
			return true
		}
	}
	return false
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
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

// refersTo says whether the body uses what the variable refers to where the end reads it:
// x.f.g or x.f().
func (f *finding) refersTo(end *hit) bool {
	found := false
	ast.Inspect(f.body.Block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || ast.Unparen(n.X) == end.Expr
		case *ast.CallExpr:
			found = found || ast.Unparen(n.Fun) == end.Expr
		}
		return !found
	})
	return found
}

// clearedUnder says whether all other functions that set the variable to nil do so under
// one of the locks.
func (f *finding) clearedUnder(held locks.Set) bool {
	cleared := false
	for b := range f.shared.Use(f.entry.Var).Clearers() {
		if b.Outermost() == f.body.Outermost() {
			continue
		}
		for _, w := range f.states[b].order {
			if w.Var != f.entry.Var || w.Mode != atomicity.Write || w.via != nil {
				continue
			}
			cleared = true
			if !slices.ContainsFunc(held.Places(), func(l accesses.Place) bool { return w.lockOf(locks.ClassOf(l)).Valid() }) {
				return false
			}
		}
	}
	return cleared
}

// nilled says whether some function other than this one takes away what the
// variable holds: sets it to nil or cuts it short.
func (f *finding) nilled() bool {
	u := f.shared.Use(f.entry.Var)
	return u.Clears()
}
