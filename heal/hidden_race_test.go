//go:build !atomrace_off && race

package heal

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// relay orders two goroutines in time and not for the race detector.
var relay uint64

//go:norace
func passOn() { storeWord(&relay, 1) }

//go:norace
func passed() bool { return loadWord(&relay) == 1 }

func init() {
	scenarios["racy for the race detector"] = func() {
		v := &Variable{Package: "main", Name: "x"}
		s := &Section{ID: "S", Var: v}
		load := &Location{Var: v, Mode: Read, Function: new(Function), Race: true, Bounds: &Bounds{Entry: []*Section{s}}}
		store := &Location{Var: v, Mode: Write, Function: new(Function), Race: true, Bounds: &Bounds{Ends: []End{{Section: s, Allow: Read}}}}
		v.info() // the tables are registered, once, under an ordinary lock
		settings()
		x := new([1 << 17]int)
		done := make(chan struct{}, 2)
		run := func() {
			f := Begin()
			increment(&f, load, store, &x[0])
			f.End()
		}
		go func() { run(); passOn(); done <- struct{}{} }()
		go func() {
			for !passed() {
				runtime.Gosched()
			}
			run()
			done <- struct{}{}
		}()
		<-done
		<-done
	}
}

// heal's bookkeeping must not order the host's goroutines: a race between two
// hooked accesses is still seen by the race detector. The healing lock does
// order them.
func TestRaceDetectorStillSees(t *testing.T) {
	for _, test := range []struct {
		settings string
		seen     bool
	}{{"", true}, {"noise=random:1000/0s", true}, {"heal=yield", true}, {"heal=lock", false}} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "ATOMRACE_SCENARIO=racy for the race detector", "ATOMRACE="+test.settings, "GORACE=atexit_sleep_ms=0")
		out, _ := cmd.CombinedOutput()
		if seen := strings.Contains(string(out), "WARNING: DATA RACE"); seen != test.seen {
			t.Errorf("ATOMRACE=%q: seen = %v, want %v\n%s", test.settings, seen, test.seen, out)
		}
	}
}
