//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// programs counts those that threePlaces has made.
var programs atomic.Uint64

// load and store of a section, and a single write, of a program of its own.
func threePlaces(t *testing.T, assured bool) (p *program, load, store, other *Location) {
	p = newProgram(t)
	p.v.Package += fmt.Sprintf("/%d", programs.Add(1)) // what auto has decided stays
	s := p.section(t.Name())
	s.Assured, s.Assurance = assured, "for the test"
	return p, p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
}

// kept plays one section into which another goroutine wants to write, and says
// how it was kept out: "" if it was not.
func kept(t *testing.T, a []*actor, load, store, other *Location, x *int) (how string) {
	t.Helper()
	before := Stats()
	got := found(t, func() {
		a[0].visit(load, x)
		entered := make(chan struct{})
		a[1].start(func(f *Frame) { access1(f, other, x); close(entered) })
		for open := true; open && how == ""; runtime.Gosched() {
			select {
			case <-entered:
				open = false
			default:
			}
			switch now := Stats(); {
			case now.Waits > before.Waits:
				how = "lock"
			case now.Yields > before.Yields:
				how = "yield"
			}
		}
		a[0].visit(store, x)
		a[1].finished()
	})
	if (len(got) > 0) != (how == "") {
		t.Errorf("kept out by %q, but %d violations", how, len(got))
	}
	return how
}

// What auto does: it watches, sees the section broken once, and heals it from then
// on, by the lock only where that is assured; another section stays as it is.
func TestAuto(t *testing.T) {
	for _, global := range []bool{true, false} {
		for assured, want := range map[bool]string{true: "lock", false: "yield"} {
			settings := "wait=1m"
			if global {
				settings += " heal=auto"
			}
			configured(t, settings)
			p, load, store, other := threePlaces(t, assured)
			if !global {
				load.entries()[0].Policy, p.v.Policy = PolicyAuto, PolicyAuto
			}
			load.entries()[0].ID += want
			a := actors(t, 2)
			x := new(int)
			if how := kept(t, a, load, store, other, x); how != "" {
				t.Errorf("healed by %s before anything was seen", how)
			}
			for range 3 {
				if how := kept(t, a, load, store, other, x); how != want {
					t.Errorf("assured %v, then kept out by %q, want %q", assured, how, want)
				}
			}
			q := newProgram(t)
			q.v.Package, q.v.Name = p.v.Package, "Other"
			s := q.section("other" + want)
			l, e, o := q.at(Read, s), q.at(Write, End{Section: s, Allow: Read}), q.at(Write)
			if how := kept(t, a, l, e, o, new(int)); how != "" {
				t.Errorf("another section was healed by %s", how)
			}
			idle(t)
		}
	}
}

// The first report under auto says what is done about it.
func TestAutoSaysSo(t *testing.T) {
	configured(t, "heal=auto")
	_, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	got := found(t, func() { violate(a, load, store, other, new(int)) })
	if len(got) != 1 || got[0].Healing != "auto; from now on by lock: for the test" {
		t.Errorf("%v", got)
	}
}

// Sections under auto that nobody has broken go the quick way, and other
// variables stay quick when one is healed.
func TestAutoIsQuick(t *testing.T) {
	configured(t, "heal=auto")
	_, load, store, other := threePlaces(t, true)
	f := Begin()
	defer f.End()
	x := new([1 << 17]int)
	visit := func(l *Location) { access1(&f, l, &x[0]) }
	visit(load)
	visit(store)
	if generation == slowOnly || load.quick != generation {
		t.Error("not quick")
	}
	a := actors(t, 2)
	violate(a, load, store, other, new(int))
	visit(load)
	visit(store)
	if load.quick == generation {
		t.Error("healed, and still quick")
	}
	q := newProgram(t)
	q.v.Name = "another"
	l := q.at(Read, q.section("another"))
	visit(l)
	if l.quick != generation {
		t.Error("another variable is not quick any more")
	}
}

// The policy of one section, of all, and the kill switch, while the program runs.
func TestSetPolicy(t *testing.T) {
	configured(t, "")
	defer func() { SetPolicy("", PolicyInherit); Suspend(false); SetPolicy(t.Name(), PolicyInherit) }()
	environment(t, "wait=1m log_path="+filepath.Join(t.TempDir(), "log"))
	_, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	x := new(int)
	for i, step := range []struct {
		do   func()
		want string
	}{
		{func() {}, ""},
		{func() { SetPolicy(t.Name(), PolicyLock) }, "lock"},
		{func() { SetPolicy(t.Name(), PolicyYield) }, "yield"},
		{func() { SetPolicy(t.Name(), PolicyOff) }, ""},
		{func() { SetPolicy("", PolicyLock); SetPolicy(t.Name(), PolicyInherit) }, "lock"},
		{func() { Suspend(true) }, ""},
		{func() { SetPolicy("", PolicyYield) }, ""},
		{func() { Suspend(false) }, "yield"},
		{func() { SetPolicy("", PolicyInherit) }, ""},
		{func() { SetPolicy("", PolicyLock+1) }, ""},
	} {
		step.do()
		if how := kept(t, a, load, store, other, x); how != step.want {
			t.Errorf("step %d: kept out by %q, want %q", i, how, step.want)
		}
		idle(t)
	}
}

