//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// yielding puts PolicyYield in force with a bound that no test reaches, unless
// it wants to.
func yielding(t *testing.T, bound time.Duration) {
	t.Helper()
	configured(t, "")
	c := defaults()
	c.log, c.heal, c.wait, c.backOff = settings().log, PolicyYield, time.Minute, bound
	force(c)
}

// size is that of the variables under test.
const size = unsafe.Sizeof(int(0))

// Under heal=yield the intruder lets the section finish first: one that
// accesses the variable, one that is about to take the program's lock, and one
// that enters the section itself.
func TestYield(t *testing.T) {
	yielding(t, time.Minute)
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	for _, intrude := range []func(f *Frame, x *int){
		func(f *Frame, x *int) { access1(f, other, x) },
		func(f *Frame, x *int) { f.Hold(&p.v, unsafe.Pointer(x), 1); f.Release(1) },
		func(f *Frame, x *int) { access1(f, load, x); access1(f, store, x) },
	} {
		a := actors(t, 2)
		got := found(t, func() {
			x := new(int)
			a[0].visit(load, x)
			yields := Stats().Yields
			a[1].start(func(f *Frame) { intrude(f, x) })
			for Stats().Yields == yields {
				runtime.Gosched()
			}
			a[0].visit(store, x)
			a[1].finished()
		})
		if got != nil {
			t.Error(got)
		}
		idle(t)
	}
}

// While nobody's patience ends, only one goroutine at a time is inside, with
// the program's own lock around each access and without any.
func TestYieldLetsInOneAtATime(t *testing.T) {
	for _, locked := range []bool{true, false} {
		yielding(t, time.Minute)
		p := newProgram(t)
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
		const goroutines, rounds = 6, 200
		var mu sync.Mutex
		x := new(int)
		access := func(f *Frame, do func()) {
			if !locked {
				do()
				return
			}
			f.Hold(&p.v, unsafe.Pointer(x), 1)
			mu.Lock()
			do()
			mu.Unlock()
			f.Release(1)
		}
		var inside, together atomic.Int32
		got := found(t, func() {
			var all sync.WaitGroup
			for range goroutines {
				all.Go(func() {
					f := Begin()
					defer f.End()
					for range rounds {
						access(&f, func() {
							f.Before(load, unsafe.Pointer(x), size)
							f.After(load, unsafe.Pointer(x))
						})
						if inside.Add(1) > 1 {
							together.Add(1)
						}
						runtime.Gosched()
						inside.Add(-1)
						access(&f, func() {
							f.Before(store, unsafe.Pointer(x), size)
							f.After(store, unsafe.Pointer(x))
						})
					}
				})
			}
			all.Wait()
		})
		if n := together.Load(); n > 0 {
			t.Errorf("locked=%v: %d times two were inside", locked, n)
		}
		if got != nil {
			t.Errorf("locked=%v: %d violations, the first %v", locked, len(got), got[0])
		}
		idle(t)
	}
}

// Who has backed off in vain goes ahead, and does not wait for the same stay
// again; two that are inside do not wait for each other.
func TestYieldIsBounded(t *testing.T) {
	yielding(t, 10*time.Millisecond)
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	synctest.Test(t, func(t *testing.T) {
		x := new([1 << 17]int)
		at := &x[0]
		var mine, hers Frame
		mine.g, hers.g = 1, 2
		took := func(do func()) time.Duration {
			start := time.Now()
			do()
			return time.Since(start)
		}
		access1(&mine, load, at)
		for i, step := range []struct {
			waits bool
			do    func()
		}{
			{true, func() { access1(&hers, other, at) }},
			{false, func() { access1(&hers, other, at) }},
			{false, func() { hers.Hold(&p.v, unsafe.Pointer(at), 1) }},
			{false, func() { access1(&hers, load, at) }},
			{false, func() { access1(&mine, other, at) }},
			{false, func() { mine.Hold(&p.v, unsafe.Pointer(at), 1); mine.Release(1) }},
			{false, func() { access1(&hers, store, at) }},
			{false, func() { hers.Release(1) }},
			{false, func() { access1(&mine, store, at) }},
			{false, func() { access1(&mine, load, at) }}, // a new stay
			{true, func() { hers.Hold(&p.v, unsafe.Pointer(at), 1) }},
			{false, func() { access1(&hers, load, at) }}, // no second wait inside
		} {
			d := took(step.do)
			if step.waits && (d < 10*time.Millisecond || d > 20*time.Millisecond) || !step.waits && d > 0 {
				t.Errorf("step %d took %v, waits = %v", i, d, step.waits)
			}
		}
		mine.End()
		hers.End()
	})
	idle(t)
}

// A Hold keeps its claim until Release, also when a section ends within.
func TestHoldOutlivesTheSection(t *testing.T) {
	yielding(t, time.Millisecond)
	p := newProgram(t)
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	x := new(int)
	a := actors(t, 2)
	a[0].do(func(f *Frame) {
		f.Hold(&p.v, unsafe.Pointer(x), 1)
		access1(f, load, x)
		access1(f, store, x)
	})
	yields := Stats().Yields
	a[1].do(func(f *Frame) { f.Hold(&p.v, unsafe.Pointer(x), 1); f.Release(1) })
	if n := Stats().Yields - yields; n != 1 {
		t.Errorf("backed off %d times, want once", n)
	}
	a[0].do(func(f *Frame) { f.Release(1) })
	idle(t)
}

