//go:build !atomrace_off

package heal

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

var fuzzSteps = flag.Int("healsteps", 10, "how many steps of a script FuzzHealing plays")

// FuzzHealing lets goroutines make accesses, Holds, calls and exits in the order of a
// script, while the clock goes on, policies change and healing is suspended, and
// compares who has which healing lock with a model (lockmodel_test.go). Besides: who is
// refused a lock, or waits for it, has somebody else in the way; waits end within their
// bounds, and cycles at once; in the end nothing is held, and the counters add up.
func FuzzHealing(f *testing.F) {
	fuzzing(f)
	for seed := range uint64(100) {
		f.Add(randomScript(rand.New(rand.NewPCG(seed, 2)), *fuzzSteps))
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		synctest.Test(t, func(t *testing.T) { playScript(t, script[:min(len(script), 1+2**fuzzSteps)]) })
	})
}

// Random scripts, as FuzzHealing plays them.
func TestHealingModel(t *testing.T) {
	fuzzing(t)
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		script := randomScript(r, 40)
		synctest.Test(t, func(t *testing.T) { playScript(t, script) })
	}
	idle(t)
}

func randomScript(r *rand.Rand, steps int) []byte {
	script := make([]byte, 1+2*steps)
	for i := range script {
		script[i] = byte(r.Uint32())
	}
	return script
}

// fuzzing puts what heal says out of the way, and the settings back at the end. One
// processor is quicker, for the players take turns, and one script is always one run.
func fuzzing(t testing.TB) {
	procs := runtime.GOMAXPROCS(1)
	log := filepath.Join(t.TempDir(), "log")
	environment(t, "log_path="+log)
	before := settings()
	output.Lock()
	path, file := output.path, output.file
	output.Unlock()
	t.Cleanup(func() {
		runtime.GOMAXPROCS(procs)
		Defaults("")
		force(before)
		output.Lock()
		defer output.Unlock()
		output.file.Close()
		output.path, output.file = path, file
	})
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	output.Lock()
	output.path, output.file = log, null
	output.Unlock()
}

// fuzzGame is one execution of a script.
type fuzzGame struct {
	t       *testing.T
	script  []fuzzStep
	done    int
	players [fuzzPlayers]*fuzzPlayer
	model   lockModel
	wait    time.Duration
	base    Policy // of ATOMRACE
	epoch   int    // of the policies
	changed time.Time
	// since when healing is suspended, if it is
	suspended time.Time
	opened    uint64 // breakers at the last look
	unhealed  uint64 // and those of the back-offs

	refused, unsure int // attempts that were refused, and of these, not for certain
	timedOut, blown int // waits in vain since the breaker was put back, for certain and at most
}

func (g *fuzzGame) fail(format string, args ...any) {
	g.t.Helper()
	var trace []string
	for i, s := range g.script {
		trace = append(trace, s.String())
		if i == g.done {
			trace = append(trace, "<here>")
		}
	}
	g.t.Fatalf("%s\nheal=%v wait=%v: %s", fmt.Sprintf(format, args...), g.base, g.wait, strings.Join(trace, " "))
}

// playScript runs the script in a bubble, whose clock makes waiting exact and free.
func playScript(t *testing.T, script []byte) {
	if len(script) == 0 {
		return
	}
	g := &fuzzGame{
		t: t, script: decode(script[1:]), changed: time.Now(),
		wait: []time.Duration{6 * time.Millisecond, time.Millisecond}[script[0]%2],
		base: []Policy{PolicyLock, PolicyLock, PolicyAuto, PolicyYield, PolicyOff}[int(script[0]>>1)%5],
	}
	g.reset()
	defer func() { g.end(); time.Sleep(time.Minute) }()
	timeouts := atomic.LoadUint64(&counters.timeouts)
	for i := range g.players {
		g.born(i)
	}
	for _, s := range g.script {
		g.next(s)
		g.done++
	}
	g.finish()
	if n := int(atomic.LoadUint64(&counters.timeouts) - timeouts); n > g.refused || n < g.refused-g.unsure {
		g.fail("%d fallbacks counted, want %d, or up to %d less", n, g.refused, g.unsure)
	}
}

// reset puts settings and the variable back to the beginning.
func (g *fuzzGame) reset() {
	Suspend(false)
	SetPolicy("", PolicyInherit)
	for _, s := range fuzzTable.sections {
		s.state().auto = PolicyOff
		SetPolicy(s.ID, PolicyInherit)
	}
	Defaults(fmt.Sprintf("heal=%v wait=%v breaker=%d", g.base, g.wait, fuzzBreaker))
	g.model.policy.all = g.base
	g.opened, g.unhealed = atomic.LoadUint64(&counters.breakers), atomic.LoadUint64(&counters.unhealed)
}

