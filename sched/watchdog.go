package sched

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// strays counts the goroutines that were given up, so that all other goroutines
// that are not under control are known as such at once.
var strays int32

// spinning is how many looks of the watchdog, two for each Options.Patience, a
// goroutine may compute without coming to a scheduling point: after that it is taken
// to wait for somebody else in a loop that is not instrumented.
const spinning = 500

// A watchdog looks from outside whether the goroutine with the token comes to a
// point. One that is blocked in something which is not instrumented is given up,
// and the token passed on; it takes its place again at its next point. The watchdog
// is a timer of the real clock, so that the program has no goroutine more than it
// would have.
type watchdog struct {
	timer *time.Timer
	g     *Goroutine // that had the token at the last look
	word  uint64     // of g
	looks int        // that have found it so since
	next  int        // of them is the next that asks the runtime

	asked time.Time     // when the last one did
	cost  time.Duration // what that took
}

// thrift is how many times what it takes to ask the runtime passes before it is asked
// again: with a hundred thousand goroutines, that is seconds.
const thrift = 20

// startWatching begins the looks, twice in each span of patience.
func (e *engine) startWatching() {
	e.watchdog.timer = time.AfterFunc(time.Hour, e.watch)
	e.watchdog.timer.Reset(e.options.Patience / 2)
}

// watch is one look.
func (e *engine) watch() {
	if atomic.LoadUint32(&e.isOver) != 0 {
		return
	}
	e.look()
	e.watchdog.timer.Reset(e.options.Patience / 2)
}

func (e *engine) look() {
	d := &e.watchdog
	g := (*Goroutine)(atomic.LoadPointer(&current))
	if g == nil || g.engine != e {
		return
	}
	word := atomic.LoadUint64(&g.word)
	if g != d.g || word != d.word || word&status != running {
		d.g, d.word, d.looks, d.next = g, word, 0, 2
		return
	}
	// Looks are counted and not time: a machine that is busy elsewhere makes both
	// the program and the watchdog wait. A look at the stacks stops the program, so
	// they become rare: after 2, 4, 8 looks and so on.
	d.looks++
	if d.looks < min(d.next, spinning) || time.Since(d.asked) < thrift*d.cost {
		return
	}
	begin := time.Now()
	blocked, doing := doingOf(g.number)
	d.asked, d.next = time.Now(), 2*d.looks
	d.cost = d.asked.Sub(begin)
	if !blocked && d.looks < spinning {
		return
	}
	if atomic.CompareAndSwapUint64(&g.word, word, word+turn|lost) {
		d.g = nil
		e.giveUp(g, doing)
	}
}

// remained is how many goroutines the process has had after its last run, apart from
// those that were just ending; 0 before its first.
var remained int32

// settled counts the goroutines of the process, after those that are just ending
// have had some time to.
func settled() int {
	n, want := countGoroutines(), int(atomic.LoadInt32(&remained))
	for tries := 0; want > 0 && n > want && tries < 100; tries++ {
		if tries >= 20 {
			time.Sleep(20 * time.Microsecond)
		}
		n = min(n, countGoroutines())
	}
	return n
}

// countGoroutines is runtime.NumGoroutine for when too few would be taken for the
// truth. The runtime adds up numbers that others change meanwhile, and may for a
// moment be some too low.
func countGoroutines() int {
	n := runtime.NumGoroutine()
	for range 3 {
		runtime.Gosched()
		n = max(n, runtime.NumGoroutine())
	}
	return n
}

// giveUp passes the token of g on. The watchdog has it until then.
func (e *engine) giveUp(g *Goroutine, doing string) {
	e.uncontrol(fmt.Sprintf("goroutine %d was %s, which is not instrumented, for more than %v", g.ID, doing, e.options.Patience))
	e.lose(g)
	e.passOn()
}

// uncontrol says, once a run, why it is not deterministic any more.
func (e *engine) uncontrol(why string) {
	if e.uncontrolled == "" {
		e.uncontrolled = fmt.Sprintf("since decision %d: %s", e.state.Decision, why)
		e.warn("the run is not deterministic " + e.uncontrolled)
	}
}