// A violation by who has backed off in vain says so.
func TestYieldInVainIsReported(t *testing.T) {
	yielding(t, time.Millisecond)
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	got := found(t, func() { violate(a, load, store, other, new(int)) })
	if len(got) != 1 || got[0].Healing != "yield; the intruder backed off, but the section took longer" {
		t.Errorf("got %v", got)
	}
	idle(t)
}

// Who has waited long is not overtaken by who comes later.
func TestClaimsInTurn(t *testing.T) {
	yielding(t, time.Minute)
	c := settings()
	p := newProgram(t)
	on := instance{v: p.v.info(), addr: 1 << 20}
	first, _, _ := tryClaim(c, &on, 1, false, false, false)
	for g := G(2); g < 5; g++ {
		if _, stay, _ := tryClaim(c, &on, g, false, g < 4, false); stay == 0 {
			t.Fatalf("goroutine %d claims beside goroutine 1", g)
		}
	}
	first.unclaim()
	for _, try := range []struct {
		g    G
		want bool
	}{{4, false}, {5, false}, {1, false}, {3, false}, {2, true}, {3, false}} {
		at, stay, forced := tryClaim(c, &on, try.g, false, false, false)
		if (stay == 0) != try.want || forced {
			t.Errorf("goroutine %d: claims = %v, forced = %v", try.g, stay == 0, forced)
		}
		if stay == 0 {
			defer at.unclaim()
		}
	}
	third, _, forced := tryClaim(c, &on, 3, false, false, true)
	if !forced {
		t.Error("a claim beside another one is not marked")
	}
	third.unclaim()
	if cells, _ := live(); cells != 1 {
		t.Errorf("%d cells, want the claim of goroutine 2 alone", cells)
	}
}

// A Hold of a map waits for the sections over its entries, and they for it; a
// sync.Map has claims for each key. A section whose policy is off is nobody's
// reason to wait.
func TestClaimsOfContainers(t *testing.T) {
	yielding(t, time.Millisecond)
	p := newProgram(t)
	s, off := p.section("S"), p.section("Off")
	off.Policy = PolicyOff
	load, loadOff, other := p.at(Read, s), p.at(Read, off), p.at(Write)
	m := map[int]int{1: 1}
	var sm sync.Map
	for _, test := range []struct {
		name         string
		mine, theirs func(f *Frame)
		yields       uint64
	}{
		{"section over an entry, Hold of the map",
			func(f *Frame) { MapLoad(f, load, m, 1) }, func(f *Frame) { f.Hold(&p.v, MapAt(&m), 1) }, 1},
		{"Hold of the map, access to an entry",
			func(f *Frame) { f.Hold(&p.v, MapAt(&m), 1) }, func(f *Frame) { MapLoad(f, other, m, 1) }, 1},
		{"two keys of a sync.Map",
			func(f *Frame) { SyncMapLoad(f, load, &sm, 1) }, func(f *Frame) { SyncMapLoad(f, other, &sm, 2) }, 0},
		{"one key of a sync.Map",
			func(f *Frame) { SyncMapLoad(f, load, &sm, 1) }, func(f *Frame) { f.HoldKey(&p.v, &sm, 1, 1) }, 1},
		{"a section that is not healed",
			func(f *Frame) { MapLoad(f, loadOff, m, 1) }, func(f *Frame) { MapLoad(f, other, m, 1) }, 0},
	} {
		before := Stats().Yields
		a := actors(t, 2)
		a[0].do(test.mine)
		a[1].do(test.theirs)
		if n := Stats().Yields - before; n != test.yields {
			t.Errorf("%s: backed off %d times, want %d", test.name, n, test.yields)
		}
		for i := range a {
			a[i].do(func(f *Frame) { f.End() })
		}
		idle(t)
	}
}

// An access that panics takes its claim back.
func TestClaimOfPanic(t *testing.T) {
	yielding(t, time.Millisecond)
	p := newProgram(t)
	l := p.at(Write)
	x := new([1 << 17]int)
	func() {
		defer func() { recover() }()
		f := Begin()
		Do00(&f, l, unsafe.Pointer(x), func() { panic("on purpose") })
	}()
	idle(t)
}

// Of thousands over one variable, who all wait for the program's lock as well, some hundred
// back off, and the others go ahead: nobody is held up for long, and nothing stays behind.
func TestYieldInACrowd(t *testing.T) {
	const goroutines = 4000
	yielding(t, 10*time.Millisecond)
	settings().breaker = 0
	p := newProgram(t)
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	x, mu := new(int), new(sync.Mutex)
	start := time.Now()
	found(t, func() {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() {
				f := Begin()
				defer f.End()
				for _, l := range []*Location{load, store} {
					f.Hold(&p.v, unsafe.Pointer(x), 1)
					mu.Lock()
					access1(&f, l, x)
					mu.Unlock()
					f.Release(1)
					runtime.Gosched()
				}
			})
		}
		all.Wait()
	})
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%d goroutines took %v", goroutines, took)
	}
	idle(t)
}
