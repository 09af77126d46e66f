//go:build !atomrace_off

package heal

import (
	"runtime"
	"time"
)

// Adaptive noise needs to know nothing about the program. Every location begins
// as one at which a delay may tell something, since much code with a bug in it
// runs once or twice in a test; each delay that tells nothing makes the next one
// there rarer and shorter, down to the strength that was asked for. Where others
// came in between, or near the variable, it cools down that much more slowly:
// the noise gathers at the locations and variables that were seen suspicious.
// What was learnt can be kept for the next run, see lessons.go. How long all delays
// together may take has a bound, see allowance.go.
//
// After so many delays the chance of the next one is half as high: where nothing was
// seen, where the variable was seen suspicious, and where the location itself was.
const (
	halvesUnknown  = 4
	halvesVariable = 16
	halvesLocation = 32
)

// coldAfter is after how many halvings a location is cold: what remains is little more
// than the strength, and waits for the rest; see allowance.go.
const coldAfter = 4

// maxTries is how far delays are counted.
const maxTries = 1 << 15

// heat is the chance of a delay at l, in the spot, in per mille, and what must be left of
// the allowance for it.
//
//go:norace
func (c *config) heat(l *Location, at spot) (perMille uint64, least time.Duration) {
	halves, least := uint16(halvesUnknown), leftForNew
	switch {
	case l.suspected:
		halves, least = halvesLocation, leftForSuspected
	case l.Var.info().suspected:
		halves, least = halvesVariable, leftForSuspected
	}
	const whole = 1000
	cooled := min(l.tries[at]/halves, 16)
	if cooled >= coldAfter {
		least = leftForCold
	}
	return c.noise.perMille + (whole-c.noise.perMille)>>cooled, least
}

// explore delays the goroutine at l if the adaptive noise wants that: for a random
// part of the duration, the longer the more a delay may tell.
//
//go:norace
func (c *config) explore(l *Location, at spot) {
	if runtime.NumGoroutine() < 2 {
		return // nobody could come in between
	}
	heat, least := c.heat(l, at)
	n := c.next()
	if c.decision(n) >= heat {
		return
	}
	part := c.decision(^n)%7 + 1 // eighths
	d := max(c.noise.duration/32, c.noise.duration*time.Duration(heat*part)/8000)
	start := sinceBegan()
	delayed, ok := delays.take(start, least, d)
	if !ok {
		return
	}
	if l.tries[at] < maxTries {
		l.tries[at]++
	}
	c.noise.delay.pause(d)
	delays.back(delayed, sinceBegan()-start-d)
}

// relock runs the noise between two critical sections of the program's own lock,
// while a section of f is open: who is waiting for that lock can get it there, while
// a delay under the lock only makes the others queue.
//
//go:norace
func (f *Frame) relock(c *config) {
	if c.noise.perMille == 0 || f.activation == nil || f.n == 0 {
		return
	}
	c.delay(f.record(f.n-1).entry, between)
}
