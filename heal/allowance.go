//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"time"
)

// allowance is how long the delays of adaptive noise may still take, so that it has a
// bound for the run as a whole: a program with a thousand locations would else be
// delayed at each of them, and one that makes millions of accesses a second for hours at
// the strength that remains. Time flows in by the clock, as into a token bucket, and no
// more than that is saved up for busy times: in any span of the run delays take at
// most allowanceMost and allowanceShare of the span. Delays at the same time share theirs.
//
// Who wants to delay needs some left, the less the more the delay may tell (the kinds of
// places in adaptive.go): the places that are cold leave half of it to new ones, and those
// that were seen suspicious run into debt where nothing is left for new ones.
//
// Safe for concurrent use: two goroutines may both take what was left for one of them.
type allowance struct {
	left    int64 // nanoseconds; below zero: in debt
	filled  int64 // nanoseconds of the clock for which time has flown in
	delayed int64 // goroutines that are being delayed
}

const (
	// allowanceMost is more than thirty small programs with a bug in them want for all of
	// their delays (docs/detection.md).
	allowanceMost  = 2 * time.Second
	allowanceShare = 2 // one part in so many: half of the clock
	// What must be left for a delay.
	leftForCold      = allowanceMost / 2
	leftForNew       = time.Duration(0)
	leftForSuspected = -allowanceMost / 2
)

// delays is the allowance of the process.
var delays = allowance{left: int64(allowanceMost)}

// clockBegan is when the clock of the allowance began.
var clockBegan = time.Now()

// fill lets time flow in until now.
//
//go:norace
func (a *allowance) fill(now time.Duration) {
	filled := atomic.LoadInt64(&a.filled)
	passed := int64(now) - filled
	if passed < int64(time.Millisecond) || !atomic.CompareAndSwapInt64(&a.filled, filled, int64(now)) {
		return // who has moved the time on puts it in
	}
	for {
		left := atomic.LoadInt64(&a.left)
		full := min(left+passed/allowanceShare, int64(allowanceMost))
		if atomic.CompareAndSwapInt64(&a.left, left, full) {
			return
		}
	}
}

// take takes what a delay of d costs at the time now, if more than least is left, and
// reports whether it did, and how many goroutines are delayed by then, which share the cost.
//
//go:norace
func (a *allowance) take(now, least, d time.Duration) (delayed int64, ok bool) {
	quiet()
	defer loud()
	a.fill(now)
	if atomic.LoadInt64(&a.left) <= int64(least) {
		return 0, false
	}
	delayed = atomic.AddInt64(&a.delayed, 1)
	atomic.AddInt64(&a.left, -int64(d)/delayed)
	return delayed, true
}

// back is called when the delay of one of so many is over, with how much longer it took
// than it was meant to: on a busy machine others get the processor meanwhile.
//
//go:norace
func (a *allowance) back(delayed int64, longer time.Duration) {
	quiet()
	atomic.AddInt64(&a.delayed, -1)
	atomic.AddInt64(&a.left, -max(0, int64(longer))/delayed)
	loud()
}

// sinceBegan is the time by the clock of the allowance: 0 in a synctest bubble, whose own
// clock stands, so that nothing flows in there.
func sinceBegan() time.Duration {
	if inBubble() {
		return 0
	}
	return time.Since(clockBegan)
}
