package section

import (
	"cmp"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Analyzer computes the []*Candidate of a package, sorted by position.
var Analyzer = &analysis.Analyzer{
	Name:             "section",
	Doc:              docs.Extract(doc, "section"),
	URL:              docs.URL("section"),
	Requires:         []*analysis.Analyzer{Effects},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]*Candidate](),
}

// search is the state of the search in one body.
type search struct {
	mu     sync.Mutex // Effects' result is used by several analyzers, one at a time
	pass   *analysis.Pass
	pkg    *accesses.Package
	locks  *locks.Result
	shared *shared.Result

	*bodyState // of the body that is searched
	states     map[*accesses.Body]*bodyState
	callable   *callable // see uncalled
	traced     map[*access.Function]*values
	known      map[*types.Func][]effect
	taking     map[*types.Func][]effect // see unlessEmpty

	mutations map[*types.Func]mutation
	switched  map[switching]mutation // see mutatesWithout
	mutating  map[*accesses.Body][]mutatingCall
	imports   facts.Imports
	found     []*Candidate

	// Summed up for the package at first use.
	chans      map[access.Var]*channelUse
	conds      map[string]*condUse
	closedIn   []closedElement // nil until asked for
	contracts  map[*types.Func][]lockedCall
	atomicVars map[access.Var]map[string]int
	passed     map[types.Object][]access.Var
	coupled    map[couple]*coupling
	closers    map[access.Var]map[*accesses.Body]bool // see closedElsewhere
	leading    map[access.Var]bool                    // the first of some couple
	writers    map[access.Var]map[*accesses.Body]bool
	gates      map[access.Var]bool                    // see semaphores
	fieldDocs  map[token.Pos]string                   // see fieldComment
	callers    map[*types.Func][]*accesses.Body       // see callersOf
	plain      map[*types.TypeName]int                // see plainlyWritten
	computers  map[*types.Func]bool                   // see computes
	oneStep    map[types.Type]bool                    // see inOneStep
	contests   map[access.Var]bool                    // see contested
	remote     map[access.Var]map[*accesses.Body]bool // who writes variables of other packages
	kept       map[*accesses.Body][]*types.Var        // see keptParams
	settled    map[access.Var]bool                    // see setOnce
	comments   map[types.Object]string                // see commentOf
	emptied    map[access.Var][]*removal              // see removals
	growths    map[*types.Func]growth                 // see growthOf
	computed   map[*types.Func][]*occurrence          // see computedFrom
	recompute  map[*types.Func][]recompute            // see recomputes
	waiters    map[*types.Var]map[*accesses.Body]bool // who waits for a group, see awaited
	byVar      map[access.Var][]placed                // see ownAccesses
	informers  map[*accesses.Body]bool                // see informs
	writerRule map[access.Var]string                  // see writtenUnder
	interfaces map[*types.TypeName]bool               // see namedInterfaces
	startedBy  map[*types.Func]bool                   // see startedForEach
	namings    map[*types.Func]int                    // see mentioned
	besides    map[*types.Func]bool                   // see besideItself
	lockMade   map[*types.Var]bool                    // see madeWithLock
	partKeys   map[access.Var]string                  // see keyPart
	shown      map[shownType]bool                     // see shownLocked

	closings     map[access.Var]map[*accesses.Body]closeCall // see closersOf
	announcing   map[access.Var][]*types.Var                 // see announcers
	strandedOn   map[access.Var]bool                         // channels that strands has told of
	countsGone   map[*types.Var][]countRemoval               // see countRemovals
	nilled       map[access.Var][]placed                     // see nilledIn
	unmade       map[access.Var][]failedReplace              // see failing
	accessedIn   map[*types.Var]map[*accesses.Body]bool      // see accessors
	fallsAwaited map[types.Object]bool                       // see waitedToFall
	innerUses    map[*types.Var][]innerUse                   // see innerUsesOf
	syncUses     []syncChannel                               // see syncChannels
	asking       []asker                                     // see askers
	asserted     map[*types.Var]bool                         // see closedAsserted
	lendsPooled  map[*types.Func]bool                        // see fromPool

	lately lately
}

