//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// counting is x++ as a section of its own, as the rewriter has it; within runs between
// the read and the write, with whether the two were entered as one.
type counting struct {
	load, store *Location
	within      func(atOnce bool)
}

func (c *counting) add(x *int) (atOnce bool) {
	g := Self()
	w, ok := Enter(g, c.load, c.store, unsafe.Pointer(x), unsafe.Sizeof(*x))
	if ok {
		v := *x
		c.within(true)
		*x = v + 1
		Leave(w, g, c.load, c.store, unsafe.Pointer(x), unsafe.Sizeof(*x))
		return true
	}
	f := Begin()
	v := Load(&f, c.load, x)
	c.within(false)
	write(&f, c.store, x, v+1)
	f.End()
	return false
}

// countingIn is a program with one such update, another write, and the variable; the
// first update has been made.
func countingIn(t *testing.T, settings string) (p *program, c *counting, other *Location, x *int) {
	t.Helper()
	configured(t, settings)
	p, load, store, other := threePlaces(t, true)
	c = &counting{load, store, func(bool) {}}
	x = &new([1 << 17]int)[0] // not on the stack
	c.add(x)
	return p, c, other, x
}

// In which state of affairs the update is entered as one, and that nothing is left.
func TestUpdateAtOnce(t *testing.T) {
	for _, test := range []struct {
		settings string
		want     bool
	}{
		{"", true},
		{"heal=lock", !raceBuild},
		{"heal=auto", true},
		{"heal=yield", false},
		{"noise=random:1/1us", false},
		{"heal=lock noise=random:1/1us", false},
	} {
		t.Run(test.settings, func(t *testing.T) {
			_, c, _, x := countingIn(t, test.settings)
			for range 3 {
				if got := c.add(x); got != test.want {
					t.Errorf("at once: %v", got)
				}
				idle(t)
			}
			var own int
			if entered := c.add(&own); own != 1 || entered && onOwnStack(unsafe.Pointer(&own)) {
				t.Errorf("a variable on the stack was entered, or counted as %d", own)
			}
			if *x != 4 {
				t.Errorf("counted %d, want 4", *x)
			}
		})
	}
}

// A change of the settings counts for the next update.
func TestUpdateFollowsPolicy(t *testing.T) {
	_, c, _, x := countingIn(t, "")
	id := c.load.entries()[0].ID
	defer SetPolicy(id, PolicyInherit)
	for _, policy := range []Policy{PolicyLock, PolicyYield, PolicyOff, PolicyLock} {
		SetPolicy(id, policy)
		c.add(x)
		healed := false
		c.within = func(atOnce bool) {
			healed = atOnce && loadWord(fastWord(uintptr(unsafe.Pointer(x)))) == uint64(Begin().g)
		}
		c.add(x)
		if healed != (policy == PolicyLock && !raceBuild) {
			t.Errorf("%v: taken %v", policy, healed)
		}
		c.within = func(bool) {}
		idle(t)
	}
}

// Another goroutine writes in between: that is reported where nothing is healed, and
// does not come to pass under the lock.
func TestUpdateBrokenInto(t *testing.T) {
	for _, settings := range []string{"", "heal=lock wait=1m"} {
		t.Run(settings, func(t *testing.T) {
			_, c, other, x := countingIn(t, settings)
			*x = 0
			a := actors(t, 1)[0]
			got := found(t, func() {
				c.within = func(bool) {
					waits := Stats().Waits
					a.start(func(f *Frame) { write(f, other, x, 100) })
					if settings == "" {
						a.finished()
					} else {
						for Stats().Waits == waits {
							runtime.Gosched()
						}
					}
				}
				c.add(x)
			})
			if settings == "" {
				if len(got) != 1 {
					t.Errorf("%v", got)
				}
			} else {
				a.finished()
				if len(got) > 0 || *x != 100 {
					t.Errorf("%v; the value is %d", got, *x)
				}
			}
			idle(t)
		})
	}
}

// An intruder whose patience is at its end breaks the update, and that is reported.
func TestUpdateBrokenInTime(t *testing.T) {
	_, c, other, x := countingIn(t, "heal=lock wait=1ms")
	a := actors(t, 1)[0]
	c.within = func(bool) { a.do(func(f *Frame) { write(f, other, x, 1) }) }
	got := found(t, func() { c.add(x) })
	if len(got) != 1 || got[0].Healing != "lock; it could not be had in time" {
		t.Errorf("%v", got)
	}
	idle(t)
}

// Within an open section over the variable, in this goroutine, the update is no
// section that could be entered at once: it may end the other.
func TestUpdateWithinSection(t *testing.T) {
	for _, settings := range []string{"", "heal=lock"} {
		t.Run(settings, func(t *testing.T) {
			configured(t, settings)
			p := newProgram(t)
			outer, inner := p.section("outer"), p.section("inner")
			test := p.at(Read, outer)
			c := &counting{p.at(Read, inner), p.at(Write, End{Section: inner, Allow: Read}, End{Section: outer, Allow: Read}), func(bool) {}}
			x := &new([1 << 17]int)[0]
			for range 3 {
				framed(func(f *Frame) {
					access1(f, test, x)
					if c.add(x) {
						t.Error("entered")
					}
				})
				idle(t)
			}
			if *x != 3 {
				t.Errorf("counted %d", *x)
			}
		})
	}
}

// A Hold of the same goroutine is the lock: the update does not wait for it.
func TestUpdateUnderHold(t *testing.T) {
	p, c, _, x := countingIn(t, "heal=lock wait=1m")
	framed(func(f *Frame) {
		f.Hold(&p.v, unsafe.Pointer(x), 1)
		defer f.Release(1)
		if c.add(x) {
			t.Error("entered at once although there is a lock")
		}
	})
	idle(t)
	if !raceBuild && !c.add(x) {
		t.Error("not entered at once although the lock is gone")
	}
}

// Nobody is inside together with somebody else, whichever way each of them takes; the
// counter is plain.
func TestUpdatesExclude(t *testing.T) {
	p, c, _, x := countingIn(t, "heal=lock wait=1m")
	const goroutines, rounds = 8, 4000
	var all sync.WaitGroup
	*x = 0
	got := found(t, func() {
		for i := range goroutines {
			all.Go(func() {
				mine := &counting{c.load, c.store, func(bool) {}}
				for n := range rounds {
					mine.within = func(bool) {
						if n%11 == 0 {
							runtime.Gosched()
						}
					}
					if (n+i)%5 != 0 {
						mine.add(x)
						continue
					}
					framed(func(f *Frame) { // the ordinary way
						f.Hold(&p.v, unsafe.Pointer(x), 1)
						defer f.Release(1)
						mine.add(x)
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

// Functions whose sections are all updates look at the control file, too.
func TestUpdatePolls(t *testing.T) {
	_, c, _, x := countingIn(t, "")
	before := loadWord(&polls)
	storeWord(&polling, 1)
	defer storeWord(&polling, 0)
	c.add(x)
	if loadWord(&polls) == before {
		t.Error("it does not")
	}
}
