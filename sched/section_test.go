package sched_test

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// account is looked at in one critical section and changed in another: the section
// between is not atomic, though no access is a race.
func account(statements int) func() {
	section := &sched.Section{Package: "bank", ID: "withdraw", Variable: "account.balance", Allow: sched.Reads}
	check, change, other := at(1, "balance"), at(2, "balance"), at(3, "other")
	check.Entry, change.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	return func() {
		v := new(struct{ balance, other int })
		v.balance = 1
		var m sync.Mutex
		var all sync.WaitGroup
		withdraw := func() {
			f := sched.Begin()
			defer f.End()
			for range statements {
				read(other, &v.other)
			}
			sched.MutexLock(&m)
			enough := read(check, &v.balance) > 0
			sched.MutexUnlock(&m)
			if !enough {
				return
			}
			sched.MutexLock(&m)
			write(change, &v.balance, v.balance-1)
			sched.MutexUnlock(&m)
		}
		sched.WaitGroupGo(&all, withdraw)
		sched.WaitGroupGo(&all, withdraw)
		sched.WaitGroupWait(&all)
		assert(v.balance >= 0, "overdrawn")
	}
}

// The strategy breaks the section in nearly every run, whatever stands before it;
// the report is that of r-w-w.
func TestAtomicityDirected(t *testing.T) {
	for _, statements := range []int{0, 20, 200} {
		broken, panics := 0, 0
		for seed := range 200 {
			r := run(t, sched.Options{Strategy: "atomicity", Seed: uint64(seed)}, account(statements))
			for _, v := range r.Violations {
				if v.Section != "bank.withdraw" || v.Before.Location != "figure.go:1:1" || v.Foreign.Location != "figure.go:2:1" || v.After.Location != "figure.go:2:1" || v.Before.Write || !v.Foreign.Write || !v.After.Write {
					t.Fatalf("%+v", v)
				}
				broken++
			}
			if r.Outcome == sched.OutcomePanic {
				panics++
			} else if len(r.Violations) > 0 {
				t.Fatalf("seed %d: a violation and no panic", seed)
			}
		}
		t.Logf("%d statements: broken in %d, panics in %d of 200 runs", statements, broken, panics)
		if broken < 190 || panics != broken {
			t.Errorf("%d statements: broken in %d, panics in %d of 200 runs", statements, broken, panics)
		}
	}
}

// What an end allows does not break the section, and everything else does.
func TestAllowed(t *testing.T) {
	for _, allow := range []sched.Mode{0, sched.Reads, sched.Writes, sched.Reads | sched.Writes} {
		for _, foreign := range []sched.Mode{sched.Reads, sched.Writes, sched.Reads | sched.Writes} {
			section := &sched.Section{ID: "s", Allow: allow & sched.Reads}
			entry, middle, end := at(1, "x"), at(2, "x"), at(3, "x")
			entry.Entry, end.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: allow}}
			middle.Update = foreign == sched.Reads|sched.Writes
			x := new([2]int)
			r := run(t, sched.Options{}, func() {
				at, size := unsafe.Pointer(&x[0]), unsafe.Sizeof(x[0])
				f := sched.Begin()
				defer f.End()
				sched.Access(entry, at, size, false)
				done := make(chan bool)
				sched.Go(func() {
					sched.Access(middle, at, size, foreign&sched.Writes != 0)
					sched.Access(middle, unsafe.Pointer(&x[1]), size, true) // of another variable
					sched.Send(done, true)
				})
				sched.Receive(done)
				sched.Access(end, at, size, true)
				sched.Access(middle, at, size, true)
				sched.Access(end, at, size, true)
			})
			if broken := len(r.Violations) == 1; broken != (foreign&^allow != 0) || len(r.Violations) > 1 {
				t.Errorf("%d is allowed and %d done: %+v", allow, foreign, r.Violations)
			}
			if len(r.Sections) != 1 || r.Sections[0].Section != ".s" {
				t.Errorf("entered %q", r.Sections)
			}
		}
	}
}

