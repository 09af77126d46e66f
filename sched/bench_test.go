package sched_test

import (
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// benchmark runs a program that takes about as many decisions as it is told, and
// reports how many it took in a second.
func benchmark(b *testing.B, o sched.Options, program func(n int)) {
	o.Limit = 1 << 62
	r := run(b, o, func() { program(b.N) })
	if r.Outcome != sched.OutcomeDone {
		b.Fatal(r.Outcome, r.Message)
	}
	b.ReportMetric(float64(r.Decisions)/b.Elapsed().Seconds(), "decisions/s")
}

// workers runs f in four goroutines, which do n steps together.
func workers(n int, f func(n int)) {
	var all sync.WaitGroup
	for range 4 {
		sched.WaitGroupGo(&all, func() { f(n / 4) })
	}
	sched.WaitGroupWait(&all)
}

func yields(n int) {
	workers(n, func(n int) {
		for range n {
			sched.Yield()
		}
	})
}

func mutexes(n int) {
	var m sync.Mutex
	workers(n, func(n int) {
		for range n {
			sched.MutexLock(&m)
			sched.MutexUnlock(&m)
		}
	})
}

// locksAndChannels has two producers and two consumers at a channel, each with a
// lock and a variable in between.
func locksAndChannels(c chan int) func(n int) {
	return func(n int) {
		var m sync.Mutex
		loc, shared := at(1, "shared"), new(int)
		var all sync.WaitGroup
		for i := range 4 {
			sched.WaitGroupGo(&all, func() {
				for range n / 16 {
					if i%2 == 0 {
						sched.Send(c, i)
					} else {
						sched.Receive(c)
					}
					sched.MutexLock(&m)
					sched.Access(loc, unsafe.Pointer(shared), 8, true)
					*shared++
					sched.MutexUnlock(&m)
				}
			})
		}
		sched.WaitGroupWait(&all)
	}
}

func selects(n int) {
	a, b := make(chan int), make(chan int)
	workers(n, func(n int) {
		for range n {
			sched.Select(false, sched.SendCase(a, 1), sched.ReceiveCase(b, nil, nil))
		}
	})
}

func BenchmarkYield(b *testing.B)  { benchmark(b, sched.Options{}, yields) }
func BenchmarkMutex(b *testing.B)  { benchmark(b, sched.Options{}, mutexes) }
func BenchmarkSelect(b *testing.B) { benchmark(b, sched.Options{}, selects) }
func BenchmarkUnbuffered(b *testing.B) {
	benchmark(b, sched.Options{}, locksAndChannels(make(chan int)))
}
func BenchmarkBuffered(b *testing.B) {
	benchmark(b, sched.Options{}, locksAndChannels(make(chan int, 4)))
}

func BenchmarkStrategies(b *testing.B) {
	for _, o := range strategies {
		b.Run(o.Strategy, func(b *testing.B) { benchmark(b, o, locksAndChannels(make(chan int, 4))) })
	}
}

// BenchmarkCrowd has ten thousand goroutines at one mutex.
func BenchmarkCrowd(b *testing.B) {
	for _, o := range strategies {
		b.Run(o.Strategy, func(b *testing.B) {
			benchmark(b, o, func(int) {
				var m sync.Mutex
				var all sync.WaitGroup
				for range 10_000 {
					sched.WaitGroupGo(&all, func() {
						sched.Yield()
						sched.MutexLock(&m)
						sched.Yield()
						sched.MutexUnlock(&m)
					})
				}
				sched.WaitGroupWait(&all)
			})
		})
	}
}

// BenchmarkShapes has the programs of TestShapes as papers/000's Table 1 has its own:
// natively, in phase 1 and in phase 2 for one of their pairs.
func BenchmarkShapes(b *testing.B) {
	for _, s := range shapes {
		lines := append(slices.Clone(s.unreal), s.real...)[0]
		race := sched.Options{Strategy: "race", Pair: pair(lines[:3], lines[4:])}
		for name, o := range map[string]*sched.Options{"normal": nil, "hybrid": {Hybrid: true}, "race": &race} {
			b.Run(s.name+"/"+name, func(b *testing.B) {
				for i := range b.N {
					if o == nil {
						s.program()
						continue
					}
					o.Seed = uint64(i)
					run(b, *o, s.program)
				}
			})
		}
	}
}

// BenchmarkRun is a whole run of a small program.
func BenchmarkRun(b *testing.B) {
	for i := range b.N {
		run(b, sched.Options{Seed: uint64(i)}, mixture)
	}
}
