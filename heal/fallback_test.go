//go:build !atomrace_off

package heal

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Sections nested in opposite orders: whoever closes the cycle goes on at once,
// for its bound of a minute would fail the test.
func TestCycleIsFoundAtOnce(t *testing.T) {
	for _, n := range []int{2, 3, 7} {
		configured(t, "heal=lock wait=1m breaker=0")
		p := newProgram(t)
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
		a := actors(t, n)
		var x []*int
		for range n {
			x = append(x, apartInt())
		}
		before := Stats()
		for i := range a {
			a[i].visit(load, x[i])
		}
		for i := range a { // each wants what the next one has
			waits := Stats().Waits
			a[i].start(func(f *Frame) {
				access1(f, load, x[(i+1)%n])
				access1(f, store, x[(i+1)%n])
				access1(f, store, x[i])
			})
			for Stats().Waits == waits {
				runtime.Gosched()
			}
		}
		for i := range a {
			a[i].finished()
		}
		after := Stats()
		if after.Cycles-before.Cycles != 2 || after.Timeouts-before.Timeouts != 2 {
			t.Errorf("%d goroutines: %d cycles and %d fallbacks, want one at each of two accesses", n, after.Cycles-before.Cycles, after.Timeouts-before.Timeouts)
		}
		idle(t)
	}
}

// A chain that comes to an end is no cycle.
func TestChainIsNoCycle(t *testing.T) {
	configured(t, "heal=lock wait=1m")
	p := newProgram(t)
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	a := actors(t, 4)
	var x [5]*int
	for i := range x {
		x[i] = apartInt()
	}
	before := Stats()
	for i := range a {
		a[i].visit(load, x[i])
	}
	for i := range a {
		waits := Stats().Waits
		a[i].start(func(f *Frame) {
			access1(f, load, x[i+1])
			access1(f, store, x[i+1])
			access1(f, store, x[i])
		})
		for i+1 < len(a) && Stats().Waits == waits {
			runtime.Gosched()
		}
	}
	for i := range a {
		a[i].finished()
	}
	if after := Stats(); after.Timeouts != before.Timeouts || after.Waits-before.Waits != 3 {
		t.Errorf("%d fallbacks, %d waits", after.Timeouts-before.Timeouts, after.Waits-before.Waits)
	}
	idle(t)
}

// A cycle of a healing lock and one of the program, in the order that no Hold could
// prevent: it lasts as long as one wait for one owner, by default 100 ms, and whoever
// comes into the same cycle afterwards does not wait.
func TestCycleThroughTheProgramsLock(t *testing.T) {
	configured(t, "heal=lock")
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	x := new(int)
	var mu sync.Mutex
	before := Stats()
	a[0].visit(load, x)
	a[1].do(func(*Frame) { mu.Lock() })
	a[0].start(func(f *Frame) {
		mu.Lock() // which the other one has
		defer mu.Unlock()
		access1(f, store, x)
	})
	var first, again time.Duration
	a[1].do(func(f *Frame) {
		start := time.Now()
		access1(f, other, x) // which the first one has
		first = time.Since(start)
		access1(f, other, x)
		again = time.Since(start) - first
		mu.Unlock()
	})
	a[0].finished()
	t.Logf("the cycle lasted %v, the next wait in it %v", first, again)
	after := Stats()
	if after.Timeouts-before.Timeouts != 2 || after.Waits-before.Waits != 1 || first < 100*time.Millisecond {
		t.Errorf("%d fallbacks, %d waits, in %v", after.Timeouts-before.Timeouts, after.Waits-before.Waits, first)
	}
	idle(t)
}

// Who has waited in vain for an owner spares all others the wait, until the owner
// gives the lock back.
func TestOwnerIsWaitedForOnce(t *testing.T) {
	configured(t, "heal=lock wait=50ms breaker=0")
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	x := new(int)
	a[0].visit(load, x)
	a[1].visit(other, x)
	before, start := Stats(), time.Now()
	for range 100 {
		a[1].visit(other, x)
	}
	after := Stats()
	if after.Waits != before.Waits || after.Timeouts-before.Timeouts != 100 || time.Since(start) > 100*50*time.Millisecond {
		t.Errorf("%d waits, %d fallbacks in %v", after.Waits-before.Waits, after.Timeouts-before.Timeouts, time.Since(start))
	}
	a[0].visit(store, x)
	if how := kept(t, a, load, store, other, x); how != "lock" {
		t.Errorf("given back, and then kept out by %q", how)
	}
	idle(t)
}

