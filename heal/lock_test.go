//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"unsafe"
)

// increment is x++ by the hooks: a load-and-store section.
func increment(f *Frame, load, store *Location, x *int) {
	v := Load(f, load, x)
	write(f, store, x, v+1)
}

// write is *x = v by the hooks, in the order in which the rewriter has them.
func write[T any](f *Frame, store *Location, x *T, v T) {
	f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(*x))
	if store.Race {
		m := mark(store, unsafe.Pointer(x), unsafe.Sizeof(*x))
		*x = v
		Clear(m)
	} else {
		*x = v
	}
	f.After(store, unsafe.Pointer(x))
}

// Under heal=lock a racy counter counts right; under the race detector this
// test also proves that healed accesses are ordered.
func TestHealingLockExcludes(t *testing.T) {
	for _, settings := range []string{"heal=lock wait=1m", "heal=lock wait=1m noise=random:100/5us"} {
		configured(t, settings)
		p := newProgram(t)
		s := p.section("S")
		load, store, alone := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Read)
		load.Race, store.Race, alone.Race = true, true, true
		const goroutines, rounds = 8, 500
		x := new(int)
		got := found(t, func() {
			var all sync.WaitGroup
			for range goroutines {
				all.Go(func() {
					f := Begin()
					defer f.End()
					for range rounds {
						increment(&f, load, store, x)
						Load(&f, alone, x)
					}
				})
			}
			all.Wait()
		})
		if got != nil {
			t.Error(got)
		}
		if *x != goroutines*rounds {
			t.Errorf("counted %d, want %d", *x, goroutines*rounds)
		}
		idle(t)
	}
}

// Without healing the same section is broken and reported.
func TestUnhealedIsReported(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	x := new(int)
	a := actors(t, 2)
	got := found(t, func() {
		a[0].do(func(f *Frame) {
			v := Load(f, load, x)
			a[1].do(func(f *Frame) { increment(f, load, store, x) })
			f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
			*x = v + 1
			f.After(store, unsafe.Pointer(x))
		})
	})
	if len(got) != 1 || got[0].Healing != "off" {
		t.Errorf("got %v", got)
	}
}

// The locked pool: every access is locked, the section spans two critical
// sections. Held ahead of the program's lock, the healing lock neither
// deadlocks nor times out.
func TestHoldAheadOfTheProgramsLock(t *testing.T) {
	configured(t, "heal=lock wait=1m")
	p := newProgram(t)
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	var mu sync.Mutex
	x := new(int)
	timeouts := Stats().Timeouts
	const goroutines, rounds = 8, 200
	got := found(t, func() {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() {
				f := Begin()
				defer f.End()
				for range rounds {
					f.Hold(&p.v, unsafe.Pointer(x), 1)
					mu.Lock()
					v := Load(&f, load, x)
					mu.Unlock()
					f.Release(1)
					runtime.Gosched()
					f.Hold(&p.v, unsafe.Pointer(x), 2)
					mu.Lock()
					f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
					*x = v + 1
					f.After(store, unsafe.Pointer(x))
					mu.Unlock()
					f.Release(2)
				}
			})
		}
		all.Wait()
	})
	if got != nil || *x != goroutines*rounds || Stats().Timeouts != timeouts {
		t.Errorf("%d violations, counted %d, %d time-outs", len(got), *x, Stats().Timeouts-timeouts)
	}
	idle(t)
}

// Where the order is inverted, the wait ends and the access goes on.
func TestHealingWaitIsBounded(t *testing.T) {
	configured(t, "heal=lock wait=2ms")
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	before := Stats()
	a := actors(t, 2)
	got := found(t, func() {
		x := new(int)
		a[0].visit(load, x)
		a[1].visit(other, x) // returns although A does not let go
		a[0].visit(store, x)
		a[1].visit(other, x) // and is welcome now
	})
	if len(got) != 1 {
		t.Errorf("got %v, want the one violation that the lock could not prevent", got)
	}
	if n := Stats().Timeouts - before.Timeouts; n != 1 {
		t.Errorf("%d time-outs, want 1", n)
	}
	idle(t)
}