// stray is enter for a goroutine that has not the token: one that was given up, or
// one that is not under control.
func stray() *Goroutine {
	if atomic.LoadInt32(&strays) == 0 {
		return nil
	}
	holder := (*Goroutine)(atomic.LoadPointer(&current))
	if holder == nil {
		return nil
	}
	e := holder.engine
	self := identity()
	var g *Goroutine
	e.inbox.acquire()
	for _, l := range e.inbox.lost {
		if atomic.LoadUintptr(&l.identity) == self && atomic.LoadUint64(&l.word)&status == lost {
			g = l
		}
	}
	e.inbox.release()
	if g == nil {
		return nil
	}
	return g.comeBack()
}

// comeBack puts a goroutine that was given up among the others again. It returns
// when it was chosen.
func (g *Goroutine) comeBack() *Goroutine {
	e := g.engine
	//atomrace:ignore atomic-load-and-store nobody else changes the word of a goroutine that is lost
	atomic.StoreUint64(&g.word, atomic.LoadUint64(&g.word)&^status+turn|inside)
	e.inbox.put(func() {
		e.lost--
		e.inbox.acquire()
		e.inbox.lost = without(e.inbox.lost, g)
		atomic.AddInt32(&strays, -1)
		e.inbox.release()
		e.enable(g)
	})
	<-g.wake
	return g
}

func without(list []*Goroutine, g *Goroutine) []*Goroutine {
	var rest []*Goroutine
	for _, l := range list {
		if l != g {
			rest = append(rest, l)
		}
	}
	return rest
}

// doingOf says what the runtime thinks that the goroutine with the number is
// doing, and whether that is waiting. It stops the world; nobody else makes
// progress at that time anyway.
func doingOf(number uint64) (blocked bool, doing string) {
	block := stackOf(number)
	header, _, _ := strings.Cut(block, "\n")
	_, state, _ := strings.Cut(header, "[")
	state, _, _ = strings.Cut(state, "]")
	state, _, _ = strings.Cut(state, ",")
	doing = "in " + strconv.Quote(state)
	if where := outside(block); where != "" {
		doing += " in " + where
	}
	for _, wait := range waits {
		if strings.HasPrefix(state, wait) {
			return true, doing
		}
	}
	return false, doing
}

// waits are the beginnings of what tracebacks say of goroutines that wait for
// somebody. All other states, such as helping the garbage collector, end by
// themselves.
var waits = []string{"IO wait", "chan ", "select", "semacquire", "sleep", "sync.", "syscall"}

// stackOf returns the traceback of a goroutine; empty if there is none. The runtime goes
// over all goroutines each time, whatever room there is for what it finds.
func stackOf(number uint64) string {
	buf := make([]byte, min(max(1<<16, runtime.NumGoroutine()<<11), 1<<26))
	n := runtime.Stack(buf, true)
	for n == len(buf) && n < 1<<26 {
		buf = make([]byte, 2*len(buf))
		n = runtime.Stack(buf, true)
	}
	header := "goroutine " + strconv.FormatUint(number, 10) + " "
	for _, block := range strings.Split(string(buf[:n]), "\n\n") {
		if strings.HasPrefix(block, header) {
			return block
		}
	}
	return ""
}

// outside returns the innermost function in a goroutine's traceback that is not the
// runtime's or its like, with its place.
func outside(stack string) string {
	_, frames, _ := strings.Cut(stack, "\n")
	lines := strings.Split(frames, "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		function, place := lines[i], strings.TrimSpace(lines[i+1])
		if isLibrary(function) || strings.HasPrefix(function, "internal/") || strings.HasPrefix(function, "syscall.") {
			continue
		}
		if at := strings.LastIndex(function, "("); at > 0 {
			function = function[:at]
		}
		place, _, _ = strings.Cut(place, " +0x")
		return function + " at " + place
	}
	return ""
}
