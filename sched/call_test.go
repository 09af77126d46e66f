package sched_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// counter has methods that each are one critical section, or more.
type counter struct {
	mu       sync.Mutex
	n, other int
	look     *sched.Location
	change   *sched.Location
}

func (c *counter) locked(do func()) {
	sched.MutexLock(&c.mu)
	defer sched.MutexUnlock(&c.mu)
	do()
}

func (c *counter) get() (n int) {
	c.locked(func() { n = read(c.look, &c.n) })
	return n
}

func (c *counter) set(n int) { c.locked(func() { write(c.change, &c.n, n) }) }

// clear sets only what is more than 9.
func (c *counter) clear() {
	c.locked(func() {
		if read(c.look, &c.n) > 9 {
			write(c.change, &c.n, 0)
		}
	})
}

// A section that begins and ends with calls begins and ends with the accesses in them.
func TestCalls(t *testing.T) {
	section := &sched.Section{ID: "s", Allow: sched.Reads}
	get, set := at(3, "n"), at(4, "n")
	get.Entry, set.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	disturb := func(c *counter) { // somebody else sets it, and waits for no one
		done := make(chan bool)
		sched.Go(func() { c.set(7); sched.Send(done, true) })
		sched.Receive(done)
	}
	begins := func(c *counter, fn func() int) int {
		return sched.Call01(get, sched.Field(unsafe.Pointer(c), unsafe.Offsetof(c.n)), false, fn)
	}
	ends := func(c *counter, fn func()) {
		sched.Call00(set, sched.Field(unsafe.Pointer(c), unsafe.Offsetof(c.n)), true, fn)
	}
	for _, test := range []struct {
		name   string
		do     func(c *counter)
		broken int
	}{
		{"in between", func(c *counter) { begins(c, c.get); disturb(c); ends(c, func() { c.set(1) }) }, 1},
		{"before", func(c *counter) { disturb(c); begins(c, c.get); ends(c, func() { c.set(1) }) }, 0},
		{"before the access in the call", func(c *counter) {
			begins(c, func() int { disturb(c); return c.get() })
			ends(c, func() { c.set(1) })
		}, 0},
		{"behind the access in the call", func(c *counter) {
			begins(c, func() int { defer disturb(c); return c.get() })
			ends(c, func() { c.set(1) })
		}, 1},
		{"between two looks in the call", func(c *counter) {
			begins(c, func() int { c.get(); disturb(c); return c.get() })
			ends(c, func() { c.set(1) })
		}, 0},
		{"before the end in the call", func(c *counter) {
			begins(c, c.get)
			ends(c, func() { disturb(c); c.set(1) })
		}, 1},
		{"between two changes in the call", func(c *counter) {
			begins(c, c.get)
			ends(c, func() { c.set(1); disturb(c); c.set(2) })
		}, 0},
		{"the call makes none", func(c *counter) {
			begins(c, c.get)
			disturb(c)
			ends(c, c.clear)
			ends(c, func() { c.set(1) })
		}, 0},
		{"the call panics", func(c *counter) {
			begins(c, c.get)
			disturb(c)
			func() {
				defer func() { _ = recover() }()
				ends(c, func() { panic("no") })
			}()
			c.set(1) // no end: the call is over
			ends(c, func() { c.set(1) })
		}, 0},
		{"of something else", func(c *counter) {
			begins(c, c.get)
			disturb(new(counter))
			ends(c, func() { c.set(1) })
		}, 0},
		{"of nil", func(c *counter) {
			begins(nil, func() int { return c.get() })
			disturb(c)
			ends(c, func() { c.set(1) })
		}, 0},
		{"an activation in the call ends what it began", func(c *counter) {
			inner := &sched.Section{ID: "inner"}
			other := at(5, "other")
			other.Entry = []*sched.Section{inner}
			begins(c, func() int {
				f := sched.Begin()
				defer f.End()
				read(other, &c.other)
				return c.get()
			})
			other.Entry, other.Ends = nil, []sched.End{{Section: inner}}
			disturb(c)
			write(other, &c.other, 1)
			ends(c, func() { c.set(1) })
		}, 1},
	} {
		r := run(t, sched.Options{}, func() {
			c := &counter{look: at(1, "n"), change: at(2, "n")}
			f := sched.Begin()
			defer f.End()
			test.do(c)
		})
		if len(r.Violations) != test.broken {
			t.Errorf("%s: %+v", test.name, r.Violations)
		}
		for _, v := range r.Violations {
			if v.Before.Location != "figure.go:3:1" || v.Before.Inside != "figure.go:1:1" || v.After.Location != "figure.go:4:1" || v.After.Inside != "figure.go:2:1" || v.Foreign.Inside != "" {
				t.Errorf("%s: %+v", test.name, v)
			}
		}
	}
}

// The strategy breaks c.set(c.get() + 1), with each seed.
func TestCallsDirected(t *testing.T) {
	section := &sched.Section{ID: "add", Variable: "n", Allow: sched.Reads}
	get, set := at(3, "n"), at(4, "n")
	get.Entry, set.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	broken := 0
	for seed := range 200 {
		c := &counter{look: at(1, "n"), change: at(2, "n")}
		r := run(t, sched.Options{Strategy: "atomicity", Seed: uint64(seed)}, func() {
			var all sync.WaitGroup
			for range 2 {
				sched.WaitGroupGo(&all, func() {
					f := sched.Begin()
					defer f.End()
					p := unsafe.Pointer(&c.n)
					sched.Call10(set, p, true, c.set, sched.Call01(get, p, false, c.get)+1)
				})
			}
			sched.WaitGroupWait(&all)
		})
		if len(r.Violations) > 0 {
			broken++
		}
		if (c.n == 2) != (len(r.Violations) == 0) {
			t.Errorf("seed %d: n is %d, broken %+v", seed, c.n, r.Violations)
		}
	}
	t.Logf("broken in %d of 200 runs", broken)
	if broken < 190 {
		t.Errorf("broken in %d of 200 runs", broken)
	}
}
