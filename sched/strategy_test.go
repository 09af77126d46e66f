package sched_test

import (
	"fmt"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// All strategies that look for anything find a lost update, and how often says what
// they are: pct finds it with the probability it promises at least, 1/(n·k) for n
// goroutines, k decisions and two ordering constraints.
func TestStrategiesFind(t *testing.T) {
	const runs = 1000
	found := make(map[string]int)
	for _, o := range []sched.Options{
		{Strategy: "random"}, {Strategy: "pct", Depth: 2, Length: 50}, {Strategy: "pos"},
		{Strategy: "race", Pair: pair("1", "2")},
	} {
		for seed := range runs {
			o.Seed = uint64(seed)
			if r := run(t, o, lostUpdate); r.Outcome == sched.OutcomePanic {
				found[o.Strategy]++
			} else {
				done(t, r)
			}
		}
	}
	t.Logf("of %d runs: %v", runs, found)
	if found["pct"] < runs/(4*50) {
		t.Errorf("pct finds it in %d of %d runs, which is less than it promises", found["pct"], runs)
	}
	if found["random"] == 0 || found["pos"] == 0 || found["race"] < runs/2 {
		t.Errorf("%v", found)
	}
}

// The random walk gives each of two orders of two steps its share.
func TestRandomIsFair(t *testing.T) {
	orders := make(map[string]int)
	const runs = 2000
	for seed := range runs {
		order := ""
		run(t, sched.Options{Seed: uint64(seed)}, func() {
			var all sync.WaitGroup
			for _, name := range []string{"a", "b"} {
				sched.WaitGroupGo(&all, func() {
					sched.Yield()
					order += name
					sched.Yield()
					order += name
				})
			}
			sched.WaitGroupWait(&all)
		})
		orders[order]++
	}
	for _, order := range []string{"aabb", "abab", "abba", "baab", "baba", "bbaa"} {
		if orders[order] < runs/20 {
			t.Errorf("%s came in %d of %d runs: %v", order, orders[order], runs, orders)
		}
	}
}

// A goroutine that waits in a loop for somebody who is postponed or has a lower
// priority does not wait for ever, yields it or not.
func TestNoLivelock(t *testing.T) {
	flag, other := at(1, "flag"), at(2, "other")
	for _, yields := range []bool{false, true} {
		program := func() {
			v := new(struct{ flag, other int })
			sched.Go(func() {
				sched.Yield()
				write(other, &v.other, 1)
				sched.Atomic(nil, unsafe.Pointer(&v.flag), true)
				v.flag = 1
			})
			for {
				sched.Atomic(nil, unsafe.Pointer(&v.flag), false)
				if v.flag == 1 {
					break
				}
				if yields {
					sched.Yield()
				}
			}
			read(flag, &v.flag)
		}
		for _, o := range append(strategies, sched.Options{Strategy: "race", Pair: pair("2", "2")}) {
			o.Limit, o.Livelock = 200_000, 20_000
			for seed := range 5 {
				o.Seed = uint64(seed)
				if r := run(t, o, program); r.Outcome != sched.OutcomeDone {
					t.Errorf("%v, yields %v: %s", o, yields, r.Outcome)
				}
			}
		}
		r := run(t, sched.Options{Strategy: "replay", Schedule: "0:1x5", Limit: 200_000}, program)
		if r.Outcome != sched.OutcomeDone {
			t.Errorf("after the end of a schedule, yields %v: %s", yields, r.Outcome)
		}
	}
}

// To be postponed is to be slow, so that sleepers wake meanwhile; but it makes no
// timeout pass.
func TestPostponedAndTime(t *testing.T) {
	one, two := at(1, "x"), at(2, "x")
	for seed := range 50 {
		late := false
		r := run(t, sched.Options{Strategy: "race", Pair: pair("1", "2"), Seed: uint64(seed)}, func() {
			x := new(int)
			timeout, _ := sched.After(time.Minute)
			finished := make(chan bool, 2)
			sched.Go(func() {
				sched.Sleep(time.Second)
				write(two, x, 2)
				sched.Send(finished, true)
			})
			sched.Go(func() {
				write(one, x, 1)
				sched.Send(finished, true)
			})
			for range 2 {
				if sched.Select(true, sched.ReceiveCase(timeout, nil, nil), sched.ReceiveCase(finished, nil, nil)) == 0 {
					late = true
				}
			}
		})
		if len(r.Races) != 1 || late || r.Outcome != sched.OutcomeDone {
			t.Fatalf("seed %d: %s, late %v, races %v", seed, r.Outcome, late, r.Races)
		}
	}
}

// A schedule of another program is left where it cannot be followed, and the result
// says so.
func TestReplayDiverges(t *testing.T) {
	r := run(t, sched.Options{Strategy: "replay", Schedule: "0:1x2.7x3.1"}, lostUpdate)
	if r.Outcome != sched.OutcomeDone || r.Diverged != "at decision 3: goroutine 7 should make a step and cannot" {
		t.Error(r.Outcome, r.Diverged)
	}
}

// A trace names who did what and where.
func TestTrace(t *testing.T) {
	r := run(t, sched.Options{Trace: true}, func() {
		var m sync.Mutex
		c := make(chan int, 1)
		sched.MutexLock(&m)
		sched.Send(c, 1)
		read(at(7, "x"), new(int))
		sched.MutexUnlock(&m)
		sched.Yield()
	})
	var got []string
	for _, e := range r.Trace {
		got = append(got, fmt.Sprint(e.Goroutine, " ", e.Operation))
	}
	want := "[1 start 1 lock mutex 1 1 send channel 2 1 read x 1 yield]"
	if fmt.Sprint(got) != want || uint64(len(got)) != r.Decisions {
		t.Errorf("%v, want %v", got, want)
	}
	if line := r.Trace[1].String(); line != "     2   goroutine 1   "+r.Trace[1].Location+"  lock mutex 1" {
		t.Errorf("%q", line)
	}
}
