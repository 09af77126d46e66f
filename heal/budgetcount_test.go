//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"testing"
	"time"
)

// Those that are called most without being too many count at rest, and those that are called
// less; what is as good as before stays.
func TestCountingGroups(t *testing.T) {
	takeTurn()
	defer atomic.StoreUint32(&phase.turning, 0)
	defer forget()
	const none = everyGroup &^ 7
	for _, x := range []struct {
		in     [3]int64 // calls in a tenth of a second, of groups 0 to 2; none of the others
		before choice
		want   choice
	}{
		{[3]int64{5e6, 4e4, 100}, everyGroup, none | 6},
		{[3]int64{5e6, 100, 100}, everyGroup, everyGroup},
		{[3]int64{5e6, 3e6, 100}, everyGroup, none | 6},
		{[3]int64{5e6, 3e6, 3e6}, everyGroup, none | 4},
		{[3]int64{5e6, 0, 0}, everyGroup, everyGroup},
		{[3]int64{45e3, 1e4, 3e5}, everyGroup, none | 1},
		{[3]int64{45e3, 1e3, 3e5}, everyGroup, none | 3},
		{[3]int64{5e6, 4e4, 100}, 2, 2},
		{[3]int64{5e6, 4e6, 4e6}, 1, 1},
		{[3]int64{100, 4e6, 5e6}, 1, none | 3},
		{[3]int64{}, 1, everyGroup},
	} {
		forget()
		copy(phaseCounts[:], x.in[:])
		if got := x.before.better(100 * time.Millisecond); got != x.want {
			t.Errorf("%v, before %x: %x, not %x", x.in, x.before, got, x.want)
		}
	}
}

// unwatched is what a function of the group does as it begins, and whether it rests.
func unwatched(group int) bool { return heeds(group, Told(group)) }

// allUnwatched is so for one with hooks of all kinds.
func allUnwatched(group int) bool { return heeds(group, ToldAll(group)) }

func heeds(group int, told uint32) bool {
	if told == watchAndCount || told == restAndCount {
		Activated(group)
	}
	return told == rest || told == restAndCount
}

// turns spins until it is as the program wants it, for a second at the most.
func turns(call func(), until func() bool) bool {
	for end := usedTime() + time.Second; usedTime() < end; {
		for range batch {
			call()
		}
		if until() {
			return true
		}
	}
	return false
}

// A program has functions of two groups, and one is called much more. Both rest, and the
// other one counts. When that is not called any more, the first does.
func TestLeastCalledCounts(t *testing.T) {
	configured(t, "budget=1%")
	n := 0
	often := func() { unwatched(1) }
	both := func() {
		often()
		// However slow the machine, the other group must not be called so seldom that
		// it is too few to count alone (leastCounted).
		if n++; n%8 == 0 {
			unwatched(2)
		}
	}
	rests := func() bool { return told[1] == rest }
	if !turns(both, rests) {
		t.Fatalf("nothing rests: %v", told)
	}
	if told[2] != restAndCount || told[3] != restAndCount {
		t.Errorf("%v", told)
	}
	if !turns(both, func() bool { return !rests() }) {
		t.Errorf("it rests for ever: %v", told)
	}
	if !turns(often, func() bool { return told[1] == restAndCount }) {
		t.Errorf("what is called alone does not count: %v", told)
	}
	if !turns(often, func() bool { return told[1] == watchAndCount }) {
		t.Errorf("it rests for ever: %v", told)
	}
}
