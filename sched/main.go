package sched

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

// Variable is the environment variable that Main obeys.
const Variable = "ATOMRACE_SCHED"

// Exit codes of a program under Main. Those of the program itself stay as they are.
const (
	ExitDeadlock = 67 // nobody can run any more; the report is on standard error
	ExitLimit    = 68 // Options.Limit decisions were not enough
	ExitOptions  = 69 // ATOMRACE_SCHED cannot be obeyed; nothing was run
)

// runs counts the runs of the process; busy is not 0 while there is one.
var runs, busy uint32

// Main calls run in the calling goroutine, under control if the environment
// variable ATOMRACE_SCHED is set and plainly otherwise. Its value is a list of
// settings, name=value separated by commas, as ParseOptions reads them.
//
// Main returns when run returns; the goroutines that are left then stay where
// they are. Under control it ends the process with ExitDeadlock or ExitLimit
// where those are the outcome. A panic and Goexit pass through it. In each of
// these cases the Result is written first, if Options.Record says where.
//
// A Main inside of another one calls run and nothing else.
func Main(run func()) {
	settings := os.Getenv(Variable)
	if settings == "" || Active() {
		run()
		return
	}
	options, err := ParseOptions(settings)
	var e *engine
	if err == nil {
		e, err = newEngine(options)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "atomrace: %s: %v\n", Variable, err)
		os.Exit(ExitOptions)
	}
	e.adopted = true
	e.foreigners = settled() - 1 // without this one
	g := e.create()
	g.begin()
	e.main = g
	e.begin(g)
	<-g.wake
	defer g.end()
	leave(g)
	run()
	g.returned = true
}

// Run calls f in a goroutine of its own under control, and returns when the run is
// over: when f has returned, panicked or called Goexit, or nobody could run any
// more. The goroutines that are left then stay where they are for ever. A panic of
// any goroutine ends the run and is in the Result. The error says what is wrong with the
// options; there is one run at a time in a process.
func Run(options Options, f func()) (Result, error) {
	e, err := newEngine(options)
	if err != nil {
		return Result{}, err
	}
	e.foreigners = settled()
	g := e.create()
	e.main = g
	go g.run(f)
	e.begin(g)
	<-e.over
	e.write()
	return e.result, nil
}

// begin hands the first token to the main goroutine.
func (e *engine) begin(g *Goroutine) {
	e.startWatching()
	e.hand(e.choose())
}

// newEngine prepares a run.
func newEngine(options Options) (*engine, error) {
	asked := options
	options.defaults()
	strategy, err := newStrategy(&options)
	if err != nil {
		return nil, err
	}
	if !countKnown() || !timersKnown() {
		return nil, fmt.Errorf("a WaitGroup or Timer of %s is made in another way than this version of atomrace knows: use another version of Go", runtime.Version())
	}
	if !atomic.CompareAndSwapUint32(&busy, 0, 1) {
		return nil, fmt.Errorf("another run is going on in this process: one at a time")
	}
	e := &engine{
		asked: asked, options: options, strategy: strategy, serial: atomic.AddUint32(&runs, 1) & (1<<31 - 1),
		timerOf: make(map[*time.Timer]*timer), tickerOf: make(map[*time.Ticker]*timer),
		channels: make(map[unsafe.Pointer]*channelQueue), locks: make(map[unsafe.Pointer]*lock),
		groups: make(map[unsafe.Pointer][]*Goroutine), conds: make(map[unsafe.Pointer][]*condWaiter),
		onces: make(map[unsafe.Pointer]*onceRun), trace: options.Trace,
		hash: 0xcbf29ce484222325, over: make(chan struct{}),
	}
	if options.Hybrid {
		e.hybrid = newHybrid()
	}
	e.watches = watching(&e.options)
	e.chains = options.Hybrid || options.Delay != ""
	return e, nil
}
