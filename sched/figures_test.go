package sched_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// Locations of the programs below, one a statement.
func at(line int, variable string) *sched.Location {
	return &sched.Location{File: "figure.go", Line: line, Column: 1, Variable: variable}
}

func read(l *sched.Location, p *int) int {
	sched.Access(l, unsafe.Pointer(p), unsafe.Sizeof(*p), false)
	return *p
}

func write(l *sched.Location, p *int, v int) {
	sched.Access(l, unsafe.Pointer(p), unsafe.Sizeof(*p), true)
	*p = v
}

// figure1 is Figure 1 of papers/000. The race is that of statements 5 and 7; that
// of 1 and 10 cannot be, for y tells that x is written.
func figure1() (program func(), error1, error2 *bool) {
	error1, error2 = new(bool), new(bool)
	s := make(map[int]*sched.Location)
	for line, variable := range map[int]string{1: "x", 3: "y", 5: "z", 7: "z", 9: "y", 10: "x"} {
		s[line] = at(line, variable)
	}
	return func() {
		v := new(struct{ x, y, z int })
		var l sync.Mutex
		var threads sync.WaitGroup
		sched.WaitGroupGo(&threads, func() {
			write(s[1], &v.x, 1)
			sched.MutexLock(&l)
			write(s[3], &v.y, 1)
			sched.MutexUnlock(&l)
			if read(s[5], &v.z) == 1 {
				*error1 = true
			}
		})
		sched.WaitGroupGo(&threads, func() {
			write(s[7], &v.z, 1)
			sched.MutexLock(&l)
			if read(s[9], &v.y) == 1 {
				if read(s[10], &v.x) != 1 {
					*error2 = true
				}
			}
			sched.MutexUnlock(&l)
		})
		sched.WaitGroupWait(&threads)
	}, error1, error2
}

// figure2 is Figure 2, with a number of statements before the racing one.
func figure2(statements int) (program func(), wrong *bool) {
	wrong = new(bool)
	eight, ten, f := at(8, "x"), at(10, "x"), at(2, "y")
	return func() {
		v := new(struct{ x, y int })
		var l, own sync.Mutex
		var threads sync.WaitGroup
		sched.WaitGroupGo(&threads, func() {
			sched.MutexLock(&l)
			for range statements {
				sched.MutexLock(&own)
				write(f, &v.y, 1)
				sched.MutexUnlock(&own)
			}
			sched.MutexUnlock(&l)
			if read(eight, &v.x) == 0 {
				*wrong = true
			}
		})
		sched.WaitGroupGo(&threads, func() {
			write(ten, &v.x, 1)
			sched.MutexLock(&l)
			write(f, &v.y, 2)
			sched.MutexUnlock(&l)
		})
		sched.WaitGroupWait(&threads)
	}, wrong
}

func pair(a, b string) [2]string { return [2]string{"figure.go:" + a, "figure.go:" + b} }

// Figure 2's race is made in every run, and its error in half of them, whatever
// number of statements stands before it; a random walk does worse and worse.
func TestFigure2(t *testing.T) {
	const runs = 1000
	for _, statements := range []int{0, 5, 50, 500} {
		program, wrong := figure2(statements)
		races, errors := 0, 0
		for seed := range runs {
			*wrong = false
			r := run(t, sched.Options{Strategy: "race", Pair: pair("8", "10"), Seed: uint64(seed)}, program)
			if r.Outcome != sched.OutcomeDone {
				t.Fatal(r.Outcome, r.Message)
			}
			if len(r.Races) == 1 && r.Races[0].First.Location == "figure.go:10:1" && r.Races[0].Second.Location == "figure.go:8:1" {
				races++
			}
			if *wrong {
				errors++
			}
		}
		t.Logf("%d statements: %d races, %d errors in %d runs", statements, races, errors, runs)
		if races != runs {
			t.Errorf("%d statements before it: a race in %d of %d runs", statements, races, runs)
		}
		if errors < 450 || errors > 550 {
			t.Errorf("%d statements before it: an error in %d of %d runs", statements, errors, runs)
		}
	}
	program, wrong := figure2(500)
	errors := 0
	for seed := range 200 {
		*wrong = false
		run(t, sched.Options{Seed: uint64(seed)}, program)
		if *wrong {
			errors++
		}
	}
	t.Logf("random walk, 500 statements: %d errors in 200 runs", errors)
	if errors > 20 {
		t.Errorf("a random walk makes the error in %d of 200 runs: then this program shows nothing", errors)
	}
}

// Figure 1: the hybrid pass names both pairs, and the second phase proves the one
// and never the other.
func TestFigure1(t *testing.T) {
	program, error1, error2 := figure1()
	candidates := make(map[string]bool)
	for seed := range 20 {
		r := run(t, sched.Options{Hybrid: true, Seed: uint64(seed)}, program)
		for _, c := range r.Candidates {
			candidates[c.First.Location+" "+c.Second.Location] = true
		}
	}
	want := map[string]bool{"figure.go:5:1 figure.go:7:1": true, "figure.go:10:1 figure.go:1:1": true}
	for c := range want {
		if !candidates[c] {
			t.Errorf("the hybrid pass misses %s: %v", c, candidates)
		}
	}
	for c := range candidates {
		if !want[c] {
			t.Errorf("the hybrid pass names %s", c)
		}
	}
	*error1 = false
	errors := 0
	for seed := range 500 {
		o := sched.Options{Strategy: "race", Pair: pair("1", "10"), Seed: uint64(seed)}
		if r := run(t, o, program); len(r.Races) != 0 || r.Outcome != sched.OutcomeDone {
			t.Fatalf("the false pair with seed %d: %v %v", seed, r.Outcome, r.Races)
		}
		*error1 = false
		o.Pair = pair("5", "7")
		if r := run(t, o, program); len(r.Races) != 1 {
			t.Fatalf("the real pair with seed %d: %v", seed, r.Races)
		}
		if *error1 {
			errors++
		}
	}
	if errors < 200 || errors > 300 {
		t.Errorf("ERROR1 in %d of 500 runs", errors)
	}
	if *error2 {
		t.Error("ERROR2 cannot be")
	}
}
