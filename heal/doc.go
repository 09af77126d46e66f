// Package heal is the runtime of atomrace: the hooks that the rewriter puts
// around the accesses of a program, and what they do there. It implements
// AtomRace (papers/001): data race detection (Figure 2), atomicity violation
// detection (Figure 3), noise injection (section 3.3) and healing (section 5).
//
// A hook finds the Location of its access in a table that was compiled into
// the program, and its goroutine and open sections in the Frame of the
// function's activation. There are two families: hooks with a Frame, for
// variables that have atomic sections, and the light ones (Peek, Mark, …) for
// the race detection of all others; updates, which are sections of one statement, have
// hooks of their own without a Frame (update.go). hooks.go is the place to begin reading.
//
// One thing differs from the paper, which monitors one goroutine a variable at a
// time: here everybody inside a section is monitored, each as in Figure 3. With
// one, whoever came second was only a suspect, so that the update it lost was
// nobody's, and after the first had left nobody knew that it was still inside.
// On the programs of testdata/programs/fail, 30 runs each with
// noise=random:50/50us, getset was wrong in 13 and reported in 12, and under
// heal=yield rlockupgrade was wrong in 30 and reported in none. Now getset is
// reported in every run that is wrong, and under heal=yield none is wrong.
//
// A section may be over a set of variables that belong together, which is one more
// variable with every access to a member: sets.go.
//
// What watching costs is kept within a budget by leaving the hooks out of whole
// activations, of all goroutines at the same time: budget.go. That only misses. Which
// body an activation runs is decided once, so that whoever sets a mark takes it away, and
// whoever opens a section closes it. What it costs is measured by counting activations,
// which costs something as well: budgetcount.go says who counts.
//
// report.go, tally.go and output.go are what happens to a violation that was
// found; text.go, members.go and value.go, without a build tag, say what it is. With the
// tag atomrace_off, off.go stands in for everything else.
//
// Programs configure the package by the environment variable ATOMRACE, for
// instance ATOMRACE="heal=lock noise=random:50/50us exitcode=66"; see options
// in config.go. What noise does while it delays a goroutine, sleep, yield or spin, is
// said by noise=random:50/50us/busy: pause.go. People may use OnViolation, Stats, Sections, SetPolicy, Suspend and
// Enabled.
//
// # Why healing ends
//
// policy.go says which policy is in force where, lock.go is the healing lock; who has
// which lock is written down a second time, in lockmodel_test.go, as the reference of
// FuzzHealing. A goroutine waits in heal for a healing lock or, under PolicyYield, for
// somebody's stay, and for nothing else but guards that are held for some dozen
// instructions.
// Both waits poll, and patience.go bounds them: for one owner by ATOMRACE's wait,
// for all of them together by 50 times that. So the worst that healing does is to
// be late. What keeps it from being late, or late again and again:
//
//  1. Holds: the rewriter takes the lock ahead of the program's own lock in every
//     critical section that touches the variable, so that the order is one. Where
//     it cannot, or the Hold was in vain, or there was nothing to heal yet when the
//     critical section began, the access within does not wait (inVain).
//  2. Assurance: PolicyAuto takes the lock only for sections for which the rewriter
//     has shown that what runs under it waits for nobody who may need it.
//  3. waitfor.go: a wait that closes a cycle of healing locks is given up at once. It
//     says, too, why locks of the program are not looked at, and what that costs.
//  4. An owner that was waited for in vain, because it is parked or waits for a lock
//     of the program that we hold, is not waited for again until it gives the lock
//     back (healingLock.lost).
//  5. fallback.go: a variable for which too many waits were in vain is healed by
//     yielding.
//
// A lock is given back when its last count is: at the end of the section, or by
// Frame.End, which the rewriter defers in every function that enters a section or
// has a Hold, and which so runs on return, panic and Goexit. A goroutine does not
// die in any other way while its program lives, so that no lock stays behind with a
// dead owner. One that is recursive, or in several sections, counts; a goroutine
// that it starts is another goroutine, and waits like one.
//
// The package is linked into production programs. It imports the standard
// library alone, never panics, starts no goroutine and no timer that outlives
// a call, blocks only within a bound, and ends the program only in Exit.
package heal
