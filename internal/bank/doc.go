// Package bank runs the concurrent programs of testdata/programs many times
// and counts what came of it: the evaluation of papers/001 section 6, in which
// the first program was a bank.
//
// A Program is a directory below testdata/programs/fail or
// testdata/programs/success, or testdata/programs/detect. Each brings its own oracle, and all speak the same
// protocol: a program whose result is right prints a line "ok: …" on standard
// output and exits with status 0; one whose invariant broke prints "WRONG: …"
// and exits with status 1. It never hangs. Programs in fail are broken on
// purpose (their doc comment says which sequence is not atomic), and so are those in
// detect, where it shows rarely; programs in success are right, and nothing may ever
// be reported on them.
//
// A Builder turns a Program into a binary: the plain go command, go build
// -race, or atomrace. Measure runs the binary as often as Options say, spread
// over the processors and each run under a watchdog, and returns a Tally; Alternate
// does so with several Contenders by turns, so that all meet the same machine.
// WriteText and WriteMarkdown print tallies as the tables of the documentation.
//
// The package looks at programs from the outside only: at their exit status
// and their output. It imports neither heal nor the analyzers, so that it
// measures what a user would see.
package bank
