//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Every noise delays in every way: another goroutine sees in the traceback what the delayed
// one does.
func TestDelayKinds(t *testing.T) {
	const sleep, yield, busy = "time.Sleep(", "heal.yields(", "heal.spin("
	for _, test := range []struct{ length, want string }{
		{"500us", yield},
		{"500us/sleep", sleep},
		{"500us/yield", yield},
		{"500us/busy", busy},
		{"40ms", sleep},
		{"40ms/sleep", sleep},
		{"40ms/yield", yield},
		{"40ms/busy", busy},
	} {
		for _, noise := range []string{"random", "variable", "location", "adaptive"} {
			t.Run(noise+"/"+test.length, func(t *testing.T) {
				configured(t, "noise="+noise+":1000/"+test.length)
				l, x := newProgram(t).at(Write), new(int)
				suspect(l)
				var over atomic.Bool
				var ended sync.WaitGroup
				ended.Go(func() {
					for !over.Load() {
						Look(l, unsafe.Pointer(x), 8)
					}
				})
				for seen := false; !seen; {
					does := delaysNow()
					for _, kind := range []string{sleep, yield, busy} {
						if strings.Contains(does, kind) {
							seen = true
							if kind != test.want {
								t.Errorf("want %s in\n%s", test.want, does)
							}
						}
					}
				}
				over.Store(true)
				ended.Wait()
			})
		}
	}
}

// delaysNow is the traceback of the goroutine that noise delays, empty if there is none.
func delaysNow() string {
	buf := make([]byte, 1<<20)
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, "heal.delayKind.pause(") {
			return g
		}
	}
	return ""
}

// With one processor others run while a goroutine yields, and none while it is busy.
func TestWhoRunsMeanwhile(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	others := func(k delayKind, d time.Duration) bool {
		var ran atomic.Bool
		runtime.Gosched() // a whole time slice is left
		go ran.Store(true)
		k.pause(d)
		return ran.Load()
	}
	for _, k := range []delayKind{delayUnsaid, delaySleep, delayYield} {
		if !others(k, 5*time.Millisecond) {
			t.Errorf("kind %d let nobody run", k)
		}
	}
	kept := false
	for range 100 { // the garbage collector may have come in between
		kept = kept || !others(delayBusy, 100*time.Microsecond)
	}
	if !kept {
		t.Error("others ran while a goroutine was busy")
	}
}

// Who is busy stops for the garbage collector also where the runtime sends no signals: it is
// not over with its second when the collection is.
func TestBusyStopsForTheCollector(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ATOMRACE_SCENARIO=busy while garbage is collected", "GODEBUG=asyncpreemptoff=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "collected meanwhile\n") {
		t.Errorf("%v, output:\n%s", err, out)
	}
}

func busyCollected() {
	var begun, over atomic.Bool
	go func() {
		begun.Store(true)
		delayBusy.pause(20 * time.Second)
		over.Store(true)
	}()
	for !begun.Load() {
		runtime.Gosched()
	}
	runtime.GC()
	if over.Load() {
		fmt.Println("collected afterwards")
		return
	}
	fmt.Println("collected meanwhile")
}

func TestPauseAllocatesNothing(t *testing.T) {
	for k := delayUnsaid; k <= delayBusy; k++ {
		if n := testing.AllocsPerRun(20, func() { k.pause(20 * time.Microsecond) }); n > 0 {
			t.Errorf("kind %d: %v allocations", k, n)
		}
	}
}
