package sched_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// account is looked at in one critical section and changed in another: the section
// between is not atomic, though no access is a race.
func account(statements int) func() {
	section := &sched.Section{ID: "withdraw", Variable: "account.balance"}
	check, change, other := at(1, "balance"), at(2, "balance"), at(3, "other")
	return func() {
		v := new(struct{ balance, other int })
		v.balance = 1
		var m sync.Mutex
		var all sync.WaitGroup
		withdraw := func() {
			for range statements {
				read(other, &v.other)
			}
			sched.MutexLock(&m)
			sched.Enter(section, unsafe.Pointer(&v.balance), unsafe.Sizeof(v.balance))
			defer sched.Leave(section, unsafe.Pointer(&v.balance))
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
				if v.Section != "withdraw" || v.Before.Location != "figure.go:1:1" || v.Foreign.Location != "figure.go:2:1" || v.After.Location != "figure.go:2:1" || v.Before.Write || !v.Foreign.Write || !v.After.Write {
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

// Which foreign access breaks a section and which does not: all eight patterns.
func TestViolationPatterns(t *testing.T) {
	modes := map[bool]string{false: "r", true: "w"}
	broken := map[string]bool{"rwr": true, "wwr": true, "wrw": true, "rww": true}
	for i := range 8 {
		first, foreign, second := i&4 != 0, i&2 != 0, i&1 != 0
		section := &sched.Section{ID: "s"}
		one, two, three := at(1, "x"), at(2, "x"), at(3, "x")
		x := new([2]int)
		r := run(t, sched.Options{}, func() {
			at, size := unsafe.Pointer(&x[0]), unsafe.Sizeof(x[0])
			sched.Enter(section, at, size)
			sched.Access(one, at, size, first)
			done := make(chan bool)
			sched.Go(func() {
				sched.Access(two, at, size, foreign)
				sched.Access(two, unsafe.Pointer(&x[1]), size, true) // of another variable
				sched.Send(done, true)
			})
			sched.Receive(done)
			sched.Access(three, at, size, second)
			sched.Leave(section, at)
			sched.Access(two, at, size, true)
			sched.Access(three, at, size, true)
		})
		pattern := modes[first] + modes[foreign] + modes[second]
		if (len(r.Violations) == 1) != broken[pattern] || len(r.Violations) > 1 {
			t.Errorf("%s: %+v", pattern, r.Violations)
		}
	}
}

// A section that is kept by a lock is never broken.
func TestAtomicSection(t *testing.T) {
	section := &sched.Section{ID: "s"}
	load, store := at(1, "x"), at(2, "x")
	everywhere(t, 100, func() {
		x := new(int)
		var m sync.Mutex
		var all sync.WaitGroup
		for range 3 {
			sched.WaitGroupGo(&all, func() {
				sched.MutexLock(&m)
				sched.Enter(section, unsafe.Pointer(x), unsafe.Sizeof(*x))
				write(store, x, read(load, x)+1)
				sched.Leave(section, unsafe.Pointer(x))
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