// After so many fallbacks the variable is healed by yielding, which is said once;
// SetPolicy puts the lock back.
func TestBreaker(t *testing.T) {
	defer SetPolicy(t.Name(), PolicyInherit)
	p, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	x := new(int)
	text := logged(t, "heal=lock wait=1ms breaker=4", func() {
		before := Stats().Breakers
		for i := range 6 {
			if got := settings().policyOf(p.v.info()); (got == PolicyYield) != (i >= 4) {
				t.Errorf("after %d waits in vain: %v", i, got)
			}
			a[0].visit(load, x)
			a[1].visit(other, x)
			a[1].visit(other, x) // does not wait, and does not count
			a[0].visit(store, x)
		}
		if n := Stats().Breakers - before; n != 1 {
			t.Errorf("%d breakers", n)
		}
		SetPolicy(t.Name(), PolicyLock)
		if got := settings().policyOf(p.v.info()); got != PolicyLock {
			t.Errorf("after SetPolicy: %v", got)
		}
		p.v.info().fallbacks.open = true
		SetPolicy("", PolicyInherit)
		if got := settings().policyOf(p.v.info()); got != PolicyLock {
			t.Errorf("after SetPolicy of all: %v", got)
		}
	})
	if strings.Count(text, "from now on it is healed by yielding") != 1 || strings.Count(text, "(said once)") != 1 {
		t.Errorf("%s", text)
	}
	idle(t)
}

// Where every stay outlasts the back-offs the variable is only watched after so many stays,
// which is said once; SetPolicy heals it again.
func TestBackOffsInVain(t *testing.T) {
	defer SetPolicy(t.Name(), PolicyInherit)
	p, load, store, other := threePlaces(t, true)
	a := actors(t, 4)
	x := new(int)
	text := logged(t, "heal=yield wait=1ms breaker=4", func() {
		before := Stats()
		inVain := func() {
			a[0].visit(load, x)
			for _, late := range a[1:] { // many late for the same stay are one
				late.visit(other, x)
			}
			a[0].visit(store, x)
		}
		for range 3 {
			inVain()
		}
		if how := kept(t, a, load, store, other, x); how != "yield" { // with success
			t.Fatalf("kept out by %q", how)
		}
		for i := range 6 {
			if got := settings().policyOf(p.v.info()); (got == PolicyOff) != (i >= 2) {
				t.Errorf("after %d more stays that outlasted the back-offs: %v", i, got)
			}
			inVain()
		}
		after := Stats()
		if after.Unhealed-before.Unhealed != 1 || after.Breakers != before.Breakers {
			t.Errorf("%d variables unhealed, %d breakers", after.Unhealed-before.Unhealed, after.Breakers-before.Breakers)
		}
		for _, section := range []string{t.Name(), ""} {
			p.v.info().backOffs.open = true
			SetPolicy(section, PolicyYield)
			if got := settings().policyOf(p.v.info()); got != PolicyYield {
				t.Errorf("after SetPolicy(%q): %v", section, got)
			}
		}
		SetPolicy("", PolicyInherit)
	})
	if strings.Count(text, "from now on it is watched, not healed") != 1 {
		t.Errorf("%s", text)
	}
	idle(t)
}

// A third of the back-offs in vain is borne, a half is not.
func TestFutility(t *testing.T) {
	now := time.Now()
	for of, want := range map[int]bool{2: true, 3: false} {
		var f futility
		opened := false
		for i := range 300 {
			outlasted := uint64(0)
			if i%of == 0 {
				outlasted = uint64(i + 1)
			}
			opened = f.note(10, outlasted, now) || opened
		}
		if opened != want || f.open != want {
			t.Errorf("one of %d in vain: opened %v", of, opened)
		}
	}
}

// Fallbacks far apart do not add up.
func TestBreakerForgets(t *testing.T) {
	var b breaker
	now := time.Now()
	for range 100 {
		now = now.Add(breakerRest + time.Second)
		if b.note(2, now) {
			t.Fatal("opened")
		}
	}
	if !b.note(2, now) {
		t.Error("did not open")
	}
	if b.note(2, now) {
		t.Error("opened twice")
	}
}
