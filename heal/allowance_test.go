//go:build !atomrace_off

package heal

import (
	"testing"
	"time"
)

// Whatever wants to delay, no span of the run has more delays than the allowance says; and
// who has more to tell is delayed when others are not any more.
func TestAllowance(t *testing.T) {
	a := allowance{left: int64(allowanceMost)}
	const d = 4 * time.Millisecond
	// each lets goroutines that are alone come to a place of that kind for so long, as often as
	// they can, and returns how long they were delayed.
	now := time.Duration(0)
	each := func(span, least time.Duration) (delayed time.Duration) {
		for end := now + span; now < end; {
			now += time.Millisecond
			// It is meant to take d, and takes twice as long.
			if n, ok := a.take(now, least, d); ok {
				a.back(n, d)
				now += 2 * d
				delayed += 2 * d
			}
		}
		return delayed
	}
	most := func(what string, got, want time.Duration) {
		t.Helper()
		if got > want+10*d || got < want-10*d {
			t.Errorf("%s: delayed for %v, want about %v", what, got, want)
		}
	}
	// Cold places take what they leave no new ones of, and then what flows in.
	most("cold", each(time.Minute, leftForCold), allowanceMost-leftForCold+30*time.Second)
	most("new", each(time.Minute, leftForNew), leftForCold+30*time.Second)
	if each(10*d, leftForCold) > 0 {
		t.Error("a cold place was delayed where nothing is left")
	}
	most("suspected", each(time.Minute, leftForSuspected), -leftForSuspected+30*time.Second)
	if each(10*d, leftForNew) > 0 {
		t.Error("a new place was delayed where the suspected ones have made debts")
	}
	// A program that has waited for hours has saved up no more than the most.
	now += time.Hour
	most("after an hour", each(20*time.Second, leftForNew), allowanceMost+10*time.Second)
	// Those that are delayed at the same time share what it costs.
	now += time.Hour
	n := 0
	for {
		if _, ok := a.take(now, leftForNew, time.Second); !ok {
			break
		}
		n++
	}
	if n != 4 { // 1 s + 1/2 + 1/3 + 1/4
		t.Errorf("%d goroutines were delayed at the same time, want 4", n)
	}
	// Where the clock stands, nothing flows in.
	if _, ok := a.take(0, leftForNew, d); ok {
		t.Error("delayed with nothing left and no time passed")
	}
}
