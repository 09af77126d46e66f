//go:build !atomrace_off

package heal

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// What healing took is counted by the clock, waits in vain included, and not by what was asked:
// as much as whoever waits sees himself.
func TestDelayed(t *testing.T) {
	const bound = 10 * time.Millisecond
	for _, hold := range []time.Duration{3 * time.Millisecond, time.Hour} {
		before := Stats().Delayed
		waited, _ := queue(t, bound, 4, hold)
		var all time.Duration
		for _, d := range waited {
			all += d
		}
		if got := Stats().Delayed - before; got != all || got < 6*time.Millisecond {
			t.Errorf("held for %v: delayed by %v, want %v", hold, got, all)
		}
	}
}

// So it is where timers are coarse and a sleep lasts longer than was asked.
func TestDelayedByTheClock(t *testing.T) {
	p := newProgram(t)
	p.v.Package += fmt.Sprintf("/%p", p) // what is said once is said in every run
	s := p.section("Long")
	load, other := p.at(Read, s), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	before := Stats().Delayed
	var took time.Duration
	text := logged(t, "heal=lock wait=5ms", func() {
		a[0].do(func(f *Frame) { access1(f, load, x) })
		a[1].do(func(f *Frame) {
			start := time.Now()
			access1(f, other, x)
			took = time.Since(start)
		})
		a[0].do(func(f *Frame) { f.End() })
	})
	idle(t)
	got := Stats().Delayed - before
	if got < took/2 || got > took {
		t.Errorf("delayed by %v, of %v", got, took)
	}
	for _, st := range Sections() {
		if st.Section == "Long" && st.Package == p.v.Package && (st.Delayed < took/2 || st.Delayed > took) {
			t.Errorf("the section delayed by %v, of %v", st.Delayed, took)
		}
	}
	_, text, _ = strings.Cut(text, "not obtained within ")
	text, _, _ = strings.Cut(text, " (wait=5ms)")
	if said, err := time.ParseDuration(text); err != nil || said < took/2 || said > took+time.Millisecond {
		t.Errorf("said %q, it took %v", text, took)
	}
}

// A back-off counts as well, for the section that made it.
func TestDelayedByYielding(t *testing.T) {
	yielding(t, 5*time.Millisecond)
	p := newProgram(t)
	s := p.section("Stays")
	load, other := p.at(Read, s), p.at(Write)
	x := new(int)
	a := actors(t, 2)
	a[0].do(func(f *Frame) { f.Hold(&p.v, unsafe.Pointer(x), 1); access1(f, load, x) })
	before := Stats().Delayed
	a[1].do(func(f *Frame) { access1(f, other, x) })
	a[0].do(func(f *Frame) { f.End() })
	idle(t)
	if got := Stats().Delayed - before; got < 5*time.Millisecond {
		t.Errorf("delayed by %v", got)
	}
	found := false
	for _, st := range Sections() {
		found = found || st.Section == "Stays" && st.Package == p.v.Package && st.Delayed >= 5*time.Millisecond
	}
	if !found {
		t.Error("the section is not charged")
	}
}
