//go:build !atomrace_off

package heal

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"
)

const (
	fuzzPlayers  = 3
	fuzzThings   = 3
	fuzzSections = 3 // the last one is of updates
	fuzzBreaker  = 3
)

// fuzzed is the memory of the things. The last one shares its bucket with the first.
var fuzzed [1<<bucketBits + 2]uint64

func thingAt(thing int) *uint64 { return &fuzzed[[fuzzThings]int{0, 1, 1 << bucketBits}[thing]] }

func sameBucket(a, b int) bool { return a == b || a != 1 && b != 1 }

// fuzzTables are those of the fuzzed program. They live as long as the process, as
// tables do: the buckets keep their addresses as numbers.
type fuzzTables struct {
	v                                      Variable
	sections                               [fuzzSections]*Section
	single, first, both, endFirst, endBoth *Location
	read, written                          *Location // of an update
}

var fuzzTable = func() *fuzzTables {
	p := new(fuzzTables)
	p.v = Variable{Package: "example.com/fuzzed", Name: "T.f", Type: "uint64"}
	for i := range p.sections {
		p.sections[i] = &Section{ID: fmt.Sprintf("fuzzed/%d", i), Pattern: "load-and-store", Var: &p.v, Assured: i == 0}
	}
	s, u := p.sections[0], p.sections[1]
	// Every end allows every access: what is at stake is the healing, not the verdict.
	p.single = &Location{Var: &p.v, Mode: Write, Function: new(Function)}
	p.first = &Location{Var: &p.v, Mode: Read, Function: new(Function), Bounds: &Bounds{Entry: []*Section{s}}}
	p.both = &Location{Var: &p.v, Mode: Read, Function: new(Function), Bounds: &Bounds{Entry: []*Section{s, u}}}
	p.endFirst = &Location{Var: &p.v, Mode: Write, Function: new(Function), Bounds: &Bounds{Ends: []End{{Section: s, Allow: ReadWrite}}}}
	p.endBoth = &Location{Var: &p.v, Mode: Write, Function: new(Function), Bounds: &Bounds{Ends: []End{{Section: s, Allow: ReadWrite}, {Section: u, Allow: ReadWrite}}}}
	p.read = &Location{Var: &p.v, Mode: Read, Function: new(Function), Bounds: &Bounds{Entry: p.sections[2:]}}
	p.written = &Location{Var: &p.v, Mode: Write, Function: new(Function), Bounds: &Bounds{Ends: []End{{Section: p.sections[2], Allow: ReadWrite}}}}
	return p
}()

// numbers are those of the sections, for the model.
func numbers(entered []*Section) (n []int) {
	for _, s := range entered {
		for i := range fuzzTable.sections {
			if fuzzTable.sections[i] == s {
				n = append(n, i)
			}
		}
	}
	return n
}

// What a step of a script does.
const (
	opAccess = iota // single, or where a section begins or ends
	opBegin         // the hook before such an access alone
	opFinish        // the one after it; without, it has panicked
	opHold
	opRelease
	opUpdate
	opExit
	opCall
	opReturn
	opPanic
	opGoexit
	opClock // from here on: steps of nobody
	opPolicy
	opBroken
	opSuspend
	ops
)

// fuzzMix is how often a byte of a script means which step, in 32.
var fuzzMix = func() (mix []int) {
	for op, n := range [ops]int{6, 3, 2, 4, 2, 2, 1, 2, 2, 1, 1, 3, 1, 1, 1} {
		for range n {
			mix = append(mix, op)
		}
	}
	return mix
}()

// fuzzStep is one of a script.
type fuzzStep struct {
	op, player, thing, extra int
}

func decode(script []byte) (steps []fuzzStep) {
	for ; len(script) >= 2; script = script[2:] {
		steps = append(steps, fuzzStep{fuzzMix[script[0]>>3], int(script[0]&7) % fuzzPlayers, int(script[1]) % fuzzThings, int(script[1]) / fuzzThings})
	}
	return steps
}

func (s fuzzStep) String() string {
	name := [ops]string{"access", "begin", "finish", "hold", "release", "update", "exit", "call", "return", "panic", "goexit", "clock", "policy", "broken", "suspend"}[s.op]
	if s.op < opClock {
		return fmt.Sprintf("%d:%s(%d,%d)", s.player, name, s.thing, s.extra)
	}
	return fmt.Sprintf("%s(%d,%d)", name, s.thing, s.extra)
}

// location is that of an access.
func (s fuzzStep) location() *Location {
	p := fuzzTable
	return []*Location{p.single, p.first, p.both, p.endFirst, p.endBoth}[s.extra%5]
}

