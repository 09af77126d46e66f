package sched_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// lostUpdate adds to a counter in several goroutines, with much else in between.
// One update is lost if another goroutine comes between a read and its write.
func lostUpdate() {
	load, store, other := at(1, "counter"), at(2, "counter"), at(3, "other")
	v := new(struct{ counter, other int })
	var all sync.WaitGroup
	for range 3 {
		sched.WaitGroupGo(&all, func() {
			for range 5 {
				read(other, &v.other)
			}
			n := read(load, &v.counter)
			write(store, &v.counter, n+1)
			for range 5 {
				read(other, &v.other)
			}
		})
	}
	sched.WaitGroupWait(&all)
	assert(v.counter == 3, "lost")
}

// transfer fails only if two goroutines each come between two steps of the other:
// two preemptions.
func transfer() {
	a, b := at(1, "a"), at(2, "b")
	v := new(struct{ a, b int })
	var all sync.WaitGroup
	seen := 0
	sched.WaitGroupGo(&all, func() {
		write(a, &v.a, 1)
		write(b, &v.b, 1)
		write(a, &v.a, 0)
		write(b, &v.b, 0)
	})
	sched.WaitGroupGo(&all, func() {
		if read(a, &v.a) == 1 && read(b, &v.b) == 0 {
			seen++
		}
		if read(a, &v.a) == 0 && read(b, &v.b) == 1 {
			seen++
		}
	})
	sched.WaitGroupWait(&all)
	assert(seen < 2, "both seen")
}

func TestMinimise(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func()
		want    int // preemptions
	}{{"lost update", lostUpdate, 1}, {"transfer", transfer, 3}} {
		failed := 0
		for seed := 0; failed < 20; seed++ {
			o := sched.Options{Seed: uint64(seed)}
			first := run(t, o, c.program)
			if first.Outcome != sched.OutcomePanic {
				continue
			}
			failed++
			runs := 0
			schedule, result := sched.Minimise(first, 500, func(s sched.Schedule) (sched.Result, bool) {
				runs++
				r := run(t, o.Replaying(s.String()), c.program)
				return r, r.Outcome == sched.OutcomePanic
			})
			if result.Outcome != sched.OutcomePanic || result.Preemptions != c.want || runs > 500 {
				t.Errorf("%s, seed %d: from %d to %d preemptions in %d runs: %s", c.name, seed, first.Preemptions, result.Preemptions, runs, schedule)
			}
			again := run(t, o.Replaying(schedule.String()), c.program)
			if again.Hash != result.Hash || again.Outcome != sched.OutcomePanic || again.Diverged != "" {
				t.Errorf("%s, seed %d: the minimised schedule does not replay: %s", c.name, seed, again.Diverged)
			}
		}
	}
}

// The budget is kept to, and a run that never fails again leaves the schedule as it
// was.
func TestMinimiseBudget(t *testing.T) {
	first := run(t, sched.Options{Seed: 1}, lostUpdate)
	runs := 0
	schedule, result := sched.Minimise(first, 7, func(sched.Schedule) (sched.Result, bool) {
		runs++
		return sched.Result{}, false
	})
	if runs > 7 || schedule.String() != first.Schedule || result.Hash != first.Hash {
		t.Errorf("%d runs, %s for %s", runs, schedule, first.Schedule)
	}
}

func TestScheduleText(t *testing.T) {
	s := sched.Schedule{Seed: 7, Segments: []sched.Segment{{1, 12}, {2, 1}, {0, 1}, {1, 3}}}
	if s.String() != "7:1x12.2.0.1x3" {
		t.Error(s)
	}
	for _, wrong := range []string{"", "x", "1:a", "1:1x", "1:1x0", "1:-1", "1:1..2", "1:1x99999999999999999999"} {
		if _, err := sched.ParseSchedule(wrong); err == nil {
			t.Errorf("%q can be read", wrong)
		}
	}
}

// FuzzSchedule: what can be read is written as something that reads as the same.
func FuzzSchedule(f *testing.F) {
	f.Add("7:1x12.2.1x3")
	f.Add("0:")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := sched.ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := sched.ParseSchedule(s.String())
		if err != nil || again.Seed != s.Seed || !slices.Equal(again.Segments, s.Segments) {
			t.Errorf("%q: %v, %v", text, again, err)
		}
	})
}
