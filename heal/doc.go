// Package heal is the runtime of atomrace: the hooks that the rewriter puts
// around the accesses of a program, and what they do there. It implements
// AtomRace (papers/001): data race detection (Figure 2), atomicity violation
// detection (Figure 3), noise injection (section 3.3) and healing (section 5).
//
// A hook finds the Location of its access in a table that was compiled into
// the program, and its goroutine and open sections in the Frame of the
// function's activation. There are two families: hooks with a Frame, for
// variables that have atomic sections, and the light ones (Peek, Mark, …) for
// the race detection of all others. hooks.go is the place to begin reading.
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
// report.go, tally.go and output.go are what happens to a violation that was
// found; text.go and members.go, without a build tag, say what it is. With the
// tag atomrace_off, off.go stands in for everything else.
//
// Programs configure the package by the environment variable ATOMRACE, for
// instance ATOMRACE="heal=lock noise=random:50/50us exitcode=66"; see options
// in config.go. People may use OnViolation, Stats, Sections and Enabled.
//
// The package is linked into production programs. It imports the standard
// library alone, never panics, starts no goroutine and no timer that outlives
// a call, blocks only within a bound, and ends the program only in Exit.
package heal