func run(pass *analysis.Pass) (any, error) {
	s := pass.ResultOf[Effects].(*search)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pass = pass
	if locks.ImplementsSync(pass.Pkg.Path()) {
		return []*Candidate(nil), nil
	}
	for _, b := range s.pkg.Bodies {
		s.stateOf(b)
	}
	for _, b := range s.pkg.Bodies {
		s.bodyState = s.states[b]
		for _, e := range s.order {
			if e.Mode == atomicity.Read && !s.final(s.bodyState, e) || s.outdone(e) {
				s.from(e)
			}
		}
		// The order matters: where two searches tell of the same places, the first one is
		// heard, and some ask what is told already (they go through s.found), such as
		// closedMeanwhile, endedTwice, twoLocks, oneLock and twoSteps.
		s.closing()
		s.restarted()
		s.formerClears()
		s.eachCloses()
		s.besideOnce()
		s.onceAnew()
		s.raisedAgain()
		s.onceCopied()
		s.twoEvents()
		s.loopsClose()
		s.endsAsWell()
		s.timesOut()
		s.sending()
		s.refusedBelow()
		s.arms()
		s.countedFirst()
		s.polled()
		s.closedMeanwhile()
		s.receiverCloses()
		s.receivedNil()
		s.leftLoop()
		s.leftArm()
		s.closedApart()
		s.leftRunning()
		s.leftOwnField()
		s.endlessSender()
		s.closedBeforeOff()
		s.wokenOnce()
		s.lockedEachTurn()
		s.stranded()
		s.endedByMessage()
		s.early()
		s.announced()
		s.versioned()
		s.closedEarly()
		s.takenChannels()
		s.removedAndClosed()
		s.closedWithAll()
		s.inSyncMap()
		s.pooledMeanwhile()
		s.leftClosed()
		s.endedTwice()
		s.listedTwice()
		s.closedAndLeft()
		s.deletedUnasked()
		s.waiting()
		s.waitsApart()
		s.fallsAsleep()
		s.newsMissed()
		s.unheard()
		s.watchedLate()
		s.sleptOver()
		s.signalledBefore()
		s.endedUnlocked()
		s.toldEarly()
		s.leavesIdle()
		s.ensured()
		s.empty()
		s.mixed()
		s.overwritesSync()
		s.unguarded()
		s.handsMap()
		s.packageCache()
		s.lockedToSet()
		s.otherLock()
		s.lockOfEach()
		s.elementUnguarded()
		s.twoLocks()
		s.ofTwins()
		s.flagUnderTwo()
		s.flagBelow()
		s.outerLock()
		s.halfGuarded()
		s.readBeside()
		s.refreshed()
		s.servesAfter()
		s.oneLock()
		s.elementUpdates()
		s.collectedReads()
		s.polledBare()
		s.onceElsewhere()
		s.besideGoroutine()
		s.writtenByOwn()
		s.readByOwn()
		s.notAwaited()
		s.leftBehind()
		s.setBesideOwn()
		s.bothWays()
		s.bareAfterLocked()
		s.capturedBare()
		s.readsUnwaited()
		s.mapsOfRequests()
		s.mixedUp()
		s.shownBare()
		s.pastInit()
		s.noneOfThose()
		s.noneThere()
		s.computedAgain()
		s.startedUnder()
		s.begunUnder()
		s.doubleChecked()
		s.derived()
		s.recomputed()
		s.uncounted()
		s.letInLate()
		s.foundThenCounted()
		s.enteredLate()
		s.waitedAhead()
		s.dispatchesAfter()
		s.countedLater()
		s.lastReference()
		s.orphaned()
		s.lockRemoved()
		s.countGone()
		s.revived()
		s.revivedBelow()
		s.halfRemoved()
		s.takenPlaces()
		s.ownPlaces()
		s.ownReplaced()
		s.ownLeaves()
		s.claimedTwice()
		s.claimedListed()
		s.givenBack()
		s.validatedApart()
		s.filledOver()
		s.ownPosition()
		s.countedApart()
		s.startedFirst()
		s.overfull()
		s.flagFirst()
		s.triedOnce()
		s.spinsStale()
		s.wonFirst()
		s.drawnAfter()
		s.foundGone()
		s.usedUnasked()
		s.swappedAway()
		s.replacedTwice()
		s.loadedAndEnded()
		s.comparedFormer()
		s.askedAgain()
		s.acquiredLate()
		s.askedUnlocked()
		s.closesAhead()
		s.sentByStarted()
		s.closedByHub()
		s.servesAhead()
		s.copiedThenRead()
		s.advancedFirst()
		s.replacedApart()
		s.countedOut()
		s.startsFor()
		s.markedInside()
		s.stoppedTimers()
		s.armedAnew()
		s.swappedOut()
		s.untold()
		s.writtenLate()
		s.addedLate()
		s.addedUnasked()
		s.sweptAhead()
		s.storedLate()
		s.pointedTo()
		s.lastOut()
		s.outdated()
		s.entryFields()
		s.lastElement()
		s.lostStates()
		s.mutators()
		s.drawsUnlocked()
		s.readHolders()
		s.writtenReading()
		s.notesUse()
		s.aliasReading()
		s.broken()
		s.calledWithout()
		s.dropped()
		s.freshOld()
		s.onCopy()
		s.drawnTwice()
		s.drawnApart()
		s.putBack()
		s.rolledBack()
		s.begunAnew()
		s.storedOver()
		s.givenBackTwice()
		s.setLater()
		s.torn()
		s.setInTurn()
		s.clearedApart()
		s.listedApart()
		s.takenThenAsked()
		s.paired()
		s.acrossMaps()
		s.split()
		s.countedUnasked()
		s.countedByLook()
		s.storesChanged()
		s.registering()
		s.registeredLate()
		s.twoSteps()
		s.lengths()
		s.lengthAsked()
		s.measuredFirst()
		s.copyIndexes()
		s.dismantled()
		s.unreplaced()
		s.lowered()
		s.putInNil()
		s.untilRemoved()
		s.elements()
		s.escapes()
		s.innerEscapes()
		s.shifted()
		s.reused()
		s.sentKept()
		s.pooledBytes()
		s.usedAfterPut()
		s.clonedApart()
		s.writtenKept()
		s.sortedOutside()
		s.foundIndex()
		s.sentMaps()
		s.innerOfSync()
		s.swept()
		s.takenFromAll()
		s.thereOnly()
		s.firstOfHeap()
		s.returnsInner()
		s.renewedSignals()
	}
	s.atCalls()
	// Files are read in parallel, so that positions in two of them are in any order.
	index := map[*token.File]int{}
	for i, file := range pass.Files {
		index[pass.Fset.File(file.Package)] = i
	}
	in := func(c *Candidate) int { return index[pass.Fset.File(c.Pos)] }
	slices.SortStableFunc(s.found, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(in(a), in(b)), cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.EndPos, b.EndPos), sureFirst(a, b))
	})
	s.found = slices.CompactFunc(s.found, func(a, b *Candidate) bool {
		return a.Section == nil && b.Section == nil && a.Pos == b.Pos && a.EndPos == b.EndPos && a.Name == b.Name
	})
	s.once()
	s.number()
	s.doubtWhole()
	return s.found, nil
}

// sureFirst orders what is said of the same positions.
func sureFirst(a, b *Candidate) int {
	switch {
	case a.Sure == b.Sure:
		return 0
	case a.Sure:
		return -1
	}
	return 1
}

// once takes back what is said of two variables where something is said already
// of the first of them.
func (s *search) once() {
	said := map[token.Pos]bool{}
	for _, c := range s.found {
		if c.Sure && c.Analyzer != "multivar" {
			said[c.Pos] = true
		}
	}
	for _, c := range s.found {
		if c.Analyzer == "multivar" && said[c.Pos] {
			c.Sure = false
		}
	}
}

// number gives every section its id.
func (s *search) number() {
	n := map[[2]string]int{}
	for _, c := range s.found {
		if c.Section == nil {
			continue
		}
		k := [2]string{c.Section.Function, c.Name}
		n[k]++
		c.Section.ID = atomicity.SectionID(c.Section.Function, c.Name, n[k])
	}
}
