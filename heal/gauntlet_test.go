//go:build !atomrace_off

package heal

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

var gauntletRuns = flag.Int("gauntlet", 3, "how often each program of the deadlock gauntlet runs healed, with noise and without")

// gauntletWait is the bound of a healing wait in the gauntlet.
const gauntletWait = 2 * time.Millisecond

// gauntletSlack is what a machine with other things to do may add to a run. What
// hangs would hang for good.
const gauntletSlack = 20 * time.Second

// A course is one run of a program of the gauntlet.
type course struct {
	t    *testing.T
	name string
	vars int
}

// subject is a variable of such a program, with a section over it. The programs
// make no accesses to memory, only the hooks around them: what is at stake is
// whether they come to their end.
type subject struct {
	p                 *program
	s                 *Section
	load, store, poke *Location
	x                 *int
}

func (c *course) variable() *subject {
	p := &program{v: Variable{Package: "gauntlet/" + c.name, Name: fmt.Sprintf("T.v%d", c.vars)}}
	c.vars++
	s := p.section(fmt.Sprintf("%s/%d", c.name, c.vars))
	return &subject{p, s, p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write), new(int)}
}

func (c *course) variables(n int) []*subject {
	var all []*subject
	for range n {
		all = append(all, c.variable())
	}
	return all
}

// section opens the section, does what is inside, and comes to its end.
func (v *subject) section(f *Frame, inside func()) {
	access1(f, v.load, v.x)
	inside()
	access1(f, v.store, v.x)
}

// write is a single access from outside.
func (v *subject) write(f *Frame) { access1(f, v.poke, v.x) }

// hold is a critical section of the program's own lock, with a Hold of v ahead.
func (v *subject) hold(f *Frame, mu sync.Locker, site int, inside func()) {
	f.Hold(&v.p.v, unsafe.Pointer(v.x), site)
	mu.Lock()
	inside()
	mu.Unlock()
	f.Release(site)
}

// framed calls do with a Frame, as a function with hooks has one.
func framed(do func(f *Frame)) {
	f := Begin()
	defer f.End()
	do(&f)
}

// crowd runs n goroutines to their end.
func crowd(n int, do func(f *Frame, i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { framed(func(f *Frame) { do(f, i) }) })
	}
	all.Wait()
}

// meeting lets n goroutines wait for each other, without any hook.
type meeting struct{ all sync.WaitGroup }

func newMeeting(n int) *meeting {
	m := new(meeting)
	m.all.Add(n)
	return m
}

func (m *meeting) arrive() { m.all.Done(); m.all.Wait() }

// TestGauntlet runs programs that healing locks could bring to a standstill, with
// the lock forced on every section, assured or not, with noise at every access and then
// without any. Each
// comes to its end unhealed; healed it must do so, too, within the time that it
// takes unhealed and its bounded waits, and a lock that was not taken is reported.
// A watchdog decides.
func TestGauntlet(t *testing.T) {
	if len(gauntlet) < 40 {
		t.Fatalf("only %d programs", len(gauntlet))
	}
	runs := *gauntletRuns
	if testing.Short() {
		runs = 1
	}
	log := filepath.Join(t.TempDir(), "log")
	for _, program := range gauntlet {
		t.Run(program.name, func(t *testing.T) {
			configured(t, "noise=random:1000/20us")
			var unhealed time.Duration
			for range 2 {
				unhealed = max(unhealed, timed(t, program, gauntletSlack))
			}
			configured(t, fmt.Sprintf("heal=lock breaker=0 wait=%v noise=random:1000/20us log_path=%s", gauntletWait, log))
			start, longest := Stats(), time.Duration(0)
			for run := range 2 * runs {
				if run == runs { // sections that nobody comes near go the fast way
					configured(t, fmt.Sprintf("heal=lock breaker=0 wait=%v log_path=%s", gauntletWait, log))
				}
				registry.mu.Lock()
				registry.said = nil
				registry.mu.Unlock()
				_ = os.Remove(fmt.Sprintf("%s.%d", log, os.Getpid()))
				output.Lock()
				output.path = ""
				output.Unlock()
				before := Stats()
				took := timed(t, program, 2*unhealed+gauntletSlack)
				longest = max(longest, took)
				after := Stats()
				waits := after.Waits - before.Waits
				if most := 2*unhealed + time.Duration(waits)*2*gauntletWait + gauntletSlack/4; took > most {
					t.Errorf("took %v with %d healing waits, %v unhealed", took, waits, unhealed)
				}
				text, _ := os.ReadFile(fmt.Sprintf("%s.%d", log, os.Getpid()))
				if said := strings.Contains(string(text), "going on without it"); said != (after.Timeouts > before.Timeouts) {
					t.Errorf("%d fallbacks, reported: %v", after.Timeouts-before.Timeouts, said)
				}
				idle(t)
			}
			end := Stats()
			t.Logf("%d healing waits, %d locks not taken, %d of them for a cycle; at most %v, unhealed %v",
				end.Waits-start.Waits, end.Timeouts-start.Timeouts, end.Cycles-start.Cycles, longest, unhealed)
		})
	}
}

// timed runs the program once under a watchdog.
func timed(t *testing.T, p contestant, most time.Duration) time.Duration {
	t.Helper()
	done := make(chan struct{})
	start := time.Now()
	go func() {
		defer close(done)
		p.run(&course{t: t, name: p.name})
	}()
	dog := time.NewTimer(most)
	defer dog.Stop()
	select {
	case <-done:
	case <-dog.C:
		var stacks strings.Builder
		_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
		t.Fatalf("still running after %v, healing %v\n%s", most, settings().heal, &stacks)
	}
	runtime.Gosched()
	return time.Since(start)
}

// contestant is one program of the gauntlet.
type contestant struct {
	name string
	run  func(c *course)
}
