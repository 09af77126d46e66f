//go:build !atomrace_off

package heal

import (
	"math"
	"runtime"
	"time"
)

// delayKind is what a goroutine does while noise delays it.
type delayKind uint8

const (
	// delayUnsaid yields below a millisecond and sleeps above: a sleep below it would last
	// about a millisecond on an idle machine.
	delayUnsaid delayKind = iota
	// delaySleep sleeps: the processor is free for others, or idle. The sleep lasts as long
	// as the timers of the system have it.
	delaySleep
	// delayYield yields over and over until the duration is over: it goes on being one of those
	// that are ready to run. To yield once would not be a delay: where nobody else is
	// ready, or another processor is idle, it is over at once, and the duration would mean
	// nothing.
	delayYield
	// delayBusy spins: the goroutine keeps its processor, as one that computes, so that
	// those come in between that run on others.
	delayBusy
)

// delayNamed is the kind of that name; delayUnsaid if there is none.
func delayNamed(name string) delayKind {
	switch name {
	case "sleep":
		return delaySleep
	case "yield":
		return delayYield
	case "busy":
		return delayBusy
	}
	return delayUnsaid
}

// bubbleDelay is how long a delay may be inside a synctest bubble.
const bubbleDelay = time.Millisecond

// pause delays the goroutine for about d. Inside a synctest bubble nothing sleeps, see
// inBubble, and every kind is bounded by a count, for there the clock stands still while
// a goroutine runs.
func (k delayKind) pause(d time.Duration) {
	bubble := inBubble()
	if bubble {
		d = min(d, bubbleDelay)
	}
	switch {
	case k == delayBusy:
		spin(d, bubble)
	case !bubble && (k == delaySleep || k == delayUnsaid && d >= time.Millisecond):
		time.Sleep(d)
		runtime.Gosched()
	default:
		yields(d)
	}
}

// yields lets others run until d is over, once at least.
func yields(d time.Duration) {
	runtime.Gosched()
	if d == 0 {
		return
	}
	start := time.Now()
	for most := turnsIn(d); most > 0 && !isOver(start, d); most-- {
		runtime.Gosched()
	}
}

// spin keeps the processor until d is over. Whoever has the right to it gets it all the same: the
// garbage collector stops the goroutine, and the scheduler lets others run after its ten
// milliseconds, when isOver is called at the latest.
func spin(d time.Duration, bubble bool) {
	most := int64(math.MaxInt64)
	if bubble {
		most = turnsIn(d)
	}
	for start := time.Now(); most > 0 && !isOver(start, d); most-- {
	}
}

// turnsIn is how often a loop that asks for the time goes round within d at most, roughly.
func turnsIn(d time.Duration) int64 { return int64(d/(50*time.Nanosecond)) + 1 }

// isOver reports whether d has passed since start. It stays a call, with the check of the stack in
// front by which the runtime stops goroutines also where it sends no signals.
//
//go:noinline
func isOver(start time.Time, d time.Duration) bool { return time.Since(start) >= d }
