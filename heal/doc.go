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
// Programs configure the package by the environment variable ATOMRACE, for
// instance ATOMRACE="heal=lock noise=random:50/50us exitcode=66"; see options
// in config.go. People may call OnViolation, Stats and Enabled.
//
// The package is linked into production programs. It imports the standard
// library alone, never panics, starts no goroutine and no timer that outlives
// a call, blocks only within a bound, and ends the program only in Exit.
package heal