func (s fuzzStep) site() int { return s.extra % 2 }

// fuzzPlayer is a goroutine of the fuzzed program.
type fuzzPlayer struct {
	tag    G
	steps  chan fuzzStep
	frames []*Frame    // of its activations, outermost first
	half   []*fuzzStep // a hook before an access, whose hook after it has not come yet
	over   bool        // it is to end
	dead   bool

	// What it does: one step at a time. The driver reads that when the player waits
	// or has come to the end of the step.
	busy  atomic.Bool
	step  fuzzStep
	tried []attempt
	tries atomic.Int32 // so many, for the driver in the middle of a step

	// What the driver knows of a step that has not been accounted for yet.
	owing     bool
	before    modelPolicy // when it began
	epoch     int
	began     time.Time
	blocked   bool // another player had to do with the thing at some time since
	idleSince time.Time
	cycle     time.Time
}

// live is the life of one goroutine of p.
func (p *fuzzPlayer) live() {
	p.tag = self().tag()
	defer func() {
		recover() // what opPanic has thrown
		p.dead = true
		p.busy.Store(false)
	}()
	for !p.over {
		p.activation()
	}
}

// activation is one function with hooks.
func (p *fuzzPlayer) activation() {
	f := Begin()
	p.frames, p.half = append(p.frames, &f), append(p.half, nil)
	defer func() { p.frames, p.half = p.frames[:len(p.frames)-1], p.half[:len(p.half)-1] }()
	defer f.End()
	steps := p.steps
	for step := range steps {
		switch step.op {
		case opReturn:
			p.busy.Store(false)
			return
		case opCall:
			p.busy.Store(false)
			p.activation()
		case opPanic:
			panic("of the program")
		case opGoexit:
			runtime.Goexit()
		default:
			p.do(&f, step)
			p.busy.Store(false)
		}
	}
	p.over = true
}

// do makes the hooks' calls of one step.
func (p *fuzzPlayer) do(f *Frame, s fuzzStep) {
	at := unsafe.Pointer(thingAt(s.thing))
	half := &p.half[len(p.half)-1]
	switch s.op {
	case opAccess, opBegin:
		p.begin(f, s.location(), s.thing)
		if s.op == opBegin {
			*half = &s
		} else {
			f.After(s.location(), at)
		}
	case opFinish:
		f.After(s.location(), at)
		*half = nil
	case opHold:
		a := attempt{thing: s.thing, from: time.Now()}
		again, _, _ := f.held(s.site(), at)
		f.Hold(&fuzzTable.v, at, s.site())
		if ok, got, missed := f.held(s.site(), at); ok && !again {
			a.got, a.asked = got, got || missed
		}
		a.to = time.Now()
		p.note(a)
	case opRelease:
		f.Release(s.site())
	case opExit:
		f.Exit(fuzzTable.sections[s.extra%fuzzSections])
	case opUpdate:
		from := time.Now()
		if word, ok := Enter(Self(), fuzzTable.read, fuzzTable.written, at, 8); ok {
			Leave(word, Self(), fuzzTable.read, fuzzTable.written, at, 8)
			p.note(attempt{s.thing, word != nil, word != nil, from, time.Now()})
			return
		}
		for _, l := range []*Location{fuzzTable.read, fuzzTable.written} {
			p.begin(f, l, s.thing)
			f.After(l, at)
		}
	}
}

func (p *fuzzPlayer) note(a attempt) {
	p.tried = append(p.tried, a)
	p.tries.Add(1)
}

// begin is the hook before an access.
func (p *fuzzPlayer) begin(f *Frame, l *Location, thing int) {
	a := attempt{thing: thing, from: time.Now()}
	at := unsafe.Pointer(thingAt(thing))
	f.Before(l, at, 8)
	a.to = time.Now()
	a.got = f.isFastAt(at) || f.pending() && f.win.lock != nil
	a.asked = a.got || f.pending() && f.win.asked
	p.note(a)
}

// held says whether there is the Hold of the site, of the thing there, whether it has the
// lock, and whether it has asked for it in vain.
func (f *Frame) held(site int, at unsafe.Pointer) (ok, got, missed bool) {
	if f.isFastAt(at) && f.heldFast()&(1<<site) != 0 {
		return true, true, false
	}
	if f.activation == nil {
		return false, false, false
	}
	for i := range f.holds {
		if h := &f.holds[i]; h.site == site && h.in.addr == uintptr(at) {
			return true, h.lock != nil, h.missed
		}
	}
	return false, false, false
}
