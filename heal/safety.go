//go:build !atomrace_off

package heal

// Why there is no false alarm.
//
// A program is correct with respect to a variable v when any two accesses to v
// of which one writes are ordered by happens-before, and when no foreign
// access that a section's end point forbids is ordered between the section's
// entry and that end. The argument below shows that heal reports nothing on
// such a program. It rests on where the hooks stand: directly around the
// access, with no synchronising operation of the program in between (the
// rewriter evaluates operands first), so that whatever is ordered with an
// access is ordered with its hooks, too. Two kinds of access need care: calls
// that are synchronising operations themselves (sync/atomic, sync.Map), and
// accesses to stacks, which move.
//
// 1. Sections (Figure 3). Let goroutine A be in a section over v from the entry
// access e to the end x, and let B access v at a, with its hook h before a. The
// section is in A's cell from the hook before e until the hook after x. All
// hooks of v take one guard, so there is one order, and its clock ticks in that
// order. B becomes a suspect in A's cell only if h finds A's section there, and
// counts only if the tick of h is not less than the section's start. If a
// happens before e, some release after a reaches an acquire before e; neither
// lies inside a hooked access, hence h, which is before a, comes before the
// section opens: it is not there, or for another section of A that is there the
// tick is too low for this one. If x happens before a, some release after x
// reaches an acquire before a; the section is closed between x and that release,
// h comes after the acquire, and does not find it. A suspect is therefore an
// access that is ordered between e and x, which is what the section forbids, or
// one that is not ordered with them at all, which is a data race on v. Nothing
// in this depends on who else is inside: the cells of several goroutines are
// judged one by one, and B may well be inside itself.
//
// A hook that must first capture a stack gives up the guard for it, and then
// takes a new tick: h is the later of the two moments, still before a. Several
// accesses at one location are one suspect, with the ticks of the first and the
// last; each of these two happened, and only they are compared.
//
// 2. Calls. If x is an atomic store, B may see its value and go on while A has
// not reached the hook after x. So for accesses that are calls the bounds are
// drawn inside: a section that such an entry opened starts at the hook after
// it, one that such an end closes stops at the hook before it, and a call is a
// foreign access only from the hook before it to the hook after it; all of
// that must lie in between, by the ticks of the clock. A section that was opened
// after the hook before the call has a higher start, and does not count it.
// Then the interleaving e, a, x has been seen to happen, whatever orders it.
// Where two ends that are calls overlap in time, one of the two sections is
// broken, but it cannot be told which, and neither is reported.
//
// 2a. Activations that rest (budget.go) have no hooks, and what has no hook is nobody's
// suspect. That a section is closed by its owner before anything is ordered after it is
// true all the same: if whoever comes to an end has passed the entry in the same activation,
// that runs all hooks of the section or none. Where it may be otherwise (Section.Apart: an
// end in a literal, or in the same function called again meanwhile, or one that others
// range over), the end might be in an activation that rests, and the section last until
// another one. So such a section tells nothing if it began while activations rested, or they
// have begun to since (opened.tells). restTurns, which says so, is raised before anybody is told
// to rest and after everybody was told to watch. If the activation with the end was told to
// rest before the section began, it was odd then, or the activation would have been
// told to watch, which was stored before it became even; if it was told later, it was
// raised before, and the one who judges, under the guard that is taken after that
// activation by the same goroutine, loads what it was raised to. (Only in the body of a range over a
// function can a section begin in an activation that is not the innermost one, while one that
// rests goes on; the rewriter has a function with such a loop and such a section in the
// program once.) What was told is loaded plainly, restTurns
// under the guard: taking it orders both on arm64, too.
//
// 3. Data races (Figure 2). A mark is one word, stored plainly, and cleared by
// its own goroutine after the access, always, unless another mark stands in its
// place by then, which cannot give way to it again: what can panic in a window is
// excluded (nil maps, keys that cannot be compared), and Frame.End clears what
// a panic leaves. Suppose B, before its access b, loads a mark that A stored
// before its access a, and the two are ordered. If a happens before b, so does
// A's clear, which follows a before any release; coherence forbids B to load
// the older mark after a newer store that happens before its load. If b
// happens before a, B would have loaded a store that happens after the load,
// which no memory model allows; so they are unordered, and if their bytes
// overlap and one of them writes, they race. Nothing is needed but coherence
// of one word, which arm64 has as well as amd64. Stores that get lost, and
// marks that collide in a slot and overwrite each other, only hide races: a
// word names its granule and bytes exactly, so a collision is no match.
// Windows of one goroutine never nest, so a mark seen is a foreigner's. Under
// noise a reader has a mark, too, which it takes away just before it reads:
// whatever is ordered with the read is ordered with that window as well, since
// no synchronisation of the program lies in between.
//
// 3a. Quick sections (quick.go). Their word is a plain store as well, and the
// argument is that of the marks: B reveals a section only by a compare-and-swap
// that finds A's word, before B's own access. If B's access happens before A's
// entry, B would have read a store that happens after it; if A's end happens
// before B's access, A has taken its word back by then, and coherence forbids B
// to find it. (Its end is a hook of the activation in which it began: a section that
// may end in another one is not quick. For the cells of argument 1 that does not matter,
// as they are the goroutine's.) What B reveals has begun, for whoever judges, at the tick
// at which it was revealed, no earlier than it really began, and is over what B accesses:
// A compares that with what its section is over. A's plain store may overwrite
// the flag, at the very moment of its end or of another's beginning; then the
// cell is a remainder. It is told by the word, which is not its owner's flagged
// one any more, or has just been flagged anew, and is dropped before anybody
// looks at it. Lost flags and words only hide violations.
//
// 3b. Fast sections (fast.go), which are healed, have a word that is only swapped,
// never stored over. B makes a cell for the owner A when it asks for a healing lock
// and finds A's word, under the guard and before B's own access; what it reveals has
// begun at that tick, and A takes it over only if it is over the same instance. A's
// end gives the word back before anything that follows it, so that what is ordered
// after the end does not find it. Updates (update.go) are quick or fast sections whose
// hooks stand together before the read and after the write; nobody's access is ordered
// between the two who is not ordered between these hooks.
//
// 3c. Sets of variables (sets.go). An access to a member is one to the set, whose
// hooks stand around those of the member, with nothing of the program in between: what
// is ordered with the access is ordered with them. The section over the set is then one
// as in 1., over a variable whose accesses are those to all the members. All healing of
// the access comes before the first observation, so that nobody is a suspect while it
// still waits.
//
// 4. Identity. An address names an instance only as long as the memory is not
// used for another. A heap object stays alive while a section over it is open,
// for the Frame's record points to it, and while a race window is open, for
// the access is still to come. Stack addresses move when the stack grows, and
// the old memory may become anybody's: but only its own goroutine can reach a
// variable on a stack, so such accesses are not watched at all; onOwnStack
// decides that at a point where the stack cannot move. A goroutine's tag is
// reused after its death; its Frames have closed everything by then.
//
// 5. Sections that nobody meant. A loop that comes back to the entry without
// having passed an end point or an atomExit starts the section anew, so that
// two critical sections are not taken for one. A section that the
// specification describes wrongly will be reported when it is broken; the
// person who curates the specification marks it rejected.
//
// What heal misses, on purpose: goroutines beyond maxMonitored in sections over
// one instance, quick sections beyond those a Frame has room for or that begin
// while a caller's holds the word of their bucket, suspects beyond history, a section that ends while an intruder's
// stack is captured, accesses in code without hooks, races whose windows never
// meet.
//
// The race detector. heal's own synchronisation is hidden from it (quiet,
// loud, go:norace), so that it neither orders the host's goroutines nor is
// accused; the healing lock alone is visible, for it really does order them. A
// claim is advice, and stays hidden.
