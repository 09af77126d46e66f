//go:build !atomrace_off && !race

package heal

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// healedFast is a program whose section is healed by the lock and may go the fast
// way; the first visit has been made.
func healedFast(t *testing.T) (p *program, load, store, other *Location, x *int) {
	t.Helper()
	configured(t, "heal=lock wait=1m")
	p, load, store, other = threePlaces(t, true)
	x = &new([1 << 17]int)[0] // not on the stack
	framed(func(f *Frame) { access1(f, load, x); access1(f, store, x) })
	return p, load, store, other, x
}

// While nobody is near there is neither lock nor cell, only the word.
func TestFastSection(t *testing.T) {
	_, load, store, _, x := healedFast(t)
	framed(func(f *Frame) {
		for range 2 {
			access1(f, load, x)
			if cells, locks := live(); cells+locks > 0 || loadWord(fastWord(uintptr(unsafe.Pointer(x)))) != uint64(f.g) {
				t.Errorf("%d cells and %d locks, word %#x", cells, locks, *fastWord(uintptr(unsafe.Pointer(x))))
			}
			access1(f, load, x) // a loop
			access1(f, store, x)
			idle(t)
		}
	})
}

// A section that could wait for others leaves the word alone, which stands for variables
// that have nothing to do with it.
func TestFastSectionIsAssured(t *testing.T) {
	_, load, store, _, x := healedFast(t)
	load.entries()[0].Assured, load.fast = false, 0
	framed(func(f *Frame) {
		for range 2 {
			access1(f, load, x)
			if f.isFast() {
				t.Error("the section began the fast way")
			}
			access1(f, store, x)
		}
	})
	idle(t)
}

// Who comes near waits until the section is over, and the section is not broken.
func TestFastSectionIsRevealed(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	a := actors(t, 2)
	for range 50 {
		if how := kept(t, a, load, store, other, x); how != "lock" {
			t.Fatalf("kept out by %q", how)
		}
	}
	idle(t)
}

// Other ways out: an exit, the end of the function, a panic; with and without
// somebody who waits.
func TestFastSectionLeft(t *testing.T) {
	_, load, _, other, x := healedFast(t)
	s := load.entries()[0]
	for name, leave := range map[string]func(f *Frame){
		"exit":  func(f *Frame) { f.Exit(s) },
		"end":   func(f *Frame) { f.End() },
		"panic": func(f *Frame) { caught(func() { defer f.End(); panic("the program's own") }) },
	} {
		for _, near := range []bool{false, true} {
			a := actors(t, 2)
			a[0].visit(load, x)
			if near {
				waits := Stats().Waits
				a[1].start(func(f *Frame) { access1(f, other, x) })
				for Stats().Waits == waits {
					runtime.Gosched()
				}
			}
			a[0].do(leave)
			if near {
				a[1].finished()
			}
			if c, l := live(); c+l > 0 {
				t.Errorf("%s, near %v: %d cells and %d locks left", name, near, c, l)
			}
			idle(t)
		}
	}
}

// The same goroutine comes again in a function that it calls: by the section, by an
// access, by a Hold.
func TestFastSectionRecurses(t *testing.T) {
	p, load, store, other, x := healedFast(t)
	for _, inner := range []func(f *Frame){
		func(f *Frame) { access1(f, load, x); access1(f, store, x) },
		func(f *Frame) { access1(f, other, x) },
		func(f *Frame) { f.Hold(&p.v, unsafe.Pointer(x), 1); f.Release(1) },
	} {
		framed(func(f *Frame) {
			access1(f, load, x)
			framed(inner)
			if _, locks := live(); locks != 1 {
				t.Errorf("%d locks, want the section's", locks)
			}
			access1(f, store, x)
		})
		idle(t)
	}
}

// An intruder whose patience is at its end breaks the section, and that is reported.
func TestFastSectionBroken(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	configured(t, "heal=lock wait=1ms")
	framed(func(f *Frame) { access1(f, load, x); access1(f, store, x) })
	a := actors(t, 2)
	got := found(t, func() { violate(a, load, store, other, x) })
	if len(got) != 1 || got[0].Healing != "lock; it could not be had in time" {
		t.Errorf("%v", got)
	}
	idle(t)
}

