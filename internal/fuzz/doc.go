// Package fuzz runs a program many times under the scheduler, each time with
// another seed, and says what came of it: phase 2 of papers/000, and plain random
// testing. The program is a test binary or a program of a controlled build
// (package rewrite, Options.Control); each run is a process of its own, so that no
// run can disturb another, and a seed says all about a run.
//
// A [Campaign] runs the seeds and gathers a [Report]. Reports of the parts of one
// campaign, run on several machines, are put together by [Merge]; what is in them
// does not depend on the order in which the runs ended, so the same seeds give the
// same report wherever and in how many parts they were run, durations apart.
//
// The package builds nothing, and prints nothing but what [Report.Text] returns.
package fuzz
