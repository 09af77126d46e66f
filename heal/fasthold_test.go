//go:build !atomrace_off && !race

package heal

import (
	"runtime"
	"testing"
	"unsafe"
)

// heldTwice is a function whose section lies in two critical sections, each with a Hold.
func heldTwice(f *Frame, load, store *Location, x *int, between func()) {
	p := unsafe.Pointer(x)
	f.Hold(load.Var, p, 0)
	access1(f, load, x)
	f.Release(0)
	between()
	f.Hold(load.Var, p, 0)
	access1(f, store, x)
	f.Release(0)
}

// While nobody is near, Holds and the section under them have the word alone, from the
// first Hold to the last Release.
func TestFastHold(t *testing.T) {
	_, load, store, _, x := healedFast(t)
	framed(func(f *Frame) { heldTwice(f, load, store, x, func() {}) }) // the first visit of a Hold
	idle(t)
	has := func(f *Frame, what string, want bool) {
		t.Helper()
		cells, locks := live()
		if got := loadWord(fastWord(uintptr(unsafe.Pointer(x)))) == uint64(f.g); got != want || cells+locks > 0 {
			t.Errorf("%s: has the word %v, want %v; %d cells, %d locks", what, got, want, cells, locks)
		}
	}
	framed(func(f *Frame) {
		for range 2 {
			heldTwice(f, load, store, x, func() { has(f, "between two Holds, the section open", true) })
			has(f, "after the last Release", false)
			f.Hold(load.Var, unsafe.Pointer(x), 0)
			access1(f, load, x)
			access1(f, store, x)
			has(f, "the section over, held", true)
			if s := f.fastSection(); s != nil {
				t.Errorf("%s is open", s.ID)
			}
			f.Hold(load.Var, unsafe.Pointer(x), 1)
			f.Release(0)
			has(f, "one Hold of two released", true)
			f.Release(1)
			has(f, "both released", false)
			access1(f, load, x)
			f.Hold(load.Var, unsafe.Pointer(x), 2)
			f.Exit(load.entries()[0])
			has(f, "held after the section was left", true)
			f.Release(2)
			has(f, "released", false)
		}
		f.Hold(load.Var, unsafe.Pointer(x), 3) // End releases it
	})
	idle(t)
}

// Who comes near a fast Hold, with or without a section under it, waits until it ends.
func TestFastHoldIsRevealed(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	framed(func(f *Frame) { heldTwice(f, load, store, x, func() {}) })
	for name, open := range map[string]bool{"with a section": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				came := make(chan int)
				framed(func(f *Frame) {
					f.Hold(load.Var, unsafe.Pointer(x), 0)
					if open {
						access1(f, load, x)
					}
					before := Stats().Waits
					go func() {
						framed(func(f *Frame) { access1(f, other, x) })
						came <- *x
					}()
					for Stats().Waits == before {
						runtime.Gosched()
					}
					*x = 1
					if open {
						access1(f, store, x)
					}
					f.Release(0)
				})
				if got := <-came; got != 1 {
					t.Fatalf("it came in between, and saw %d", got)
				}
				*x = 0
				idle(t)
			}
		})
	}
}

// What is in the same bucket by chance does not wait for a fast Hold, which may last
// long; what is held does.
func TestFastHoldOfAnother(t *testing.T) {
	_, load, store, other, x := healedFast(t)
	framed(func(f *Frame) { heldTwice(f, load, store, x, func() {}) })
	far := (*int)(unsafe.Add(unsafe.Pointer(x), 8<<bucketBits))
	if bucketOf(uintptr(unsafe.Pointer(x))) != bucketOf(uintptr(unsafe.Pointer(far))) {
		t.Fatal("not in one bucket")
	}
	framed(func(f *Frame) {
		f.Hold(load.Var, unsafe.Pointer(x), 0)
		access1(f, load, x)
		before, done := Stats(), make(chan bool)
		go func() {
			framed(func(f *Frame) { heldTwice(f, load, store, far, func() {}) })
			close(done)
		}()
		<-done
		if after := Stats(); after.Waits != before.Waits || after.Timeouts != before.Timeouts {
			t.Errorf("%d waits and %d fallbacks for the lock of another instance", after.Waits-before.Waits, after.Timeouts-before.Timeouts)
		}
		came := make(chan bool)
		defer func() { <-came }()
		go func() {
			framed(func(f *Frame) { access1(f, other, x) })
			close(came)
		}()
		for Stats().Waits == before.Waits {
			runtime.Gosched()
		}
		access1(f, store, x)
		f.Release(0)
	})
}