// A policy set before its section is met, or while it has one of its own.
func TestSetPolicyOfOthers(t *testing.T) {
	configured(t, "wait=1m")
	_, load, store, other := threePlaces(t, true)
	defer SetPolicy(t.Name(), PolicyInherit)
	SetPolicy(t.Name(), PolicyLock)
	a := actors(t, 2)
	if how := kept(t, a, load, store, other, new(int)); how != "lock" {
		t.Errorf("named early: %q", how)
	}
	q := newProgram(t)
	q.v.Name, q.v.Policy = "Curated", PolicyLock
	s := q.section(t.Name() + "/curated")
	s.Policy = PolicyLock
	load, store, other = q.at(Read, s), q.at(Write, End{Section: s, Allow: Read}), q.at(Write)
	if how := kept(t, a, load, store, other, new(int)); how != "lock" {
		t.Errorf("curated: %q", how)
	}
	defer SetPolicy(s.ID, PolicyInherit)
	SetPolicy(s.ID, PolicyOff)
	if how := kept(t, a, load, store, other, new(int)); how != "" {
		t.Errorf("curated, and switched off: %q", how)
	}
}

// Suspend ends the waits that are under way.
func TestSuspendEndsWaits(t *testing.T) {
	configured(t, "")
	environment(t, "heal=lock wait=1m log_path="+filepath.Join(t.TempDir(), "log"))
	defer Suspend(false)
	Suspend(false)
	_, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	x := new(int)
	a[0].visit(load, x)
	before := Stats()
	a[1].start(func(f *Frame) { access1(f, other, x) })
	for Stats().Waits == before.Waits {
		runtime.Gosched()
	}
	Suspend(true)
	a[1].finished()
	a[0].visit(store, x)
	if Stats().Timeouts != before.Timeouts {
		t.Error("counted as a time-out")
	}
	idle(t)
}

// A variable with a section that is healed by the lock and one by yielding: who
// writes to it is kept out of either.
func TestMixedPolicies(t *testing.T) {
	configured(t, "wait=1m")
	p := newProgram(t)
	s, u := p.section("S"), p.section("T")
	s.Policy, u.Policy, p.v.Policy = PolicyLock, PolicyYield, PolicyLock
	a := actors(t, 2)
	x := new(int)
	other := p.at(Write)
	u1, u2, s1, s2 := p.at(Read, u), p.at(Write, End{Section: u, Allow: Read}), p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
	a[0].visit(u1, x)
	a[0].visit(u2, x)
	a[0].visit(s1, x)
	a[0].visit(s2, x) // both are known
	for _, test := range []struct {
		load, store *Location
	}{{s1, s2}, {u1, u2}} {
		if how := kept(t, a, test.load, test.store, other, x); how == "" {
			t.Errorf("section %s was not healed", test.load.entries()[0].ID)
		}
	}
	idle(t)
}

// The control file: its grammar, and what it says in force.
func TestControlFile(t *testing.T) {
	for text, bad := range map[string]string{
		"":                          "",
		"# nothing\n\n":             "",
		"auto\noff S\nlock a b#1\n": "",
		"suspend\r\nlock":           "",
		"lock\nheal=lock":           `line 2: "heal=lock"`,
		"inherit":                   `line 1: "inherit"`,
		"off\npriority S":           `line 2: "priority S" is neither suspend nor begins with off, auto, yield or lock: goroutines have no priorities, yield is nearest`,
		"suspend S":                 `line 1: "suspend S"`,
	} {
		if _, err := parseOrders(text); (err == nil) != (bad == "") || err != nil && !strings.HasPrefix(err.Error(), bad) {
			t.Errorf("%q: %v", text, err)
		}
	}
	file := filepath.Join(t.TempDir(), "control")
	log := filepath.Join(t.TempDir(), "log")
	configured(t, "")
	environment(t, "wait=1m control="+file+" log_path="+log)
	Suspend(false) // reads the environment
	_, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	x := new(int)
	now := time.Now()
	for i, step := range []struct{ text, want, says string }{
		{"", "", ""},
		{"lock " + t.Name() + "\n", "lock", "control: heal as ATOMRACE says, 1 section(s) by name"},
		{"yield\n", "yield", "control: heal=yield\n"},
		{"yield\nlock nobody\nsuspend\n", "", "all healing suspended"},
		{"yield\nrubbish\n", "", `control: line 2: "rubbish" is neither`},
		{"lock\n", "lock", "control: heal=lock\n"},
		{"-", "", "control: heal as ATOMRACE says\n"},
	} {
		switch step.text {
		case "":
		case "-":
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		default:
			if err := os.WriteFile(file, []byte(step.text), 0o600); err != nil {
				t.Fatal(err)
			}
			at := now.Add(time.Duration(i) * time.Second) // file systems differ in how often their clock ticks
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
		}
		control.Lock()
		control.next = time.Time{}
		control.Unlock()
		for range pollEach {
			f := Begin()
			f.End()
		}
		if how := kept(t, a, load, store, other, x); how != step.want {
			t.Errorf("step %d, %q: kept out by %q, want %q", i, step.text, how, step.want)
		}
		if text, _ := os.ReadFile(log + "." + strconv.Itoa(os.Getpid())); !strings.Contains(string(text), step.says) {
			t.Errorf("step %d: %q is not said", i, step.says)
		}
	}
	idle(t)
}

