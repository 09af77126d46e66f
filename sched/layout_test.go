package sched

import "testing"

// The counter of a WaitGroup is where this version of atomrace looks for it.
func TestWaitGroupLayout(t *testing.T) {
	if !countKnown() {
		t.Error("package sync keeps it elsewhere")
	}
}

// What package time has made is told from what was made here.
func TestTimerLayout(t *testing.T) {
	if !timersKnown() {
		t.Error("package time keeps note of it elsewhere")
	}
}

// All source streams are different, and intn keeps its bounds and reaches them.
func TestSource(t *testing.T) {
	seen := make(map[uint64]bool)
	for seed := range uint64(100) {
		for stream := range uint64(100) {
			s := newSource(seed, stream)
			seen[s.next()] = true
		}
	}
	if len(seen) != 10_000 {
		t.Errorf("%d of 10,000 streams differ", len(seen))
	}
	s := newSource(1, 1)
	var counts [3]int
	for range 3000 {
		counts[s.intn(3)]++
	}
	for i, n := range counts {
		if n < 900 || n > 1100 {
			t.Errorf("%d comes %d times in 3,000", i, n)
		}
	}
}
