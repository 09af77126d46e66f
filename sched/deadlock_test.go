package sched_test

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// Two goroutines that take two locks in different orders: some schedules lead into
// the deadlock, others do not, and the report names the cycle.
func TestDeadlockCycle(t *testing.T) {
	program := func() {
		var a, b sync.Mutex
		var all sync.WaitGroup
		sched.WaitGroupGo(&all, func() {
			sched.MutexLock(&a)
			sched.MutexLock(&b)
			sched.MutexUnlock(&b)
			sched.MutexUnlock(&a)
		})
		sched.WaitGroupGo(&all, func() {
			sched.MutexLock(&b)
			sched.MutexLock(&a)
			sched.MutexUnlock(&a)
			sched.MutexUnlock(&b)
		})
		sched.WaitGroupWait(&all)
	}
	outcomes := make(map[sched.Outcome]int)
	for seed := range 100 {
		r := run(t, sched.Options{Seed: uint64(seed)}, program)
		outcomes[r.Outcome]++
		if r.Outcome != sched.OutcomeDeadlock {
			continue
		}
		for _, want := range []string{
			`goroutine 1 waits at \S*deadlock_test\.go:\d+: WaitGroup\.Wait group \d`,
			`goroutine 2 waits at \S*deadlock_test\.go:21: lock mutex \d, held by goroutine 3`,
			`goroutine 3 waits at \S*deadlock_test\.go:27: lock mutex \d, held by goroutine 2`,
			`cycle: (2 waits for 3 waits for 2|3 waits for 2 waits for 3)`,
		} {
			if !regexp.MustCompile(want).MatchString(r.Message) {
				t.Fatalf("the report does not say %s:\n%s", want, r.Message)
			}
		}
	}
	if outcomes[sched.OutcomeDeadlock] < 10 || outcomes[sched.OutcomeDone] < 10 {
		t.Errorf("%v", outcomes)
	}
}

// What else there is to wait for: the report says what it is.
func TestDeadlocks(t *testing.T) {
	for want, program := range map[string]func(){
		"receive channel 1":           func() { sched.Receive(make(chan int)) },
		"send channel 1":              func() { sched.Send(make(chan int), 1) },
		"receive on nil":              func() { sched.Receive[int](nil) },
		"select":                      func() { sched.Select(true) },
		"lock mutex 1, held by gorou": func() { var m sync.Mutex; sched.MutexLock(&m); sched.MutexLock(&m) },
		"WaitGroup.Wait group 1":      func() { var g sync.WaitGroup; g.Add(1); sched.WaitGroupWait(&g) },
		"Cond.Wait cond 1": func() {
			c := sync.NewCond(new(sync.Mutex))
			sched.MutexLock(c.L.(*sync.Mutex))
			sched.CondWait(c)
		},
		"Once.Do once 1, held by goroutine 1": func() {
			var o sync.Once
			sched.OnceDo(&o, func() { sched.OnceDo(&o, func() {}) })
		},
	} {
		r := run(t, sched.Options{}, program)
		if r.Outcome != sched.OutcomeDeadlock || !strings.Contains(r.Message, want) || !strings.Contains(r.Message, "deadlock_test.go:") {
			t.Errorf("%s: %s %s", want, r.Outcome, r.Message)
		}
	}
}

// A reader that wants the lock once more while a writer waits: the real RWMutex
// deadlocks there, in the schedules in which the writer comes in between.
func TestRecursiveReadLock(t *testing.T) {
	outcomes := make(map[sched.Outcome]int)
	for seed := range 100 {
		r := run(t, sched.Options{Seed: uint64(seed)}, func() {
			var m sync.RWMutex
			sched.Go(func() {
				sched.RWMutexLock(&m)
				sched.RWMutexUnlock(&m)
			})
			sched.RWMutexRLock(&m)
			sched.RWMutexRLock(&m)
			sched.RWMutexRUnlock(&m)
			sched.RWMutexRUnlock(&m)
		})
		outcomes[r.Outcome]++
	}
	if outcomes[sched.OutcomeDeadlock] < 10 || outcomes[sched.OutcomeDone] < 10 {
		t.Errorf("%v", outcomes)
	}
}

// Tickers that nobody listens to keep nobody alive.
func TestDeadlockWithTicker(t *testing.T) {
	r := run(t, sched.Options{}, func() {
		sched.NewTicker(1)
		sched.Receive(make(chan int))
	})
	if r.Outcome != sched.OutcomeDeadlock {
		t.Error(r.Outcome)
	}
}

func TestLimit(t *testing.T) {
	r := run(t, sched.Options{Limit: 1000}, func() {
		for {
			sched.Yield()
		}
	})
	if r.Outcome != sched.OutcomeLimit || r.Decisions != 1000 {
		t.Error(r.Outcome, r.Decisions)
	}
}

// Who waits for ever when the program is over is listed, but only if nobody is left
// who might do something about it.
func TestLeaks(t *testing.T) {
	program := func() {
		never, late, other := make(chan int), make(chan int), make(chan int)
		sched.Go(func() { sched.Send(never, 1) })
		sched.Go(func() { sched.Receive(late) })
		sched.Go(func() {
			timer, _ := sched.After(time.Hour)
			sched.Select(true, sched.ReceiveCase(timer, nil, nil), sched.ReceiveCase(other, nil, nil))
		})
		sched.Go(func() { sched.Sleep(time.Hour) })
		sched.Go(func() {
			for range 20 {
				sched.Yield()
			}
			sched.Send(late, 1)
		})
		sched.Sleep(time.Nanosecond)
	}
	found := 0
	for seed := range 20 {
		o := sched.Options{Seed: uint64(seed), Drain: 1000}
		r := run(t, o, program)
		if r.Outcome != sched.OutcomeDone {
			t.Fatal(r.Outcome, r.Message)
		}
		for _, w := range r.Waiting {
			found++
			if w.Goroutine != 2 || !strings.HasPrefix(w.Operation, "send channel") || !strings.Contains(w.Location, "deadlock_test.go:") {
				t.Errorf("seed %d: %+v", seed, w)
			}
		}
		o.Drain = 0
		if r := run(t, o, program); len(r.Waiting) > 0 {
			t.Errorf("seed %d without drain: %+v", seed, r.Waiting)
		}
	}
	if found < 5 {
		t.Errorf("found in %d of 20 runs", found)
	}
}