// born starts a goroutine for player i.
func (g *fuzzGame) born(i int) {
	p := &fuzzPlayer{steps: make(chan fuzzStep)}
	g.players[i] = p
	g.model.players[i] = modelPlayer{open: make(map[modelKey]*modelOpening)}
	g.model.players[i].call()
	go p.live()
	synctest.Wait()
}

// next plays one step. A player that waits cannot do any: time goes on instead.
func (g *fuzzGame) next(s fuzzStep) {
	p := g.players[s.player]
	switch {
	case s.op < opClock && p.busy.Load():
		time.Sleep(300 * time.Microsecond)
	case s.op < opClock:
		g.send(p, s)
	case s.op == opClock:
		time.Sleep([]time.Duration{20 * time.Microsecond, 300 * time.Microsecond, 3 * time.Millisecond, g.wait, 3 * g.wait}[s.extra%5])
	case s.op == opPolicy:
		g.setPolicy(s.thing+s.extra/5%2, Policy(s.extra%5))
	case s.op == opBroken:
		section := s.extra % fuzzSections
		settings().broken(fuzzTable.sections[section])
		g.model.policy.sawBroken(section)
		g.newPolicy()
	case s.op == opSuspend:
		if s.extra%2 == 0 && !g.model.policy.suspended {
			g.suspended = time.Now()
		}
		Suspend(s.extra%2 == 0)
		g.model.policy.suspended = s.extra%2 == 0
		g.newPolicy()
	}
	synctest.Wait()
	g.settle()
}

// setPolicy is of a section, or of all.
func (g *fuzzGame) setPolicy(section int, to Policy) {
	m := &g.model.policy
	if section < fuzzSections {
		SetPolicy(fuzzTable.sections[section].ID, to)
		m.named[section] = to
	} else {
		SetPolicy("", to)
		if m.all = to; to == PolicyInherit {
			m.all = g.base
		}
	}
	m.open, m.unhealed, g.timedOut, g.blown = false, false, 0, 0
	g.newPolicy()
}

func (g *fuzzGame) newPolicy() {
	g.epoch++
	g.changed = time.Now()
}

// send gives p a step to do, if it makes sense there.
func (g *fuzzGame) send(p *fuzzPlayer, s fuzzStep) {
	half := &p.half[len(p.half)-1]
	switch {
	case s.op == opFinish && *half == nil, s.op == opCall && len(p.frames) > 3:
		return
	case s.op == opFinish:
		s.thing, s.extra = (*half).thing, (*half).extra
	default:
		*half = nil // it has panicked
	}
	p.step, p.tried = s, nil
	p.busy.Store(true)
	p.tries.Store(0)
	p.owing, p.before, p.epoch, p.began = true, g.model.policy, g.epoch, time.Now()
	p.blocked, p.idleSince, p.cycle = g.inTheWay(p, s.thing), time.Time{}, time.Time{}
	p.steps <- p.step
}

// inTheWay reports whether another player has to do with the bucket of the thing.
func (g *fuzzGame) inTheWay(p *fuzzPlayer, thing int) bool {
	for i, q := range g.players {
		if q != p && (g.model.near(i, thing) || q.owing && sameBucket(q.step.thing, thing)) {
			return true
		}
	}
	return false
}

// settle accounts for the steps that have come to their end, and compares.
func (g *fuzzGame) settle() {
	if n := atomic.LoadUint64(&counters.breakers); n != g.opened {
		g.opened = n
		g.model.policy.open = true
		g.newPolicy()
	}
	if n := atomic.LoadUint64(&counters.unhealed); n != g.unhealed {
		g.unhealed = n
		g.model.policy.unhealed = true
		g.newPolicy()
	}
	for _, p := range g.players {
		p.blocked = p.blocked || p.owing && g.inTheWay(p, p.step.thing)
	}
	for i, p := range g.players {
		if p.owing && !p.busy.Load() {
			g.account(i, p)
		}
	}
	if g.timedOut >= fuzzBreaker && !g.model.policy.open {
		g.fail("%d waits in vain, and the breaker is closed", g.timedOut)
	}
	blown := g.blown
	for _, p := range g.players {
		if p.busy.Load() { // with the first of the accesses of an update behind it
			blown += int(p.tries.Load())
		}
	}
	if g.model.policy.open && blown < fuzzBreaker {
		g.fail("the breaker is open after %d waits in vain", blown)
	}
	g.compare()
	for i, p := range g.players {
		if p.busy.Load() {
			g.waits(i, p)
		}
	}
}

