//go:build !atomrace_off

package heal

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// activation1 is one activation of a function that is there twice: f is nil in those that
// rest.
func activation1(rested *atomic.Int64, body func(f *Frame)) {
	if allUnwatched(0) {
		rested.Add(1)
		body(nil)
		return
	}
	framed(body)
}

// visits is access1 where the activation is watched.
func visits(f *Frame, l *Location, x *int) {
	if f != nil {
		access1(f, l, x)
	}
}

// restful are uses of a variable that are right because of a lock, in functions that rest
// by turns.
var restful = []struct {
	name string
	make func(p *program, rested *atomic.Int64) (run func(round int) int)
}{
	{"one activation", func(p *program, rested *atomic.Int64) func(int) int {
		var mu sync.Mutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		return func(int) (n int) {
			activation1(rested, func(f *Frame) {
				mu.Lock()
				defer mu.Unlock()
				visits(f, load, x)
				runtime.Gosched()
				if f != nil {
					n = sectionsIn(f)
				}
				visits(f, store, x)
			})
			return n
		}
	}},
	{"the same function called again", func(p *program, rested *atomic.Int64) func(int) int {
		var mu sync.Mutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		var take func(round, depth int) int
		take = func(round, depth int) (n int) {
			activation1(rested, func(f *Frame) {
				visits(f, load, x)
				if f != nil {
					n = sectionsIn(f)
				}
				linger(round)
				if depth < 3 {
					n += take(round, depth+1)
				}
				visits(f, store, x)
			})
			return n
		}
		return func(round int) int {
			mu.Lock()
			defer mu.Unlock()
			return take(round, 0)
		}
	}},
	// What ends in another activation may end in one that rests, and tells nothing then.
	{"an end in the same function called again", func(p *program, rested *atomic.Int64) func(int) int {
		var mu sync.Mutex
		s := p.section("S")
		s.Apart = true
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		// The outer activation reads, the inner one writes, under one lock; later the outer
		// one writes once more, at the place where the section ends.
		var take func(round, depth int) int
		take = func(round, depth int) (n int) {
			activation1(rested, func(f *Frame) {
				if depth > 0 {
					visits(f, store, x)
					return
				}
				mu.Lock()
				visits(f, load, x)
				if f != nil {
					n = sectionsIn(f)
				}
				linger(round)
				take(round, 1)
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				visits(f, store, x)
				mu.Unlock()
			})
			return n
		}
		return func(round int) int { return take(round, 0) }
	}},
	{"an end in a literal", func(p *program, rested *atomic.Int64) func(int) int {
		var mu sync.Mutex
		s := p.section("S")
		s.Apart = true
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		last := p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		return func(round int) (n int) {
			activation1(rested, func(f *Frame) {
				mu.Lock()
				visits(f, load, x)
				if f != nil {
					n = sectionsIn(f)
				}
				linger(round)
				activation1(rested, func(f *Frame) { visits(f, store, x) })
				mu.Unlock()
				runtime.Gosched()
				mu.Lock()
				visits(f, last, x)
				mu.Unlock()
			})
			return n
		}
	}},
	{"updates", func(p *program, rested *atomic.Int64) func(int) int {
		var mu sync.Mutex
		s := p.section("S")
		first, last := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		return func(int) (n int) {
			mu.Lock()
			defer mu.Unlock()
			activation1(rested, func(f *Frame) {
				self := Self()
				if f == nil {
					*x++
				} else if word, ok := Enter(self, first, last, unsafe.Pointer(x), unsafe.Sizeof(*x)); ok {
					*x++
					Leave(word, self, first, last, unsafe.Pointer(x), unsafe.Sizeof(*x))
					n = 1
				} else {
					n = counted(f, first, last, x)
				}
			})
			return n
		}
	}},
}

// turn lets all rest, or be watched.
func turn(rest uint64) {
	takeTurn()
	phase.rests = rest != 0
	tell()
	atomic.StoreUint32(&phase.turning, 0)
}

// linger lets others run, and the turn come, in some rounds.
func linger(round int) {
	if round%8 == 0 {
		time.Sleep(20 * time.Microsecond)
	}
	runtime.Gosched()
}

// Nothing is reported on correct programs either whose functions rest by turns, however
// quickly these follow each other.
func TestNoFalseAlarmResting(t *testing.T) {
	span := 500 * time.Millisecond
	if testing.Short() {
		span = 100 * time.Millisecond
	}
	for _, c := range restful {
		t.Run(c.name, func(t *testing.T) {
			configured(t, "summary=0 budget=none")
			var rested, windows, flips atomic.Int64
			run := c.make(newProgram(t), &rested)
			enough := func() bool { return windows.Load() >= 100 && rested.Load() >= 100 && flips.Load() >= 10 }
			got := found(t, func() {
				var all, turner sync.WaitGroup
				var over atomic.Bool
				for range stressWorkers {
					all.Go(func() {
						for round := 0; !over.Load(); round++ {
							windows.Add(int64(run(round)))
						}
					})
				}
				turner.Go(func() {
					// Where the processors are busy with others, it takes longer.
					for begun := time.Now(); time.Since(begun) < span || !enough() && time.Since(begun) < time.Minute; flips.Add(1) {
						turn(uint64(flips.Load()+1) % 2)
						time.Sleep(time.Duration(rand.IntN(60)) * time.Microsecond)
					}
					over.Store(true)
				})
				all.Wait()
				turner.Wait()
				turn(0)
			})
			for _, v := range got[:min(len(got), 3)] {
				t.Error(v)
			}
			if !enough() {
				t.Errorf("%d windows, %d activations rested, %d turns", windows.Load(), rested.Load(), flips.Load())
			}
			t.Logf("%d windows, %d activations rested, %d turns", windows.Load(), rested.Load(), flips.Load())
			idle(t)
		})
	}
}