// An owner that dies gives its locks to who waits.
func TestDeadOwner(t *testing.T) {
	configured(t, "heal=lock wait=1m")
	p := newProgram(t)
	s := p.section("S")
	load, other := p.at(Read, s), p.at(Write)
	x := new(int)
	a := actors(t, 1)
	die := make(chan struct{})
	open := make(chan struct{})
	go func() {
		f := Begin()
		defer f.End()
		f.Hold(&p.v, unsafe.Pointer(x), 1)
		access1(&f, load, x)
		close(open)
		<-die
		runtime.Goexit()
	}()
	<-open
	waits := Stats().Waits
	a[0].start(func(f *Frame) { access1(f, other, x) })
	for Stats().Waits == waits {
		runtime.Gosched()
	}
	close(die)
	a[0].finished()
	idle(t)
}

// A section's own policy goes before the global one, and single accesses obey
// the variable's.
func TestPolicyOfSection(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	s := p.section("S")
	s.Policy, p.v.Policy = PolicyLock, PolicyLock
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	x := new(int)
	a[0].visit(load, x)
	if _, locks := live(); locks != 1 {
		t.Errorf("%d healing locks, want 1", locks)
	}
	waits := Stats().Waits
	a[1].start(func(f *Frame) { access1(f, other, x) })
	for Stats().Waits == waits {
		runtime.Gosched()
	}
	a[0].visit(store, x)
	a[1].finished()

	configured(t, "heal=lock")
	s.Policy = PolicyOff
	a[0].visit(load, x)
	if _, locks := live(); locks != 0 {
		t.Errorf("%d healing locks, want none", locks)
	}
	a[0].visit(store, x)
	idle(t)
}

// The entries of a map share the healing lock of the map; those of a sync.Map
// have one each.
func TestLockOfContainers(t *testing.T) {
	configured(t, "heal=lock wait=1ms")
	p := newProgram(t)
	s := p.section("S")
	load := p.at(Read, s)
	a := actors(t, 1)
	m := map[int]int{}
	var sm sync.Map
	a[0].do(func(f *Frame) {
		f.Hold(&p.v, MapAt(&m), 1)
		MapLoad(f, load, m, 1)
		f.Release(1)
		f.HoldKey(&p.v, &sm, 1, 2)
		SyncMapLoad(f, load, &sm, 1)
		f.Release(2)
	})
	if _, locks := live(); locks != 2 {
		t.Errorf("%d healing locks, want 2", locks)
	}
	before := Stats().Timeouts
	b := actors(t, 1)
	b[0].do(func(f *Frame) { MapLoad(f, load, m, 2) })
	if n := Stats().Timeouts - before; n != 1 {
		t.Errorf("another key of the map: %d time-outs, want 1", n)
	}
	b[0].do(func(f *Frame) { SyncMapLoad(f, load, &sm, 2) })
	if n := Stats().Timeouts - before; n != 1 {
		t.Errorf("another key of the sync.Map: %d time-outs, want 1", n)
	}
	a[0].do(func(f *Frame) { f.Exit(s) })
	b[0].do(func(f *Frame) { f.Exit(s) })
	idle(t)
}

// Holds are counted by site, and a site that moves to another instance lets
// go of the first.
func TestHoldAgain(t *testing.T) {
	configured(t, "heal=lock")
	p := newProgram(t)
	shared := new([1 << 17]int) // too large for the stack
	x, y := &shared[0], &shared[1]
	f := Begin()
	for range 3 {
		f.Hold(&p.v, unsafe.Pointer(x), 1)
	}
	f.Hold(&p.v, unsafe.Pointer(y), 1)
	if _, locks := live(); locks != 1 {
		t.Errorf("%d healing locks, want 1", locks)
	}
	f.Release(7) // never held
	f.Release(1)
	idle(t)
	f.Hold(&p.v, unsafe.Pointer(x), 1)
	f.End()
	idle(t)
}

// In a synctest bubble the clock stands still unless all sleep: healing waits
// and noise must end there, too.
func TestBubble(t *testing.T) {
	configured(t, "heal=lock wait=50ms noise=random:1000/50us")
	p := newProgram(t)
	s := p.section("S")
	load, store, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
	synctest.Test(t, func(t *testing.T) {
		x := new(int)
		leave := make(chan struct{})
		entered := make(chan struct{})
		go func() {
			f := Begin()
			defer f.End()
			access1(&f, load, x)
			close(entered)
			<-leave
			access1(&f, store, x)
		}()
		<-entered
		f := Begin()
		defer f.End()
		access1(&f, other, x)
		close(leave)
		synctest.Wait()
	})
	idle(t)
}