// Every way out of an activation ends what it has entered and nothing else: without
// an end others may do what they like from then on.
func TestWaysOut(t *testing.T) {
	section := &sched.Section{ID: "s"}
	entry, foreign, end := at(1, "x"), at(2, "x"), at(3, "x")
	entry.Entry, end.Ends = []*sched.Section{section}, []sched.End{{Section: section}}
	x := new(int)
	disturb := func() {
		done := make(chan bool)
		sched.Go(func() { write(foreign, x, 1); sched.Send(done, true) })
		sched.Receive(done)
	}
	inside := func(leave func(f *sched.Frame)) {
		f := sched.Begin()
		defer f.End()
		read(entry, x)
		leave(&f)
	}
	end1 := func() { write(end, x, 1) }
	for _, test := range []struct {
		name   string
		do     func()
		broken bool
	}{
		{"none", func() { inside(func(*sched.Frame) { disturb(); end1() }) }, true},
		{"return", func() { inside(func(*sched.Frame) {}); disturb(); end1() }, false},
		{"exit", func() { inside(func(f *sched.Frame) { f.Exit(section); disturb(); end1() }) }, false},
		{"panic", func() {
			func() {
				defer func() { _ = recover() }()
				inside(func(*sched.Frame) { panic("out") })
			}()
			disturb()
			end1()
		}, false},
		{"Goexit", func() {
			done := make(chan bool)
			sched.Go(func() {
				defer func() { disturb(); end1(); sched.Close(done) }()
				inside(func(*sched.Frame) { runtime.Goexit() })
			})
			sched.Receive(done)
		}, false},
		{"again", func() { inside(func(*sched.Frame) { disturb(); read(entry, x); end1() }) }, false},
		{"inner activation", func() {
			inside(func(*sched.Frame) { inside(func(*sched.Frame) {}); disturb(); end1() })
		}, true},
		{"inner end", func() {
			inside(func(*sched.Frame) { disturb(); inside(func(*sched.Frame) { end1() }); end1() })
		}, true},
	} {
		r := run(t, sched.Options{}, test.do)
		if broken := len(r.Violations) > 0; broken != test.broken || len(r.Violations) > 1 {
			t.Errorf("%s: %+v", test.name, r.Violations)
		}
	}
}

// Entries of a map are different variables, and the whole map is all of them.
func TestEntriesOfMaps(t *testing.T) {
	for _, test := range []struct {
		name   string
		other  func(l *sched.Location, m map[any]int)
		broken bool
	}{
		{"another key", func(l *sched.Location, m map[any]int) { sched.AccessMap(l, m, any(2)); m[2] = 1 }, false},
		{"the same key", func(l *sched.Location, m map[any]int) { sched.AccessMap(l, m, any(1)); m[1] = 1 }, true},
		{"a key that has no order", func(l *sched.Location, m map[any]int) { sched.AccessMap(l, m, any([]int{})) }, false},
		{"all keys", func(l *sched.Location, m map[any]int) { sched.Access(l, sched.MapPointer(m), 1, true); clear(m) }, true},
	} {
		section := &sched.Section{ID: "s", Allow: sched.Reads}
		entry, foreign, end := at(1, "m"), at(2, "m"), at(3, "m")
		entry.Entry, end.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
		r := run(t, sched.Options{}, func() {
			f := sched.Begin()
			defer f.End()
			m := map[any]int{}
			_, known := sched.MapPeek2(entry, m, any(1))
			done := make(chan bool)
			sched.Go(func() { test.other(foreign, m); sched.Send(done, true) })
			sched.Receive(done)
			if !known {
				sched.AccessMap(end, m, any(1))
				m[1] = 1
			}
		})
		if broken := len(r.Violations) == 1; broken != test.broken {
			t.Errorf("%s: %+v", test.name, r.Violations)
		}
	}
}