// Two variables that share a bucket: who waits for the one by mistake is let go
// when the section over the other ends.
func TestFastSectionsInOneBucket(t *testing.T) {
	_, load, store, _, x := healedFast(t)
	memory := new([1 << (bucketBits + 1)]uint64)
	near := (*int)(unsafe.Pointer(&memory[(bucketNumber(uintptr(unsafe.Pointer(x)))-bucketNumber(uintptr(unsafe.Pointer(memory))))&(1<<bucketBits-1)]))
	if bucketOf(uintptr(unsafe.Pointer(near))) != bucketOf(uintptr(unsafe.Pointer(x))) {
		t.Fatal("the test is wrong")
	}
	a := actors(t, 2)
	a[0].visit(load, x)
	waits := Stats().Waits
	a[1].start(func(f *Frame) { access1(f, load, near); access1(f, store, near) })
	for Stats().Waits == waits {
		runtime.Gosched()
	}
	a[0].visit(store, x)
	a[1].finished()
	idle(t)
}

// Nobody is inside together with somebody else, whichever way each of them takes;
// the counter is plain.
func TestFastSectionsExclude(t *testing.T) {
	p, load, store, _, x := healedFast(t)
	const goroutines, rounds = 8, 3000
	var all sync.WaitGroup
	*x = 0
	got := found(t, func() {
		for i := range goroutines {
			all.Go(func() {
				for n := range rounds {
					framed(func(f *Frame) {
						if (n+i)%5 == 0 { // the ordinary way
							f.Hold(&p.v, unsafe.Pointer(x), 1)
							defer f.Release(1)
						}
						v := Load(f, load, x)
						if n%7 == 0 {
							runtime.Gosched()
						}
						write(f, store, x, v+1)
					})
				}
			})
		}
		all.Wait()
	})
	if *x != goroutines*rounds || len(got) > 0 {
		t.Errorf("counted %d, want %d; %d violations", *x, goroutines*rounds, len(got))
	}
	idle(t)
}

// An access to another variable that panics, and is recovered from in the function of
// the fast section, does not take the section's end for its own.
func TestFastSectionAfterPanic(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	framed(func(f *Frame) {
		access1(f, load, x)
		f.Before(other, elsewhere(x), unsafe.Sizeof(*x)) // its After never comes
		access1(f, store, x)
		idle(t)
	})
}

// elsewhere is another instance, in another bucket.
func elsewhere(x *int) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(x), 1024) }

// A section that is entered again after the policy has changed, before its end, is
// over at the end, whichever way it began.
func TestFastSectionMeetsPolicy(t *testing.T) {
	_, load, store, _, x := healedFast(t)
	healed := settings()
	suspended := *healed
	suspended.suspended = true
	for _, order := range [][2]*config{{healed, &suspended}, {&suspended, healed}} {
		framed(func(f *Frame) {
			for _, c := range order {
				force(c)
				framed(func(g *Frame) { access1(g, load, (*int)(elsewhere(x))) })
				access1(f, load, x)
			}
			access1(f, store, x)
			if f.count != 0 {
				t.Errorf("%d sections are open", f.count)
			}
			idle(t)
		})
	}
}

// A section that SetPolicy takes out of healing does not take the lock any more, though
// another one of its variable keeps it.
func TestFastSectionSwitchedOff(t *testing.T) {
	p, load, store, _, x := healedFast(t)
	id := load.entries()[0].ID
	entry := p.at(Read, p.section(id+"/another"))
	framed(func(f *Frame) { access1(f, entry, x) })
	defer SetPolicy(id, PolicyInherit)
	SetPolicy(id, PolicyOff)
	framed(func(f *Frame) {
		access1(f, load, x)
		if _, locks := live(); f.isFast() || locks > 0 {
			t.Errorf("fast %v, %d locks", f.isFast(), locks)
		}
		access1(f, store, x)
	})
	idle(t)
}

// The end over one instance, which somebody waits for, leaves the same section over
// another one as it is.
func TestFastSectionEndsAlone(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	y := (*int)(elsewhere(x))
	framed(func(f *Frame) {
		access1(f, load, x)
		access1(f, load, y)
		f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(*x))
		waits := Stats().Waits
		done := make(chan struct{})
		go func() { framed(func(g *Frame) { access1(g, other, x) }); close(done) }()
		for Stats().Waits == waits {
			runtime.Gosched()
		}
		f.After(store, unsafe.Pointer(x))
		<-done
		if _, locks := live(); locks != 1 {
			t.Errorf("%d healing locks, want the one of the other instance", locks)
		}
		access1(f, store, y)
	})
	idle(t)
}
