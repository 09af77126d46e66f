//go:build !atomrace_off

package heal

import (
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// actor is a goroutine of the program under test. It runs one step at a time,
// so that a test lays down the interleaving; the channel orders the steps.
type actor struct {
	t     *testing.T
	steps chan func(*Frame)
	done  chan struct{}
}

// actors starts n goroutines that end with the test. Each has one activation.
func actors(t *testing.T, n int) []*actor {
	t.Helper()
	var as []*actor
	for range n {
		a := &actor{t, make(chan func(*Frame)), make(chan struct{})}
		var ended sync.WaitGroup
		ended.Go(func() {
			f := Begin()
			defer f.End()
			for step := range a.steps {
				step(&f)
				a.done <- struct{}{}
			}
		})
		t.Cleanup(func() { close(a.steps); ended.Wait() })
		as = append(as, a)
	}
	return as
}

// do runs step in a and returns when it is over.
func (a *actor) do(step func(*Frame)) {
	a.t.Helper()
	a.steps <- step
	<-a.done
}

// start runs step in a, concurrently; finished waits for it.
func (a *actor) start(step func(*Frame)) { a.steps <- step }
func (a *actor) finished()               { <-a.done }

// visit makes the access of l to *p: the hooks with nothing in between.
func (a *actor) visit(l *Location, p *int) {
	a.t.Helper()
	a.do(func(f *Frame) { access1(f, l, p) })
}

func access1(f *Frame, l *Location, p *int) {
	f.Before(l, unsafe.Pointer(p), unsafe.Sizeof(*p))
	f.After(l, unsafe.Pointer(p))
}

// apartInt is a variable in a bucket of its own: on 32-bit machines two that are next to
// each other share one.
func apartInt() *int { return &new([4]int)[0] }

// frameOf is the Frame of a goroutine that is only played.
func frameOf(g G) Frame { return Frame{g: g, stack: new(Stack)} }

// program builds the tables of one little program, fresh for each test.
type program struct {
	v    Variable
	line int
}

func newProgram(t *testing.T) *program {
	return &program{v: Variable{Package: "example.com/" + t.Name(), Name: "Pool.free", Type: "int"}}
}

func (p *program) section(id string) *Section {
	return &Section{ID: id, Pattern: "load-and-store", Var: &p.v, Assured: true}
}

// at makes a location; its sections and end points follow as *Section and End.
func (p *program) at(mode Mode, points ...any) *Location {
	p.line++
	l := &Location{Var: &p.v, Mode: mode, Function: &Function{"pool.go", "Pool.Get", "p.free"}, Line: int32(p.line), CodeEnd: 6}
	if len(points) > 0 {
		l.Bounds = new(Bounds)
	}
	for _, x := range points {
		switch x := x.(type) {
		case *Section:
			l.Bounds.Entry = append(l.entries(), x)
		case End:
			l.Bounds.Ends = append(l.endings(), x)
		}
	}
	tables.Lock()
	defer tables.Unlock()
	tables.all = append(tables.all, l)
	return l
}

// tables keeps all locations alive, as those of real programs are: the race table
// has their addresses as numbers, which the collector does not see.
var tables struct {
	sync.Mutex
	all []*Location
}

// configured puts settings in force for one test. Tests that use it cannot
// run in parallel, as the settings are the process's.
func configured(t *testing.T, s string) {
	t.Helper()
	before := settings()
	c := defaults()
	c.log, c.rate = filepath.Join(t.TempDir(), "log"), 0
	if err := c.parse(s); err != nil {
		t.Fatal(err)
	}
	force(c)
	t.Cleanup(func() { force(before) })
}

// environment is what ATOMRACE says, as to a program that starts, from the next SetPolicy or
// Suspend on.
func environment(t testing.TB, s string) {
	settingUp.Lock()
	defer settingUp.Unlock()
	before, read := settingUp.env, settingUp.read
	settingUp.env, settingUp.read = s, true
	t.Cleanup(func() {
		settingUp.Lock()
		defer settingUp.Unlock()
		settingUp.env, settingUp.read = before, read
	})
}

func force(c *config) { c.enforce() }

// mark opens the window of a light write.
func mark(l *Location, p unsafe.Pointer, size uintptr) Marked {
	Look(l, p, size)
	return Mark(Self(), l, p, size)
}

// found collects the violations reported while do runs.
func found(t *testing.T, do func()) []Violation {
	t.Helper()
	var mu sync.Mutex
	var all []Violation
	OnViolation(func(x Violation) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, x)
	})
	defer OnViolation(nil)
	do()
	mu.Lock()
	defer mu.Unlock()
	return all
}

// sections lists the ids of the sections broken, parted by spaces.
func sections(vs []Violation) string {
	var ids []string
	for _, v := range vs {
		ids = append(ids, v.Section.ID)
	}
	return strings.Join(ids, " ")
}

// live counts the cells and locks in the tables.
func live() (cells, locks int) {
	for i := range buckets {
		gd := &guarded[i%guards]
		gd.Lock()
		for c := buckets[i].cells(); c != nil; c = c.next {
			cells++
		}
		for h := buckets[i].locks(); h != nil; h = h.next {
			locks++
		}
		gd.Unlock()
	}
	return cells, locks
}

// idle fails the test if anything was left in the tables, but for what the next access in
// its bucket forgets: a quick section that ended at the very moment at which it was revealed.
func idle(t *testing.T) {
	t.Helper()
	for i := range buckets {
		b, gd := &buckets[i], &guarded[i%guards]
		gd.lock(b, nil)
		b.forget(gd, G(loadWord(b.word())>>1))
		gd.unlock(b)
	}
	if c, l := live(); c+l > 0 {
		t.Errorf("%d cells and %d healing locks left behind", c, l)
	}
	for i := range words {
		if w := loadWord(&words[i]); w != 0 {
			t.Errorf("word %d is %#x", i, w)
		}
		if w := loadWord(&buckets[i].owner); w != 0 || heldAt[i] != 0 {
			t.Errorf("fast word %d is %#x, its Hold %#x", i, w, heldAt[i])
		}
	}
}
