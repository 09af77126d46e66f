package sched

import (
	"bytes"
	"runtime"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// A Goroutine is one that is under control. Strategies read ID and Next; all else
// is the engine's.
type Goroutine struct {
	word uint64 // status and a count of changes; see the constants. First, for its alignment on 32 bits

	ID   int       // from 1, in the order in which they were started
	Next Operation // what it does when it is chosen, NextStmt of papers/000

	engine   *engine
	identity uintptr       // of the running goroutine; 0 before it has begun
	number   uint64        // that the runtime prints in tracebacks
	wake     chan struct{} // holds a value while the token is on its way here
	enabled  bool          // is it in engine.enabled?
	dead     bool
	returned bool // its function came to its end
	stays    bool // see Stay
	random   source

	waiting  []*waiter      // on channels, one a case
	chosen   int            // which of them was completed, by somebody else
	closed   bool           // by a close
	obstacle obstacle       // what it waits for
	passing  unsafe.Pointer // the sync.Once whose real Do it is about to call
	where    string         // position of Next, in a trace
	chain    string         // of calls to Next, if it is a lock and somebody wants to know
	open     []*openSection
	frames   int // activations of functions that enter sections
	calls    []calling
	pending  pending // of the sync.Map operation that it is about to call
	clock    clock   // of the hybrid pass
	held     []heldLock
}

// The status of a goroutine is in the lowest two bits of its word. The rest counts
// how often it entered the engine, so that the watchdog sees progress.
const (
	running = 0 // in the program; may enter the engine, may be given up by the watchdog
	inside  = 1 // in the engine, with the token or waiting for it
	lost    = 2 // the watchdog gave the token to somebody else
	status  = 3
	turn    = 4
)

// current is the *Goroutine that has the token, nil outside of runs. It and all
// other words that are shared with goroutines without the token are read by the
// functions of sync/atomic and not by its types: a patched standard library has
// hooks in the methods of the types, and this is what the hooks call.
var current unsafe.Pointer

// enter is the beginning of all operations. It returns the calling goroutine if it
// is under control, now inside the engine and with the token, and nil if it is not
// or if it is inside already: the engine's own use of the standard library.
func enter() *Goroutine {
	g := (*Goroutine)(atomic.LoadPointer(&current))
	if g == nil {
		return nil
	}
	if atomic.LoadUintptr(&g.identity) != identity() {
		return stray()
	}
	word := atomic.LoadUint64(&g.word)
	if word&status == running && atomic.CompareAndSwapUint64(&g.word, word, word+turn|inside) {
		return g
	}
	if atomic.LoadUint64(&g.word)&status == lost {
		return g.comeBack()
	}
	return nil
}

// leave is the end of all operations: back to the program.
func leave(g *Goroutine) {
	//atomrace:ignore atomic-load-and-store nobody else changes the word of a goroutine that is inside
	atomic.StoreUint64(&g.word, atomic.LoadUint64(&g.word)&^status|running)
}

// goroutineNumber returns the number that tracebacks have for the calling
// goroutine.
func goroutineNumber() uint64 {
	var buf [64]byte
	n := runtime.Stack(buf[:], false)
	header := bytes.TrimPrefix(buf[:n], []byte("goroutine "))
	digits, _, _ := bytes.Cut(header, []byte(" "))
	number, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0 // another form of traceback: the watchdog then knows nobody
	}
	return number
}

// begin makes the calling goroutine g.
func (g *Goroutine) begin() {
	g.number = goroutineNumber()
	atomic.StoreUintptr(&g.identity, identity())
}

// Go is the go statement: it starts f as a goroutine under control if the caller
// is, and as a plain one otherwise.
func Go(f func()) {
	g := enter()
	if g == nil {
		go f()
		return
	}
	g.engine.start(g.engine.clockOf(g), f)
	leave(g)
}

// start makes a goroutine that will run f and is enabled from now on. What came
// before past happened before it.
func (e *engine) start(past clock, f func()) {
	g := e.create()
	g.clock.join(past)
	if e.trace {
		g.where = position()
	}
	go g.run(f)
}

// run is the life of a goroutine.
func (g *Goroutine) run(f func()) {
	g.begin()
	<-g.wake
	defer g.end()
	leave(g)
	f()
	g.returned = true
}

// end is deferred around everything that a goroutine runs. A panic goes on after
// it has been written down, unless Run wants to know of it; a goroutine that
// returned or called Goexit passes the token on for the last time.
func (g *Goroutine) end() {
	var value any
	if !g.returned {
		value = recover() // nil after Goexit
	}
	e := g.engine
	if enter() == nil {
		panicAgain(value) // the run is over, and this one was forgotten in it
		return
	}
	if value != nil {
		e.panicked(g, value)
		leave(g)
		panicAgain(value)
	}
	e.exit(g)
}

func panicAgain(value any) {
	if value != nil {
		panic(value)
	}
}

// Yield is runtime.Gosched: a scheduling point and nothing else.
func Yield() (done bool) {
	g := enter()
	if g == nil {
		return false
	}
	g.engine.point(g, Operation{Kind: Yielding})
	leave(g)
	return true
}

// Active says whether the calling goroutine is under control.
func Active() bool {
	g := enter()
	if g == nil {
		return false
	}
	leave(g)
	return true
}

// Inside says whether what the calling goroutine opens on the loopback interface stays
// within the process: whether it is under control, and Options.RealNetwork not set.
func Inside() bool {
	g := enter()
	if g == nil {
		return false
	}
	inside := !g.engine.options.RealNetwork
	leave(g)
	return inside
}

// Intn returns a number in [0, n) that follows from the seed, for map iteration
// order and the like; 0 outside of control. Each goroutine has numbers of its own,
// which depend on nothing that the others do.
func Intn(n int) int {
	if n <= 0 {
		return 0
	}
	x, _ := Uint64()
	return int(x % uint64(n))
}

// Uint64 returns 64 bits that follow from the seed, and true under control.
func Uint64() (bits uint64, done bool) {
	g := enter()
	if g == nil {
		return 0, false
	}
	bits = g.random.next()
	leave(g)
	return bits, true
}
