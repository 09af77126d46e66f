//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

// The benchmarks come in pairs: what the program would do by itself, under a
// mutex, and hooked. Each operation is one x.f++ on the heap.

type boxed struct {
	mu sync.Mutex
	f  int
}

var shared = new(boxed)

func BenchmarkNative(b *testing.B) {
	x := shared
	for b.Loop() {
		natively(x)
	}
}

func BenchmarkMutex(b *testing.B) {
	x := shared
	for b.Loop() {
		x.mu.Lock()
		x.f++
		x.mu.Unlock()
	}
}

// The light family: one peek and one mark.
func BenchmarkHookedLight(b *testing.B) {
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	load, store := p.at(Read), p.at(Write)
	x, g := shared, Self()
	for b.Loop() {
		lightly(g, load, store, x)
	}
}

//go:noinline
func lightly(g *Stack, load, store *Location, x *boxed) {
	v := Peek(load, &x.f)
	Look(store, unsafe.Pointer(&x.f), unsafe.Sizeof(int(0)))
	m := Mark(g, store, unsafe.Pointer(&x.f), unsafe.Sizeof(int(0)))
	x.f = v + 1
	Clear(m)
}

// x.f++ as the rewriter has it where it is watched for races alone.
func BenchmarkHookedUpdate(b *testing.B) {
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	l := p.at(Write)
	x, g := shared, Self()
	for b.Loop() {
		update(g, l, x)
	}
}

//go:noinline
func update(g *Stack, l *Location, x *boxed) {
	Look(l, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
	m := Mark(g, l, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
	x.f++
	Clear(m)
}

//go:noinline
func natively(x *boxed) { x.f++ }

// The section family, outside any section.
func BenchmarkHookedAlone(b *testing.B) {
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	hooked(b, p.at(Read), p.at(Write), "")
}

// A section from the load to the store.
func BenchmarkHookedSection(b *testing.B) {
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	s := p.section("S")
	hooked(b, p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), "")
}

// The same, healed by the lock: to be compared with BenchmarkMutex.
func BenchmarkHookedSectionHealed(b *testing.B) {
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	s := p.section("S")
	hooked(b, p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), "heal=lock")
}

func hooked(b *testing.B, load, store *Location, settings string) {
	c := defaults()
	if err := c.parse(settings); err != nil {
		b.Fatal(err)
	}
	force(c)
	defer force(defaults())
	x := shared
	b.ReportAllocs()
	for b.Loop() {
		func() {
			f := Begin()
			defer f.End()
			increment(&f, load, store, &x.f)
		}()
	}
}

// Many updates in one function, which has one Frame.
func BenchmarkHookedLoopHealed(b *testing.B) {
	load, store := healedLocations(b, "heal=lock")
	x := shared
	f := Begin()
	defer f.End()
	for b.Loop() {
		increment(&f, load, store, &x.f)
	}
}

// Eight goroutines on one variable, doing nothing else.
func BenchmarkContendedMutex(b *testing.B) {
	x := new(boxed)
	contend(b, func() {
		x.mu.Lock()
		x.f++
		x.mu.Unlock()
	})
}

func BenchmarkContendedHealed(b *testing.B) {
	load, store := healedLocations(b, "heal=lock")
	x := new(boxed)
	before := Stats()
	contend(b, func() {
		f := Begin()
		defer f.End()
		increment(&f, load, store, &x.f)
	})
	after := Stats()
	b.ReportMetric(float64(after.Waits-before.Waits)/float64(b.N), "waits/op")
	b.ReportMetric(float64(after.Timeouts-before.Timeouts), "fallbacks")
}

func contend(b *testing.B, do func()) {
	b.SetParallelism((8 + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			do()
		}
	})
}

// healedLocations are those of a section that is healed by the lock.
func healedLocations(b *testing.B, settings string) (load, store *Location) {
	c := defaults()
	if err := c.parse(settings); err != nil {
		b.Fatal(err)
	}
	force(c)
	b.Cleanup(func() { force(defaults()) })
	p := &program{v: Variable{Package: "bench", Name: "T.f"}}
	s := p.section("S")
	return p.at(Read, s), p.at(Write, End{Section: s, Allow: Read})
}

// x.f++ as the rewriter has it where it is a section of its own.
func BenchmarkUpdateWatched(b *testing.B) { updated(b, "") }
func BenchmarkUpdateHealed(b *testing.B)  { updated(b, "heal=lock") }

func updated(b *testing.B, settings string) {
	load, store := healedLocations(b, settings)
	x := shared
	b.ReportAllocs()
	for b.Loop() {
		updateSection(load, store, x)
	}
}

//go:noinline
func updateSection(load, store *Location, x *boxed) {
	g := Self()
	if w, ok := Enter(g, load, store, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f)); ok {
		x.f++
		Leave(w, g, load, store, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
	} else {
		f := Begin()
		v := Load(&f, load, &x.f) + 1
		f.Before(store, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
		Look(store, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
		m := Mark(g, store, unsafe.Pointer(&x.f), unsafe.Sizeof(x.f))
		x.f = v
		Clear(m)
		f.After(store, unsafe.Pointer(&x.f))
		f.End()
	}
}

// The update in eight goroutines.
func BenchmarkContendedUpdateHealed(b *testing.B) {
	load, store := healedLocations(b, "heal=lock")
	x := new(boxed)
	before := Stats()
	contend(b, func() { updateSection(load, store, x) })
	after := Stats()
	b.ReportMetric(float64(after.Waits-before.Waits)/float64(b.N), "waits/op")
	b.ReportMetric(float64(after.Timeouts-before.Timeouts), "fallbacks")
}

// A single read of a healed variable, outside any section.
func BenchmarkReadHealed(b *testing.B) {
	load, store := healedLocations(b, "heal=lock")
	other := &Location{Var: load.Var, Mode: Read, Function: new(Function)}
	x := shared
	updateSection(load, store, x)
	for b.Loop() {
		readAlone(other, x)
	}
}

//go:noinline
func readAlone(l *Location, x *boxed) int {
	f := Begin()
	return Load(&f, l, &x.f)
}