// Options.Section leaves the other sections alone.
func TestOneSection(t *testing.T) {
	for name, want := range map[string]int{"": 1, "withdraw": 1, "bank.withdraw": 1, "deposit": 0} {
		r := run(t, sched.Options{Strategy: "atomicity", Seed: 1, Section: name}, account(0))
		if len(r.Sections) != want || len(r.Violations) > want {
			t.Errorf("%q: entered %q, broken %+v", name, r.Sections, r.Violations)
		}
	}
}

// A section that is kept by a lock is never broken.
func TestAtomicSection(t *testing.T) {
	section := &sched.Section{ID: "s", Allow: sched.Reads}
	load, store := at(1, "x"), at(2, "x")
	load.Entry, store.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	everywhere(t, 100, func() {
		x := new(int)
		var m sync.Mutex
		var all sync.WaitGroup
		for range 3 {
			sched.WaitGroupGo(&all, func() {
				f := sched.Begin()
				defer f.End()
				sched.MutexLock(&m)
				write(store, x, read(load, x)+1)
				sched.MutexUnlock(&m)
			})
		}
		sched.WaitGroupWait(&all)
	}, func(t *testing.T, r sched.Result) {
		done(t, r)
		if len(r.Violations) > 0 {
			t.Errorf("%+v", r.Violations)
		}
	})
}

// A single write under a lock comes too early more often than not. Phase 1 sees where
// the writer takes the lock, and there it waits until somebody is inside.
func TestIntruderWaits(t *testing.T) {
	section := &sched.Section{ID: "sum", Variable: "balance", Allow: sched.Reads}
	first, second, set := at(1, "balance"), at(2, "balance"), at(3, "balance")
	first.Entry, second.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	program := func() {
		balance := new(int)
		var m sync.Mutex
		var all sync.WaitGroup
		locked := func(do func()) {
			sched.MutexLock(&m)
			do()
			sched.MutexUnlock(&m)
		}
		sched.WaitGroupGo(&all, func() { locked(func() { write(set, balance, 1) }) })
		sched.WaitGroupGo(&all, func() {
			f := sched.Begin()
			defer f.End()
			for range 20 {
				sched.Yield()
			}
			locked(func() { read(first, balance) })
			locked(func() { read(second, balance) })
		})
		sched.WaitGroupWait(&all)
	}
	entered := run(t, sched.Options{Hybrid: true}, program).Sections
	if len(entered) != 1 || len(entered[0].Delay) != 1 {
		t.Fatalf("entered %+v, want one section with the writer's lock", entered)
	}
	broken := map[string]int{}
	for _, delay := range []string{"", entered[0].Delay[0]} {
		for seed := range 200 {
			broken[delay] += len(run(t, sched.Options{Strategy: "atomicity", Seed: uint64(seed), Delay: delay}, program).Violations)
		}
	}
	t.Logf("broken in 200 runs: %v", broken)
	if broken[""] > 100 || broken[entered[0].Delay[0]] != 200 {
		t.Errorf("broken in 200 runs: %v", broken)
	}
}

// Who waits in a loop for one that is held back does so for long a few times, and then
// not any more.
func TestBusyWaiter(t *testing.T) {
	section := &sched.Section{ID: "s", Variable: "x", Allow: sched.Reads}
	load, store, poll := at(1, "x"), at(2, "x"), at(3, "progress")
	load.Entry, store.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	r := run(t, sched.Options{Strategy: "atomicity", Seed: 1, Limit: 500_000}, func() {
		v := new(struct{ x, progress int })
		var all sync.WaitGroup
		sched.WaitGroupGo(&all, func() {
			f := sched.Begin()
			defer f.End()
			for i := range 100 {
				write(store, &v.x, read(load, &v.x)+1)
				write(poll, &v.progress, i+1)
			}
		})
		sched.WaitGroupGo(&all, func() {
			for read(poll, &v.progress) < 100 {
			}
		})
		sched.WaitGroupWait(&all)
	})
	done(t, r)
	if len(r.Violations) > 0 {
		t.Errorf("%+v", r.Violations)
	}
	t.Logf("%d decisions", r.Decisions)
}
