//go:build !atomrace_off

package heal

import (
	"flag"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// stressed is one properly synchronised use of variables. Each gets its own
// tables; run is one goroutine's share, repeated. It returns how many windows it has
// seen open: sections that its Frame had open, and marks that stood in the race table.
type stressed struct {
	name string
	make func(p *program) (run func(f *Frame, worker, round int) int)
}

// sectionsIn is how many sections f has open, in whichever way.
func sectionsIn(f *Frame) int {
	n := int(f.number())
	if f.isFast() {
		n++
	}
	if f.activation != nil {
		n += f.n
	}
	return n
}

// marked is 1 if m stands in the race table, or stood there.
func marked(m Marked) int {
	if m.slot != nil {
		return 1
	}
	return 0
}

// counted is increment, and how many sections were open in the middle of it.
func counted(f *Frame, load, store *Location, x *int) int {
	v := Load(f, load, x)
	n := sectionsIn(f)
	write(f, store, x, v+1)
	return n
}

// guardedCounter makes sections over *x, whose whole span lies under the lock.
func guardedCounter(p *program, lock, unlock func(), x *int) func(*Frame, int, int) int {
	s := p.section("S")
	load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
	light := p.at(Write)
	load.Race, store.Race = true, true
	y := new(int)
	return func(f *Frame, _, _ int) int {
		lock()
		n := counted(f, load, store, x)
		m := mark(light, unsafe.Pointer(y), unsafe.Sizeof(int(0)))
		*y++
		Clear(m)
		unlock()
		return n + marked(m)
	}
}

var synchronised = []stressed{
	{"mutex", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		return guardedCounter(p, mu.Lock, mu.Unlock, new(int))
	}},
	{"channel", func(p *program) func(*Frame, int, int) int {
		token := make(chan struct{}, 1)
		return guardedCounter(p, func() { token <- struct{}{} }, func() { <-token }, new(int))
	}},
	{"a set under one lock", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		q := newAccountProgram(p.v.Package)
		entry, end := q.of(&q.balance, Read, q.together, q.alone), q.of(&q.version, Write, End{Section: q.together, Allow: 0})
		middle, other := q.of(&q.balance, Write, End{Section: q.alone, Allow: 0}), q.of(&q.version, Read)
		x := new(account)
		return func(f *Frame, worker, _ int) int {
			mu.Lock()
			defer mu.Unlock()
			if worker%2 == 0 {
				_ = Load(f, other, &x.version)
				return 0
			}
			access1(f, entry, &x.balance)
			n := sectionsIn(f)
			access1(f, middle, &x.balance)
			access1(f, end, &x.version)
			return n
		}
	}},
	{"home-made spin lock", func(p *program) func(*Frame, int, int) int {
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
	{"readers and writers", func(p *program) func(*Frame, int, int) int {
		var mu sync.RWMutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		pair := p.section("R")
		one, two := p.at(Read, pair), p.at(Read, End{Section: pair, Allow: Read})
		for _, l := range []*Location{load, store, one, two} {
			l.Race = true
		}
		x := new(int)
		return func(f *Frame, worker, _ int) int {
			if worker%2 == 0 {
				mu.Lock()
				defer mu.Unlock()
				return counted(f, load, store, x)
			}
			mu.RLock()
			a := Load(f, one, x)
			n := sectionsIn(f)
			b := Load(f, two, x)
			mu.RUnlock()
			if a != b {
				panic("the test itself is wrong")
			}
			return n
		}
	}},
	// The window of a section whose own atomic store is what lets others in.
	{"published by an atomic", func(p *program) func(*Frame, int, int) int {
		var turn atomic.Int64
		s := p.section("S")
		load, store, plain := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0}), p.at(Write)
		x := new(int)
		data := &Variable{Package: p.v.Package, Name: "data"}
		plain.Var, plain.Race = data, true
		return func(f *Frame, worker, _ int) int {
			for turn.Load()%stressWorkers != int64(worker) {
				runtime.Gosched()
			}
			write(f, plain, x, *x+1)
			now := Do01(f, load, unsafe.Pointer(&turn), turn.Load)
			n := sectionsIn(f)
			Do10(f, store, unsafe.Pointer(&turn), turn.Store, now+1)
			return n
		}
	}},
	{"adjacent fields", func(p *program) func(*Frame, int, int) int {
		x := new([8]int8)
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, worker, _ int) int {
			at := &x[worker]
			v := Load(f, load, at)
			n := sectionsIn(f)
			write(f, store, at, v+1)
			return n
		}
	}},
	{"objects handed over", func(p *program) func(*Frame, int, int) int {
		objects := make(chan *int, 4)
		for range 3 {
			objects <- new(int)
		}
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) int {
			x := <-objects
			n := counted(f, load, store, x)
			if round%7 == 0 {
				x = new(int) // memory is used anew
			}
			objects <- x
			return n
		}
	}},
	{"sections left without an end", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		x := new(int)
		return func(_ *Frame, _, round int) (n int) {
			f := Begin()
			defer f.End()
			for i := range 3 {
				f.Hold(&p.v, unsafe.Pointer(x), 1) // or whoever has the lock waits for who wants it
				mu.Lock()
				v := Load(&f, load, x)
				n += sectionsIn(&f)
				if (round+i)%2 == 0 {
					mu.Unlock()
					f.Release(1)
					continue // no f.Exit: the next round begins anew
				}
				f.Before(store, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
				*x = v + 1
				f.After(store, unsafe.Pointer(x))
				mu.Unlock()
				f.Release(1)
			}
			f.Exit(s)
			return n
		}
	}},
	{"on the stack", func(p *program) func(*Frame, int, int) int {
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) int {
			var x int
			m := mark(store, unsafe.Pointer(&x), unsafe.Sizeof(int(0)))
			grow(round % 64)
			x++
			Clear(m)
			v := Load(f, load, &x)
			grow(round % 64)
			write(f, store, &x, v+1)
			return marked(m)
		}
	}},
	{"map entries under a lock", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		m := map[int]int{}
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, round int) int {
			k := round % 5
			mu.Lock()
			v := MapLoad(f, load, m, k)
			n := sectionsIn(f)
			BeforeKey(f, store, m, k)
			m[k] = v + 1
			AfterKey(f, store, m, k)
			mu.Unlock()
			return n
		}
	}},
	{"condition variable", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		var busy bool
		free := sync.NewCond(&mu)
		return guardedCounter(p, func() {
			mu.Lock()
			for busy {
				free.Wait()
			}
			busy = true
			mu.Unlock()
		}, func() {
			mu.Lock()
			busy = false
			mu.Unlock()
			free.Signal()
		}, new(int))
	}},
	{"once", func(p *program) func(*Frame, int, int) int {
		type lazy struct {
			once sync.Once
			x    int
		}
		var current atomic.Pointer[lazy]
		current.Store(new(lazy))
		s, pair := p.section("S"), p.section("R")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		one, two := p.at(Read, pair), p.at(Read, End{Section: pair, Allow: Read})
		for _, l := range []*Location{load, store, one, two} {
			l.Race = true
		}
		return func(f *Frame, worker, round int) (n int) {
			if round%4 == 0 {
				current.Store(new(lazy))
			}
			z := current.Load()
			z.once.Do(func() { n = counted(f, load, store, &z.x) })
			Load(f, one, &z.x)
			n += sectionsIn(f)
			Load(f, two, &z.x)
			return n
		}
	}},
	{"fork and join", func(p *program) func(*Frame, int, int) int {
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, _ int) int {
			x, n := new([2]int), new([2]int)
			var both sync.WaitGroup
			for i := range x {
				both.Go(func() {
					g := Begin()
					defer g.End()
					n[i] = counted(&g, load, store, &x[i])
				})
			}
			both.Wait()
			return n[0] + n[1] + counted(f, load, store, &x[0]) + counted(f, load, store, &x[1])
		}
	}},
	{"sync.Pool", func(p *program) func(*Frame, int, int) int {
		pool := sync.Pool{New: func() any { return new(int) }}
		s := p.section("S")
		load, store := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0})
		load.Race, store.Race = true, true
		return func(f *Frame, _, _ int) int {
			x := pool.Get().(*int)
			n := counted(f, load, store, x)
			pool.Put(x)
			return n
		}
	}},
	{"updates", func(p *program) func(*Frame, int, int) int {
		var mu sync.Mutex
		s := p.section("S")
		first, last, peek := p.at(Read, s), p.at(Write, End{Section: s, Allow: 0}), p.at(Read)
		first.Race, last.Race, peek.Race = true, true, true
		x := new(int)
		return func(f *Frame, worker, round int) int {
			mu.Lock()
			defer mu.Unlock()
			if (worker+round)%4 == 0 {
				Load(f, peek, x)
				return 0
			}
			self := Self()
			if word, ok := Enter(self, first, last, unsafe.Pointer(x), unsafe.Sizeof(*x)); ok {
				*x++
				Leave(word, self, first, last, unsafe.Pointer(x), unsafe.Sizeof(*x))
				return 1
			}
			return counted(f, first, last, x)
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
		rounds = 100
	}
	for _, settings := range []string{
		"", "noise=random:1000/0s", "noise=random:200/20us", "heal=yield noise=random:300/0s wait=50us", "heal=lock noise=random:300/0s wait=50us",
	} {
		for _, c := range synchronised {
			t.Run(c.name+" "+settings, func(t *testing.T) {
				configured(t, settings)
				n := c.stress(t, func(batch int) bool { return batch < rounds/20 })
				if n == 0 && c.name != "on the stack" { // nobody else gets there
					t.Error("no windows")
				}
				idle(t)
			})
		}
	}
}

// stressWindows asks for a long run, whose figures stand in docs/evaluation.md.
var stressWindows = flag.Float64("windows", 1e5, "how many windows TestWindows opens at least")

// TestWindows opens as many windows as it is asked for, in turns of a tenth of a
// second for each of the programs: mostly with nothing but the hooks, which is
// quickest, and now and then healed, or with noise. Nothing may be reported.
func TestWindows(t *testing.T) {
	perCase := make([]int64, len(synchronised))
	total, turns := int64(0), 0
	settings := []string{"", "", "heal=lock", "", "heal=yield wait=50us", "", "", "heal=auto noise=random:20/0s", "", "heal=lock noise=random:20/5us wait=50us"}
	for float64(total) < *stressWindows {
		s := settings[turns%len(settings)]
		turns++
		for i := range synchronised {
			configured(t, s)
			end := time.Now().Add(min(100*time.Millisecond, time.Duration(*stressWindows)*100*time.Nanosecond))
			var granted atomic.Int64 // batches of each worker, for some take turns
			n := synchronised[i].stress(t, func(batch int) bool {
				if now := granted.Load(); int64(batch) == now && time.Now().Before(end) {
					granted.CompareAndSwap(now, now+1)
				}
				return int64(batch) < granted.Load()
			})
			sweep()
			perCase[i] += n
			total += n
			idle(t)
			if t.Failed() {
				t.Fatalf("%s, %q, after %d windows", synchronised[i].name, s, total)
			}
		}
	}
	t.Logf("%d windows, no alarm", total)
	for i, c := range synchronised {
		t.Logf("%12d %s", perCase[i], c.name)
	}
}

// sweep takes away what is left of quick sections that ended at the moment at which
// they were revealed, as the next one who comes to their bucket does.
func sweep() {
	for i := range buckets {
		b, gd := &buckets[i], &guarded[i%guards]
		gd.lock(b, new(instance))
		gd.unlock(b)
	}
}

// stress runs c in batches as long as more wants one, and returns how many windows there
// were. Whatever is reported fails the test.
func (c *stressed) stress(t *testing.T, more func(batch int) bool) (windows int64) {
	run := c.make(newProgram(t))
	got := found(t, func() {
		var all, collector sync.WaitGroup
		var total atomic.Int64
		for worker := range stressWorkers {
			all.Go(func() {
				for batch := 0; more(batch); batch++ {
					done := make(chan int64)
					go func() {
						n := int64(0)
						defer func() { done <- n }()
						f := Begin()
						defer f.End()
						for i := range 20 {
							n += int64(run(&f, worker, batch*20+i))
						}
					}()
					total.Add(<-done)
				}
			})
		}
		collector.Go(func() {
			for range 3 {
				runtime.GC()
			}
		})
		all.Wait()
		collector.Wait()
		windows = total.Load()
	})
	for _, v := range got {
		t.Error(v)
	}
	return windows
}
