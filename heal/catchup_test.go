//go:build !atomrace_off

package heal

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// An access decides that nothing is healed; before it comes to pass, a policy comes
// and another goroutine enters a section under the healing lock. The access waits
// for the section to end.
func TestCatchUp(t *testing.T) {
	configured(t, "")
	_, load, store, other := threePlaces(t, true)
	s := load.entries()[0]
	t.Cleanup(func() { SetPolicy(s.ID, PolicyInherit) })
	a := actors(t, 2)
	x := new(int)
	in := instance{v: other.Var.info(), addr: uintptr(unsafe.Pointer(x))}
	a[1].do(func(f *Frame) {
		f.expand()
		f.win = access{active: true, addr: in.addr} // nothing to protect
	})
	SetPolicy(s.ID, PolicyLock)
	got := found(t, func() {
		a[0].visit(load, x)
		a[1].start(func(f *Frame) {
			f.observe(settings(), other, &in, unsafe.Pointer(x), false)
			f.After(other, unsafe.Pointer(x))
		})
		b, gd := place(in.addr)
		for waits := false; !waits; runtime.Gosched() {
			gd.Lock()
			h := b.lock(&in)
			waits = h != nil && h.queue != nil
			gd.Unlock()
		}
		a[0].visit(store, x)
		a[1].finished()
	})
	if len(got) > 0 {
		t.Errorf("broken although healed: %v", got)
	}
}

// A critical section that began before the variable was healed goes on without the
// lock, for to wait within would stop the owner. Who is broken by it was not let
// down by healing, and is told why.
func TestEarlyIntruder(t *testing.T) {
	configured(t, "")
	_, load, store, other := threePlaces(t, true)
	s := load.entries()[0]
	t.Cleanup(func() { SetPolicy(s.ID, PolicyInherit) })
	a := actors(t, 2)
	x := new(int)
	a[1].do(func(f *Frame) { f.Hold(other.Var, unsafe.Pointer(x), 0) })
	SetPolicy(s.ID, PolicyLock)
	before := Stats().Escaped
	got := found(t, func() {
		a[0].visit(load, x)
		a[1].visit(other, x)
		a[0].visit(store, x)
	})
	if len(got) != 1 || !strings.Contains(got[0].Healing, "began before that was so") {
		t.Errorf("got %+v", got)
	}
	if n := Stats().Escaped - before; n != 0 {
		t.Errorf("%d escaped", n)
	}
	a[1].do(func(f *Frame) { f.Release(0) })
	got = found(t, func() {
		a[0].visit(load, x)
		a[1].start(func(f *Frame) { access1(f, other, x) })
		a[0].visit(store, x)
		a[1].finished()
	})
	if len(got) > 0 {
		t.Errorf("after the critical section: %v", got)
	}
}