// account tells the model what p's step has come to.
func (g *fuzzGame) account(i int, p *fuzzPlayer) {
	p.owing = false
	g.changed = time.Now()
	m, s := &g.model.players[i], p.step
	for _, a := range p.tried {
		g.judge(i, p, a)
	}
	switch s.op {
	case opAccess, opBegin:
		g.entered(i, p, s.location(), p.tried[0])
		if s.op == opAccess {
			g.left(i, s.location(), s.thing)
		}
	case opFinish:
		g.left(i, s.location(), s.thing)
	case opUpdate:
		if len(p.tried) == 2 {
			g.entered(i, p, fuzzTable.read, p.tried[0])
			g.left(i, fuzzTable.read, s.thing)
			g.entered(i, p, fuzzTable.written, p.tried[1])
			g.left(i, fuzzTable.written, s.thing)
		}
	case opHold:
		h := modelHold{thing: s.thing}
		if p.tried[0].got {
			h.lock = yes
		}
		m.hold(s.site(), h, p.before.single() > PolicyOff)
	case opRelease:
		delete(m.top().holds, s.site())
	case opExit:
		m.exit(m.top(), s.extra%fuzzSections)
	case opCall:
		m.call()
	case opReturn:
		if m.ret(); len(m.acts) == 0 {
			m.call()
		}
	case opPanic, opGoexit:
		if len(p.frames) > 0 || !p.dead {
			g.fail("player %d is alive", i)
		}
		g.born(i)
	}
}

// judge looks at what p has tried and got.
func (g *fuzzGame) judge(i int, p *fuzzPlayer, a attempt) {
	healing, stable := p.before.single(), p.epoch == g.epoch
	switch {
	case a.got && stable && healing < PolicyLock && g.model.has(i, a.thing) == no:
		g.fail("player %d has the lock under %v: %v", i, healing, a)
	case !a.asked && stable && healing == PolicyLock:
		if h, ok := g.model.players[i].top().holds[p.step.site()]; p.step.op != opHold || !ok || h.thing != a.thing {
			g.fail("player %d has not asked for the lock: %v", i, a)
		}
	case a.asked && !a.got && (healing == PolicyLock || !stable):
		g.refused++
		g.blown++
		switch {
		case !p.blocked:
			g.fail("player %d was refused the lock, with nobody in its way: %v", i, a)
		case !stable:
			g.unsure++
		case a.to.Sub(a.from) >= g.wait && !p.before.mixed() && g.wait > spinSleep:
			g.timedOut++
		}
	}
}

// entered is the access of player i at l, up to the hook before it.
func (g *fuzzGame) entered(i int, p *fuzzPlayer, l *Location, a attempt) {
	m := &g.model.players[i]
	m.top().window = nil
	for _, s := range numbers(l.entries()) {
		lock := no
		switch {
		case a.got && p.epoch != g.epoch:
			lock = perhaps
		case a.got && p.before.of(s) == PolicyLock:
			lock = yes
		}
		m.enter(modelKey{s, a.thing}, lock, p.before.single() > PolicyOff)
	}
	if p.step.op == opBegin && p.frames[len(p.frames)-1].pending() {
		h := modelHold{thing: a.thing}
		if a.got {
			h.lock = yes
		}
		m.top().window = &h
	}
}

// left is the hook after the access.
func (g *fuzzGame) left(i int, l *Location, thing int) {
	m := &g.model.players[i]
	m.top().window = nil
	for _, e := range l.endings() {
		m.end(modelKey{numbers([]*Section{e.Section})[0], thing})
	}
}

// has is what the model says of player i, as far as it knows in the middle of a step.
func (g *fuzzGame) has(i, thing int) truth {
	p, t := g.players[i], g.model.has(i, thing)
	if !p.owing {
		return t
	}
	a := g.model.players[i].top()
	old, ok := a.holds[p.step.site()]
	if thing == p.step.thing || ok && old.thing == thing || a.window != nil && a.window.thing == thing {
		return perhaps
	}
	return t
}

// finish waits for the last steps, ends all goroutines, and looks at what is left.
func (g *fuzzGame) finish() {
	time.Sleep(2 * patienceTurns * (g.wait + settings().backOff))
	synctest.Wait()
	g.settle()
	for i, p := range g.players {
		if p.busy.Load() {
			g.fail("player %d still waits", i)
		}
	}
	g.end()
	synctest.Wait()
	for thing := range fuzzThings {
		addr := uintptr(unsafe.Pointer(thingAt(thing)))
		if b := bucketOf(addr); b.room() != nil || b.owner != 0 || *heldWord(addr) != 0 || *b.word() != 0 {
			g.fail("left behind in the bucket of thing %d: cells %v, locks %v, words %#x, %#x", thing, b.cells(), b.locks(), b.owner, *b.word())
		}
	}
}

// end ends the goroutines, which may be over already.
func (g *fuzzGame) end() {
	for _, p := range g.players {
		if p != nil && p.steps != nil {
			close(p.steps)
			p.steps = nil
		}
	}
}
