package sched_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// failing are programs that fail under some schedules.
var failing = map[string]func(){
	"lost update": lostUpdate,
	"collections": collections,
	"account":     account(5),
	"locks": func() {
		var a, b sync.Mutex
		done := make(chan bool)
		sched.Go(func() {
			sched.MutexLock(&a)
			sched.MutexLock(&b)
			sched.MutexUnlock(&b)
			sched.MutexUnlock(&a)
			sched.Send(done, true)
		})
		sched.MutexLock(&b)
		sched.MutexLock(&a)
		sched.MutexUnlock(&a)
		sched.MutexUnlock(&b)
		sched.Receive(done)
	},
	"closed twice": func() {
		c := make(chan int)
		closeOnce := func() {
			if sched.Select(false, sched.ReceiveCase(c, nil, nil)) < 0 {
				sched.Close(c)
			}
		}
		sched.Go(closeOnce)
		closeOnce()
		sched.Yield()
	},
}

func init() {
	for name, program := range failing {
		programs[name] = program
	}
}

// A failure that was found once is had again by its seed, and by its schedule, as
// often as one likes, whatever the number of processors; and once in a process of
// its own with another garbage collector.
func TestReplayFailures(t *testing.T) {
	for name, program := range failing {
		failures := 0
		for seed := 0; failures < failingSeeds; seed++ {
			o := sched.Options{Seed: uint64(seed)}
			first := run(t, o, program)
			if first.Outcome == sched.OutcomeDone {
				continue
			}
			failures++
			same := func(how string, r sched.Result) {
				if r.Hash != first.Hash || r.Schedule != first.Schedule || r.Outcome != first.Outcome || r.Message != first.Message {
					t.Errorf("%s, seed %d, %s: %s %s %q for %s %s %q", name, seed, how, r.Outcome, r.Schedule, r.Message, first.Outcome, first.Schedule, first.Message)
				}
			}
			for i := range 5 {
				before := runtime.GOMAXPROCS([]int{1, 2, 8, 1, 2}[i])
				same("by its seed", run(t, o, program))
				same("by its schedule", run(t, o.Replaying(first.Schedule), program))
				runtime.GOMAXPROCS(before)
			}
			if failures <= failingSeeds/10 {
				r, _, _ := process(t, name, o, "GOMAXPROCS=8", "GOGC=5")
				same("in a process", r)
			}
		}
	}
}
