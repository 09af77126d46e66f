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

// byName has methods that are each one critical section about one entry.
type byName struct {
	mu           sync.Mutex
	m            map[string]int
	known        sync.Map
	look, change *sched.Location
}

func (b *byName) get(k string) int {
	sched.MutexLock(&b.mu)
	defer sched.MutexUnlock(&b.mu)
	return sched.MapPeek(b.look, b.m, k)
}

func (b *byName) set(n int, k string) {
	sched.MutexLock(&b.mu)
	defer sched.MutexUnlock(&b.mu)
	if b.m == nil {
		b.m = map[string]int{}
	}
	sched.AccessMap(b.change, b.m, k)
	b.m[k] = n
}

// A section that begins and ends with calls about an entry is about map and key.
func TestCallsAboutEntries(t *testing.T) {
	section := &sched.Section{ID: "s", Allow: sched.Reads}
	get, set := at(3, "m[]"), at(4, "m[]")
	get.Entry, set.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	in := func(b *byName) sched.Container { return sched.MapField(unsafe.Pointer(b), unsafe.Offsetof(b.m)) }
	for _, test := range []struct {
		name   string
		do     func(b *byName, disturb func(b *byName, k string))
		broken int
	}{
		{"its entry", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, in(b), false, b.get, "mine")
			disturb(b, "mine")
			sched.CallKey20(set, in(b), true, 1, b.set, 1, "mine")
		}, 1},
		{"another entry", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, in(b), false, b.get, "mine")
			disturb(b, "another")
			sched.CallKey20(set, in(b), true, 1, b.set, 1, "mine")
		}, 0},
		{"another map", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, in(b), false, b.get, "mine")
			disturb(new(byName), "mine")
			sched.CallKey20(set, in(b), true, 1, b.set, 1, "mine")
		}, 0},
		{"before it and behind it in the calls", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, in(b), false, func(k string) int { disturb(b, "mine"); return b.get(k) }, "mine")
			sched.CallKey20(set, in(b), true, 1, func(n int, k string) { b.set(n, k); disturb(b, "mine") }, 1, "mine")
		}, 0},
		{"another entry at the end", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, in(b), false, b.get, "mine")
			disturb(b, "mine")
			sched.CallKey20(set, in(b), true, 1, b.set, 1, "another")
		}, 0},
		{"of nil", func(b *byName, disturb func(*byName, string)) {
			sched.CallKey11(get, sched.MapField(nil, unsafe.Offsetof(b.m)), false, b.get, "mine")
			disturb(b, "mine")
			sched.CallKey20(set, in(b), true, 1, b.set, 1, "mine")
		}, 0},
	} {
		r := run(t, sched.Options{}, func() {
			b := &byName{m: map[string]int{}, look: at(1, "m[]"), change: at(2, "m[]")}
			f := sched.Begin()
			defer f.End()
			test.do(b, func(b *byName, k string) {
				done := make(chan bool)
				sched.Go(func() { b.set(7, k); sched.Send(done, true) })
				sched.Receive(done)
			})
		})
		if len(r.Violations) != test.broken {
			t.Errorf("%s: %+v", test.name, r.Violations)
		}
	}
}

// A map that the first call makes is found by the second one.
func TestCallMakesTheMap(t *testing.T) {
	section := &sched.Section{ID: "s"}
	first, last := at(3, "m[]"), at(4, "m[]")
	first.Entry, last.Ends = []*sched.Section{section}, []sched.End{{Section: section}}
	r := run(t, sched.Options{}, func() {
		b := &byName{look: at(1, "m[]"), change: at(2, "m[]")}
		f := sched.Begin()
		defer f.End()
		in := sched.MapField(unsafe.Pointer(b), unsafe.Offsetof(b.m))
		sched.CallKey20(first, in, true, 1, b.set, 1, "mine")
		done := make(chan bool)
		sched.Go(func() { b.get("mine"); sched.Send(done, true) })
		sched.Receive(done)
		sched.CallKey11(last, in, false, b.get, "mine")
	})
	if len(r.Violations) != 1 {
		t.Errorf("%+v", r.Violations)
	}
}

// A sync.Map lies where its field does.
func TestCallsAboutSyncMap(t *testing.T) {
	section := &sched.Section{ID: "s", Allow: sched.Reads}
	get, set := at(3, "known[]"), at(4, "known[]")
	get.Entry, set.Ends = []*sched.Section{section}, []sched.End{{Section: section, Allow: sched.Reads}}
	for key, broken := range map[string]int{"mine": 1, "another": 0} {
		r := run(t, sched.Options{}, func() {
			b := &byName{look: at(1, "known[]"), change: at(2, "known[]")}
			f := sched.Begin()
			defer f.End()
			in := sched.SyncMapField(unsafe.Pointer(b), unsafe.Offsetof(b.known))
			store := func(k string) { sched.SyncMapStore(b.change, &b.known, k, 1); sched.MapWrite(&b.known) }
			sched.CallKey11(get, in, false, func(k string) any {
				v, _ := sched.SyncMapLoad(b.look, &b.known, k)
				sched.MapRead(&b.known)
				return v
			}, "mine")
			done := make(chan bool)
			sched.Go(func() { store(key); sched.Send(done, true) })
			sched.Receive(done)
			sched.CallKey10(set, in, true, store, "mine")
		})
		if len(r.Violations) != broken {
			t.Errorf("%s: %+v", key, r.Violations)
		}
	}
}