// Nobody looks more than once a second.
func TestControlIsReadSeldom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "control")
	if err := os.WriteFile(file, []byte("lock"), 0o600); err != nil {
		t.Fatal(err)
	}
	configured(t, "")
	defer SetPolicy("", PolicyInherit)
	environment(t, "log_path="+file+".log control="+file)
	Suspend(false)
	start := time.Now()
	settings().look(start)
	if err := os.WriteFile(file, []byte("yield\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	settings().look(start.Add(pollPause / 2))
	if p := settings().heal; p != PolicyLock {
		t.Errorf("after half a second: %v", p)
	}
	settings().look(start.Add(2 * pollPause))
	if p := settings().heal; p != PolicyYield {
		t.Errorf("after two seconds: %v", p)
	}
	control.Lock()
	control.said.follow(orders{all: PolicyInherit})
	control.said = orders{}
	control.Unlock()
}

// Counters of one section: who waited, how long, who went on without.
func TestSectionStatistics(t *testing.T) {
	configured(t, "heal=lock wait=3ms")
	_, load, store, other := threePlaces(t, true)
	a := actors(t, 2)
	x := new(int)
	if how := kept(t, a, load, store, other, x); how != "lock" {
		t.Fatal(how)
	}
	a[0].visit(load, x)
	a[1].visit(other, x) // goes on without
	a[1].visit(other, x) // does not wait for the same owner again
	a[0].visit(store, x)
	for _, s := range Sections() {
		if s.Section != t.Name() {
			continue
		}
		n := uint64(0)
		for _, w := range s.Waits {
			n += w
		}
		if s.Prevented != 2 || n != 1 || s.Fallbacks != 2 || s.Violations != 1 || s.Healing != "lock" || !s.Assured {
			t.Errorf("%+v", s)
		}
		return
	}
	t.Error("no such section")
}

func TestBracket(t *testing.T) {
	for d, want := range map[time.Duration]int{0: 0, 10 * time.Microsecond: 0, 11 * time.Microsecond: 1, time.Millisecond: 2, 100 * time.Millisecond: 4, time.Hour: 5} {
		if got := bracket(d); got != want {
			t.Errorf("%v: %d, want %d", d, got, want)
		}
	}
}

// After a section has been seen broken under auto and everybody has left what was
// open at that moment, it is not broken again: without a lock, and in two critical
// sections of the program's lock.
func TestAutoHealsForGood(t *testing.T) {
	for _, noise := range []string{"", " noise=random:100/20us"} {
		for _, locked := range []bool{false, true} {
			configured(t, "heal=auto wait=1m"+noise)
			p, load, store, _ := threePlaces(t, true)
			var mu sync.Mutex
			x := new(int)
			around := func(f *Frame, site int, do func()) {
				if !locked {
					do()
					return
				}
				f.Hold(&p.v, unsafe.Pointer(x), site)
				mu.Lock()
				do()
				mu.Unlock()
				f.Release(site)
			}
			const goroutines, rounds = 6, 200
			phase := func() {
				var all sync.WaitGroup
				for range goroutines {
					all.Go(func() {
						for range rounds {
							func() {
								f := Begin()
								defer f.End()
								v := 0
								around(&f, 1, func() { v = Load(&f, load, x) })
								runtime.Gosched()
								around(&f, 2, func() { write(&f, store, x, v+1) })
							}()
						}
					})
				}
				all.Wait()
			}
			before := Stats()
			first := phase
			if !locked { // what races may not run under the race detector before it is healed
				first = func() { violate(actors(t, 2), load, store, p.at(Write), x) }
			}
			if got := found(t, first); len(got) == 0 {
				t.Errorf("noise %q, locked %v: nothing was broken at first", noise, locked)
			}
			if n := Stats().Timeouts - before.Timeouts; n > 2*goroutines {
				t.Errorf("noise %q, locked %v: %d fallbacks", noise, locked, n)
			}
			middle := Stats()
			*x = 0
			got := found(t, phase)
			if after := Stats(); len(got) > 0 || *x != goroutines*rounds || after.Timeouts != middle.Timeouts {
				t.Errorf("noise %q, locked %v: then %d violations, counted %d, %d fallbacks", noise, locked, len(got), *x, after.Timeouts-middle.Timeouts)
			}
			idle(t)
		}
	}
}
