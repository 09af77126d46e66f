//go:build !atomrace_off

package heal

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// gauntlet lists the programs: orders of locks here, other ways to wait and to end
// in the files beside.
var gauntlet = append(append([]contestant{
	{"two sections nested in both orders", func(c *course) { opposite(c, 2, 4) }},
	{"three sections in a ring", func(c *course) { opposite(c, 3, 3) }},
	{"philosophers", func(c *course) { opposite(c, 5, 5) }},
	{"sections nested in one order", func(c *course) {
		v := c.variables(3)
		crowd(6, func(f *Frame, _ int) {
			v[0].section(f, func() { v[1].section(f, func() { v[2].section(f, func() {}) }) })
		})
	}},
	{"opposite orders and a third who writes", func(c *course) {
		v := c.variables(2)
		crowd(6, func(f *Frame, i int) {
			switch i % 3 {
			case 0:
				v[0].section(f, func() { v[1].section(f, func() {}) })
			case 1:
				v[1].section(f, func() { v[0].section(f, func() {}) })
			default:
				v[0].write(f)
				v[1].write(f)
			}
		})
	}},
	{"section then mutex, mutex then access", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			if i%2 == 0 {
				v.section(f, func() { mu.Lock(); runtime.Gosched(); mu.Unlock() })
				return
			}
			mu.Lock()
			v.write(f)
			mu.Unlock()
		})
	}},
	{"section over two critical sections, not hoisted", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, _ int) {
			mu.Lock()
			access1(f, v.load, v.x)
			mu.Unlock()
			mu.Lock()
			access1(f, v.store, v.x)
			mu.Unlock()
		})
	}},
	{"section over two critical sections, hoisted", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, _ int) {
			v.hold(f, mu, 1, func() { access1(f, v.load, v.x) })
			v.hold(f, mu, 2, func() { access1(f, v.store, v.x) })
		})
	}},
	{"some hoisted, some not", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			if i%2 == 0 {
				v.hold(f, mu, 1, func() { access1(f, v.load, v.x) })
				v.hold(f, mu, 2, func() { access1(f, v.store, v.x) })
				return
			}
			mu.Lock()
			v.section(f, func() {})
			mu.Unlock()
		})
	}},
	{"two locks and two Holds in both orders", func(c *course) {
		v, mu := c.variables(2), [2]sync.Mutex{}
		crowd(6, func(f *Frame, i int) {
			a, b := i%2, 1-i%2
			v[a].hold(f, &mu[a], 1, func() { access1(f, v[a].load, v[a].x) })
			v[b].hold(f, &mu[b], 2, func() { v[b].write(f) })
			v[a].hold(f, &mu[a], 1, func() { access1(f, v[a].store, v[a].x) })
		})
	}},
	{"a Hold within a section of another variable", func(c *course) {
		v, mu := c.variables(2), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			a, b := i%2, 1-i%2
			v[a].section(f, func() { v[b].hold(f, mu, 1, func() { v[b].write(f) }) })
		})
	}},
	{"the lock is released and taken again by a callee", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, _ int) {
			v.hold(f, mu, 1, func() {
				access1(f, v.load, v.x)
				framed(func(*Frame) { mu.Unlock(); runtime.Gosched(); mu.Lock() })
				access1(f, v.store, v.x)
			})
		})
	}},
	{"readers that upgrade", func(c *course) {
		v, mu := c.variable(), new(sync.RWMutex)
		crowd(6, func(f *Frame, _ int) {
			v.hold(f, mu.RLocker(), 1, func() { access1(f, v.load, v.x) })
			v.hold(f, mu, 2, func() { access1(f, v.store, v.x) })
		})
	}},
	{"readers that upgrade, not hoisted", func(c *course) {
		v, mu := c.variable(), new(sync.RWMutex)
		crowd(6, func(f *Frame, _ int) {
			mu.RLock()
			access1(f, v.load, v.x)
			mu.RUnlock()
			mu.Lock()
			access1(f, v.store, v.x)
			mu.Unlock()
		})
	}},
	{"a writer among many readers", func(c *course) {
		v, mu := c.variable(), new(sync.RWMutex)
		var done atomic.Bool
		crowd(9, func(f *Frame, i int) {
			if i == 0 {
				for range 5 {
					mu.Lock()
					v.write(f)
					mu.Unlock()
				}
				done.Store(true)
				return
			}
			for !done.Load() {
				mu.RLock()
				v.section(f, func() {})
				mu.RUnlock()
				runtime.Gosched()
			}
		})
	}},
	{"TryLock in a loop", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(6, func(f *Frame, i int) {
			if i%2 == 0 {
				v.section(f, func() {
					for !mu.TryLock() {
						runtime.Gosched()
					}
					mu.Unlock()
				})
				return
			}
			mu.Lock()
			v.write(f)
			mu.Unlock()
		})
	}},
	{"a spin lock of the program", func(c *course) {
		v := c.variable()
		var word atomic.Bool
		lock := func() {
			for !word.CompareAndSwap(false, true) {
				runtime.Gosched()
			}
		}
		crowd(4, func(f *Frame, i int) {
			if i%2 == 0 {
				v.section(f, func() { lock(); word.Store(false) })
				return
			}
			lock()
			v.write(f)
			word.Store(false)
		})
	}},
	{"entries of one map", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		m := map[int]int{1: 1, 2: 2}
		crowd(6, func(f *Frame, i int) {
			k := 1 + i%2
			f.Hold(&v.p.v, MapAt(&m), 1)
			mu.Lock()
			MapLoad(f, v.load, m, k)
			mu.Unlock()
			f.Release(1)
			mu.Lock() // not hoisted
			BeforeKey(f, v.store, m, k)
			AfterKey(f, v.store, m, k)
			MapLoad(f, v.poke, m, 3-k)
			mu.Unlock()
		})
	}},
	{"entries of one sync.Map in both orders", func(c *course) {
		v, w := c.variable(), c.variable()
		var m sync.Map
		crowd(6, func(f *Frame, i int) {
			a, b := 1+i%2, 2-i%2
			SyncMapLoad(f, v.load, &m, a)
			SyncMapLoad(f, w.load, &m, b)
			SyncMapStore(f, w.store, &m, b, 0)
			SyncMapStore(f, v.store, &m, a, 0)
		})
	}},
	{"atomics in both orders", func(c *course) {
		v, n := c.variables(2), [2]*atomic.Int64{new(atomic.Int64), new(atomic.Int64)}
		crowd(6, func(f *Frame, i int) {
			a, b := i%2, 1-i%2
			Do01(f, v[a].load, unsafe.Pointer(n[a]), n[a].Load)
			Do01(f, v[b].load, unsafe.Pointer(n[b]), n[b].Load)
			Do10(f, v[b].store, unsafe.Pointer(n[b]), n[b].Store, 1)
			Do10(f, v[a].store, unsafe.Pointer(n[a]), n[a].Store, 1)
		})
	}},
	{"1,000 goroutines on one variable", func(c *course) {
		v := c.variable()
		crowd(1000, func(f *Frame, _ int) { v.section(f, func() {}) })
	}},
	{"1,000 goroutines in hoisted critical sections", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(1000, func(f *Frame, _ int) {
			v.hold(f, mu, 1, func() { access1(f, v.load, v.x) })
			v.hold(f, mu, 2, func() { access1(f, v.store, v.x) })
		})
	}},
	{"a long section", func(c *course) {
		v := c.variable()
		in := make(chan struct{})
		crowd(5, func(f *Frame, i int) {
			if i == 0 {
				v.section(f, func() { close(in); time.Sleep(3 * gauntletWait) })
				return
			}
			<-in
			v.write(f)
		})
	}},
	{"a long critical section", func(c *course) {
		v, mu := c.variable(), new(sync.Mutex)
		crowd(4, func(f *Frame, i int) {
			v.hold(f, mu, 1, func() { v.section(f, func() { time.Sleep(gauntletWait) }) })
		})
	}},
	{"one processor, both orders", func(c *course) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		opposite(c, 2, 4)
	}},
	{"one processor, spinning for a flag in a section", func(c *course) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		v := c.variable()
		var flag atomic.Bool
		crowd(2, func(f *Frame, i int) {
			if i == 1 {
				v.write(f)
				flag.Store(true)
				return
			}
			v.section(f, func() {
				for !flag.Load() {
					runtime.Gosched()
				}
			})
		})
	}},
	{"a bubble, both orders", func(c *course) {
		synctest.Test(c.t, func(*testing.T) { opposite(c, 2, 4) })
	}},
	{"a bubble, a section across channels", func(c *course) {
		synctest.Test(c.t, func(*testing.T) { acrossChannel(c) })
	}},
	{"a bubble, a section that sleeps", func(c *course) {
		synctest.Test(c.t, func(*testing.T) {
			v := c.variable()
			crowd(3, func(f *Frame, _ int) { v.section(f, func() { time.Sleep(time.Hour) }) })
		})
	}},
}, gauntletWaits...), gauntletEnds...)

// opposite has goroutines go round a ring of n variables, each of them beginning
// elsewhere, with two sections open at a time.
func opposite(c *course, n, goroutines int) {
	v := c.variables(n)
	crowd(goroutines, func(f *Frame, i int) {
		a, b := v[i%n], v[(i+1)%n]
		a.section(f, func() { runtime.Gosched(); b.section(f, func() {}) })
	})
}

// acrossChannel keeps a section open over a receive; the sender needs the variable
// first.
func acrossChannel(c *course) {
	v := c.variable()
	ch := make(chan int)
	crowd(2, func(f *Frame, i int) {
		if i == 0 {
			v.section(f, func() { <-ch })
			return
		}
		v.write(f)
		ch <- 1
	})
}
