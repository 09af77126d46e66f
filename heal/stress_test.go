//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// stressed is one properly synchronised use of variables. Each gets its own
// tables; run is one goroutine's share, repeated.
type stressed struct {
	name string
	make func(p *program) (run func(f *Frame, worker, round int))
}

// guardedCounter makes sections over *x, whose whole span lies under the lock.
func guardedCounter(p *program, lock, unlock func(), x *int) func(*Frame, int, int) {
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
	light := p.at(Write)
	load.Race, store.Race = true, true
	y := new(int)
	return func(f *Frame, _, _ int) {
		lock()
		increment(f, load, store, x)
		m := mark(light, unsafe.Pointer(y), unsafe.Sizeof(int(0)))
		*y++
		Clear(m)
		unlock()
	}
}

var synchronised = []stressed{
	{"mutex", func(p *program) func(*Frame, int, int) {
		var mu sync.Mutex
		return guardedCounter(p, mu.Lock, mu.Unlock, new(int))
	}},
	{"channel", func(p *program) func(*Frame, int, int) {
		token := make(chan struct{}, 1)
		return guardedCounter(p, func() { token <- struct{}{} }, func() { <-token }, new(int))
	}},
	{"a set under one lock", func(p *program) func(*Frame, int, int) {
		var mu sync.Mutex
		q := newAccountProgram(p.v.Package)
		entry, end := q.of(&q.balance, Read, q.together, q.alone), q.of(&q.version, Write, End{Section: q.together, Allow: 0})
		middle, other := q.of(&q.balance, Write, End{Section: q.alone, Allow: 0}), q.of(&q.version, Read)
		x := new(account)
		return func(f *Frame, worker, _ int) {
			mu.Lock()
			defer mu.Unlock()
			if worker%2 == 0 {
				_ = Load(f, other, &x.version)
				return
			}
			access1(f, entry, &x.balance)
			access1(f, middle, &x.balance)
			access1(f, end, &x.version)
		}
	}},
	{"home-made spin lock", func(p *program) func(*Frame, int, int) {
		var word atomic.Int32
		l := p.at(ReadWrite)
		l.Var = &Variable{Package: p.v.Package, Name: "Spin.word"}
		f := func(f func()) { f() }
		return guardedCounter(p, func() {
			f(func() {
				fr := Begin()
				for !Do21(&fr, l, unsafe.Pointer(&word), word.CompareAndSwap, int32(0), int32(1)) {
					runtime.Gosched()
				}
			})
		}, func() { word.Store(0) }, new(int))
	}},
	{"readers and writers", func(p *program) func(*Frame, int, int) {
		var mu sync.RWMutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		pair := p.section("R")
		one, two := p.at(Read, pair), p.at(Read, End{Section: pair, Allow: Read})
		for _, l := range []*Location{load, store, one, two} {
			l.Race = true
		}
		x := new(int)
		return func(f *Frame, worker, _ int) {
			if worker%2 == 0 {
				mu.Lock()
				increment(f, load, store, x)
				mu.Unlock()
				return
			}
			mu.RLock()
			a := Load(f, one, x)
			b := Load(f, two, x)
			mu.RUnlock()
			if a != b {
				panic("the test itself is wrong")
			}
		}
	}},
	// The window of a section whose own atomic store is what lets others in.
	{"published by an atomic", func(p *program) func(*Frame, int, int) {
		var turn atomic.Int64
		s := p.section("S")
		load, store, plain := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0}), p.at(Write)
		x := new(int)
		data := &Variable{Package: p.v.Package, Name: "data"}
		plain.Var, plain.Race = data, true
		return func(f *Frame, worker, _ int) {
			for turn.Load()%stressWorkers != int64(worker) {
				runtime.Gosched()
			}
			write(f, plain, x, *x+1)
			n := Do01(f, load, unsafe.Pointer(&turn), turn.Load)
			Do10(f, store, unsafe.Pointer(&turn), turn.Store, n+1)
		}
	}},
	{"adjacent fields", func(p *program) func(*Frame, int, int) {
		x := new([8]int8)
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, worker, _ int) {
			at := &x[worker]
			v := Load(f, load, at)
			write(f, store, at, v+1)
		}
	}},
	{"objects handed over", func(p *program) func(*Frame, int, int) {
		objects := make(chan *int, 4)
		for range 3 {
			objects <- new(int)
		}
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) {
			x := <-objects
			increment(f, load, store, x)
			if round%7 == 0 {
				x = new(int) // memory is used anew
			}
			objects <- x
		}
	}},
	{"sections left without an end", func(p *program) func(*Frame, int, int) {
		var mu sync.Mutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		return func(_ *Frame, _, round int) {
			f := Begin()
			defer f.End()
			for i := range 3 {
				mu.Lock()
				v := Load(&f, load, x)
				if (round+i)%2 == 0 {
					mu.Unlock()
					continue // no f.Exit: the next round begins anew
				}
				f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
				*x = v + 1
				f.After(store, unsafe.Pointer(x))
				mu.Unlock()
			}
			f.Exit(s)
		}
	}},
	{"on the stack", func(p *program) func(*Frame, int, int) {
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) {
			var x int
			m := mark(store, unsafe.Pointer(&x), unsafe.Sizeof(int(0)))
			grow(round % 64)
			x++
			Clear(m)
			v := Load(f, load, &x)
			grow(round % 64)
			write(f, store, &x, v+1)
		}
	}},
	{"map entries under a lock", func(p *program) func(*Frame, int, int) {
		var mu sync.Mutex
		m := map[int]int{}
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) {
			k := round % 5
			mu.Lock()
			v := MapLoad(f, load, m, k)
			BeforeKey(f, store, m, k)
			m[k] = v + 1
			AfterKey(f, store, m, k)
			mu.Unlock()
		}
	}},
}

// grow makes the stack grow, and so move.
func grow(n int) byte {
	var pad [512]byte
	if n > 0 {
		pad[n] = grow(n - 1)
	}
	return pad[n/2]
}

const stressWorkers = 6

// Nothing may ever be reported on correct programs, whatever the noise and
// the healing. Goroutines are renewed all the time, so that their descriptors
// and stacks are used anew, and the collector runs.
func TestNoFalseAlarm(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	for _, settings := range []string{
		"", "noise=random:1000/0s", "noise=random:200/20us", "heal=yield noise=random:300/0s wait=1ms", "heal=lock noise=random:300/0s wait=1ms",
	} {
		for _, c := range synchronised {
			t.Run(c.name+" "+settings, func(t *testing.T) {
				configured(t, settings)
				run := c.make(newProgram(t))
				got := found(t, func() {
					var all sync.WaitGroup
					for worker := range stressWorkers {
						all.Go(func() {
							for batch := range rounds / 20 {
								done := make(chan struct{})
								go func() {
									defer close(done)
									f := Begin()
									defer f.End()
									for i := range 20 {
										run(&f, worker, batch*20+i)
									}
								}()
								<-done
							}
						})
					}
					all.Go(func() {
						for range 3 {
							runtime.GC()
						}
					})
					all.Wait()
				})
				for _, v := range got {
					t.Error(v)
				}
				idle(t)
			})
		}
	}
}
