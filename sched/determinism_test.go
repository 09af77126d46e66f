package sched_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// mixture uses all operations, in goroutines whose number and order follow from
// the schedule: small differences anywhere become large ones.
func mixture() {
	var m sync.Mutex
	var rw sync.RWMutex
	var all sync.WaitGroup
	var once sync.Once
	cond := sync.NewCond(&m)
	jobs, results := make(chan int), make(chan int, 3)
	quit := make(chan bool)
	shared := new(int)
	loc := at(1, "shared")
	sum := 0
	for i := range 3 {
		sched.WaitGroupGo(&all, func() {
			for {
				var job int
				var open bool
				ticks, _ := sched.After(time.Duration(sched.Intn(5)) * time.Microsecond)
				switch sched.Select(true, sched.ReceiveCase(jobs, &job, &open), sched.ReceiveCase(ticks, nil, nil), sched.ReceiveCase(quit, nil, nil)) {
				case 0:
					sched.OnceDo(&once, func() { sched.Sleep(time.Microsecond) })
					write(loc, shared, read(loc, shared)+job)
					sched.Send(results, job+i)
				case 1:
					sched.RWMutexRLock(&rw)
					sched.Atomic(nil, unsafe.Pointer(shared), false)
					sched.RWMutexRUnlock(&rw)
				case 2:
					return
				}
			}
		})
	}
	sched.Go(func() {
		for i := range 6 {
			sched.Send(jobs, i)
		}
		sched.RWMutexLock(&rw)
		sched.RWMutexUnlock(&rw)
	})
	sched.Go(func() {
		for range 6 {
			v := sched.Receive(results)
			sched.MutexLock(&m)
			sum += v
			sched.CondSignal(cond)
			sched.MutexUnlock(&m)
		}
		sched.Close(quit)
	})
	sched.MutexLock(&m)
	for sum < 10 {
		sched.CondWait(cond)
	}
	sched.MutexUnlock(&m)
	sched.WaitGroupWait(&all)
}

// The same seed is the same run, and different seeds are different runs.
func TestSameSeed(t *testing.T) {
	hashes := make(map[string]bool)
	n := 0
	for _, o := range strategies {
		o.NoAccess = o.Strategy == "pct"
		for seed := range seeds {
			o.Seed = uint64(seed)
			first, second := run(t, o, mixture), run(t, o, mixture)
			done(t, first)
			if first.Hash != second.Hash || first.Schedule != second.Schedule || first.Decisions != second.Decisions {
				t.Fatalf("%v: %s and %s\n%s\n%s", o, first.Hash, second.Hash, first.Schedule, second.Schedule)
			}
			if o.Strategy != "roundrobin" { // which has few schedules
				hashes[first.Hash] = true
				n++
			}
		}
	}
	if len(hashes) < n*9/10 {
		t.Errorf("%d different runs of %d", len(hashes), n)
	}
	t.Logf("%d runs twice, %d different", n, len(hashes))
}

// What a seed means does not change by itself: on no machine, with no build (the race
// detector's, 32 bits) and with no version of Go. Whoever changes the engine or a
// strategy such that it does, makes the seeds that people have written down worthless;
// this is where they see it.
func TestSeedsKeepTheirMeaning(t *testing.T) {
	want := map[string]string{
		"random": "c99ad3a8c4c71859", "pct": "539e4c34f87b1596", "pos": "737f30e7af13c2ba",
		"roundrobin": "1a187c814fc5d7f2", "atomicity": "b1f3013d0f7e3550", "race": "4c7bddad0e20e64b",
	}
	for _, o := range strategies {
		o.Seed = 7
		if r := run(t, o, mixture); r.Hash != want[o.Strategy] {
			t.Errorf("%s: %s, want %s", o.Strategy, r.Hash, want[o.Strategy])
		}
	}
}

// A schedule that was recorded is followed exactly, and its trace and that of the
// run it comes from are the same.
func TestReplay(t *testing.T) {
	for _, o := range strategies {
		for seed := range 50 {
			o.Seed, o.Trace = uint64(seed), true
			first := run(t, o, mixture)
			replay := o.Replaying(first.Schedule)
			replay.Trace = true
			again := run(t, replay, mixture)
			if again.Hash != first.Hash || again.Schedule != first.Schedule || again.Diverged != "" {
				t.Fatalf("%v: %s\n%s\n%s", o, again.Diverged, first.Schedule, again.Schedule)
			}
			if fmt.Sprint(first.Trace) != fmt.Sprint(again.Trace) {
				t.Fatalf("%v: the traces differ", o)
			}
		}
	}
}

// programs are what the test binary runs instead of tests when programVariable
// names one.
var programs = map[string]func(){"mixture": mixture}

const programVariable = "ATOMRACE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if program := programs[os.Getenv(programVariable)]; program != nil {
		sched.Main(program)
		return
	}
	os.Exit(m.Run())
}

// process runs a program in a process of its own and returns its Result, its exit
// code and what it wrote to standard error.
func process(t *testing.T, program string, o sched.Options, env ...string) (sched.Result, int, string) {
	t.Helper()
	o.Record = filepath.Join(t.TempDir(), "record, with 100%+.json")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0", programVariable+"="+program, sched.Variable+"="+o.String()), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	code := 0
	if err := cmd.Run(); err != nil {
		exit, ok := err.(*exec.ExitError)
		if !ok {
			t.Fatal(err)
		}
		code = exit.ExitCode()
	}
	var r sched.Result
	text, err := os.ReadFile(o.Record)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	return r, code, stderr.String()
}

// Other processes, other numbers of processors, another garbage collector: the same
// run.
func TestSameSeedElsewhere(t *testing.T) {
	for _, o := range strategies {
		o.Seed = 42
		want := run(t, o, mixture)
		for _, env := range [][]string{{"GOMAXPROCS=1"}, {"GOMAXPROCS=2"}, {"GOMAXPROCS=8", "GOGC=5"}} {
			got, code, stderr := process(t, "mixture", o, env...)
			if got.Hash != want.Hash || got.Schedule != want.Schedule || code != 0 || stderr != "" {
				t.Errorf("%v %v: %s for %s, exit code %d, %s", o, env, got.Schedule, want.Schedule, code, stderr)
			}
		}
	}
}
