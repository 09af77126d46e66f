package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Doubts about harm: others may well come in between, but then nothing is lost. A run that shows
// that they do does not settle these. Of the others, most of which are about who comes, or which
// lock is whose, it tells more than the code.
const (
	idempotence      = "to do it twice is to do it once"
	unharmed         = "what is used afterwards does no harm"
	onlyReadAgain    = "the variable is only read again"
	eitherErrorTells = "the first error or the last one: either tells"
	calledAnyTime    = "what it calls then may be called at any time"
	knownByComment   = "a comment says that it is known"
	comparedAnew     = "what was looked at is compared again"
	changedAtOnce    = "the variable is changed in the critical section that looked at it"
	nextTurnLooks    = "the next turn of the loop looks afresh"
	looksForItself   = "the second call looks for itself"
	conditionLooks   = "the condition looks at it again"
	readOnceMore     = "it is read again, into the same local"
	oneLetIn         = "what it calls lets one goroutine alone come to the act"
	settledBeside    = "what decides about it is looked at again, and settled"
	countedOutAnyway = "what it has counted in is counted out, whatever the test says"
	othersOnlyAdd    = "one goroutine takes what others only add"
	answersItself    = "the call answers whether it has found what was tested"
	waitsForChange   = "it waits for others to change what it looked at"
	takesFlagBack    = "it takes a flag back, as everybody would"
	storesTheSame    = "it stores what the variable has already"
	claimedByAnother = "another variable was tested and set before"
	anElection       = "an indivisible operation has chosen one goroutine"
	countedAnew      = "the count is looked at again"
	boundIsSoft      = "the bound is a soft one"
)

var aboutHarm = map[string]bool{
	idempotence: true, unharmed: true, onlyReadAgain: true, eitherErrorTells: true, calledAnyTime: true, knownByComment: true,
	comparedAnew: true, changedAtOnce: true, nextTurnLooks: true, looksForItself: true, conditionLooks: true, readOnceMore: true,
	oneLetIn: true, settledBeside: true, countedOutAnyway: true, othersOnlyAdd: true, answersItself: true, waitsForChange: true,
	takesFlagBack: true, storesTheSame: true, claimedByAnother: true, anElection: true, countedAnew: true, boundIsSoft: true,
}

// Others that stand in several places.
const (
	nothingDone = "nothing is done on the way"
	aRandomKey  = "the key is drawn at random"
)

// noHarm says why none of the ends does harm when the section is broken, as far as can be seen;
// or nothing. The doubt about the candidate settles that for the end that is open, if it is one
// about harm.
//
// A run that shows the section broken has told more than check knows, so that more is asked for
// here: accesses that are synchronised, one by one, and of what is done twice, that nothing but
// a value is.
func (f *finding) noHarm(c *Candidate, open *hit, ends []*hit) (why string) {
	if c.Doubt == "" || !synchronised(f.entry) {
		return ""
	}
	for _, end := range ends {
		if protects(end.kept, end.Mode == atomicity.Write) {
			continue
		}
		if !synchronised(end.occurrence) {
			return ""
		}
		switch spared := f.spared(c, end); {
		case end == open && aboutHarm[c.Doubt]:
			why = c.Doubt
		case aboutHarm[spared]:
			why = spared
		case c.Pattern == atomicity.TestAndUse && f.repeatable(c, end):
			why = idempotence
		default:
			return ""
		}
		switch {
		case why == idempotence && (f.leavesObject(end) || f.updatesBeside(end)):
			return ""
		case why == eitherErrorTells && end.Mode == atomicity.Read:
			return "" // the error that is returned is not the one that was looked at
		}
	}
	return why
}

// synchronised says whether the access is atomic, or under some lock.
func synchronised(o *occurrence) bool {
	return o.Kind == access.Atomic || o.Kind == access.SyncMap || o.held.Any()
}

// leavesObject says whether the end stores what refers to something: of two that are stored one
// after the other, some go on with the first.
func (f *finding) leavesObject(end *hit) bool {
	values := stored(end.source())
	if end.via != nil && len(end.stores) > 0 {
		values = end.stores
	}
	return slices.ContainsFunc(values, func(v ast.Expr) bool { return refersOn(f.pkg.Info.TypeOf(v), 0) })
}

// refersOn says whether a value of the type has a pointer in it, strings aside.
func refersOn(t types.Type, depth int) bool {
	switch {
	case t == nil || depth > 5:
		return true
	case isTime(t):
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	case *types.Array:
		return refersOn(t.Elem(), depth+1)
	case *types.Struct:
		for field := range t.Fields() {
			if refersOn(field.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}

// updatesBeside says whether something else is counted where the tests of the entry lead to: it
// is counted twice then.
func (f *finding) updatesBeside(end *hit) bool {
	return slices.ContainsFunc(f.order, func(w *occurrence) bool {
		return w.Var != f.entry.Var && w.Mode == atomicity.Write && (w.Update != nil || adds(w.Access)) && f.reachOf(w) != shared.Private && f.decided(f.trail.tests, w.block)
	})
}
