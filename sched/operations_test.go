package sched_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/atomrace/atomrace/sched"
)

// Each of these programs does something that only comes out right if the operation
// has the meaning it has in Go; under every strategy and seed it must return.
var right = map[string]func(){
	"a mutex keeps others out": func() {
		var m sync.Mutex
		var all sync.WaitGroup
		inside, n := 0, 0
		for range 4 {
			sched.WaitGroupGo(&all, func() {
				for range 3 {
					sched.MutexLock(&m)
					inside++
					assert(inside == 1, "%d inside", inside)
					sched.Yield()
					inside--
					n++
					sched.MutexUnlock(&m)
				}
			})
		}
		sched.WaitGroupWait(&all)
		assert(n == 12, "%d", n)
	},
	"a RWMutex lets readers in together, and a writer alone": func() {
		var m sync.RWMutex
		var all sync.WaitGroup
		readers, writers := 0, 0
		for i := range 5 {
			sched.WaitGroupGo(&all, func() {
				if i < 2 {
					sched.RWMutexLock(&m)
					writers++
					sched.Yield()
					assert(writers == 1 && readers == 0, "%d writers, %d readers", writers, readers)
					writers--
					sched.RWMutexUnlock(&m)
					return
				}
				sched.RWMutexRLock(&m)
				readers++
				sched.Yield()
				assert(writers == 0, "a writer with readers")
				readers--
				sched.RWMutexRUnlock(&m)
			})
		}
		sched.WaitGroupWait(&all)
	},
	"TryLock fails only on a lock that is held": func() {
		var m sync.Mutex
		var r sync.RWMutex
		locked, done := sched.MutexTryLock(&m)
		assert(locked && done, "a free mutex")
		locked, _ = sched.MutexTryLock(&m)
		assert(!locked, "a held mutex")
		sched.MutexUnlock(&m)
		locked, _ = sched.RWMutexTryRLock(&r)
		assert(locked, "a free RWMutex")
		locked, _ = sched.RWMutexTryLock(&r)
		assert(!locked, "a RWMutex with a reader")
		locked, _ = sched.RWMutexTryRLock(&r)
		assert(locked, "a second reader")
		sched.RWMutexRUnlock(&r)
		sched.RWMutexRUnlock(&r)
		locked, _ = sched.RWMutexTryLock(&r)
		assert(locked, "a RWMutex without readers")
		sched.RWMutexUnlock(&r)
	},
	"a lock that is overwritten is free": func() {
		s := new(struct {
			m  sync.Mutex
			rw sync.RWMutex
		})
		for range 2 {
			sched.MutexLock(&s.m)
			s.m = sync.Mutex{}
			sched.RWMutexLock(&s.rw)
			s.rw = sync.RWMutex{}
		}
		sched.RWMutexRLock(&s.rw)
		sched.RWMutexRUnlock(&s.rw)
	},
	"an unbuffered channel hands over in order": func() {
		c := make(chan int)
		sched.Go(func() {
			for i := range 5 {
				sched.Send(c, i)
			}
			sched.Close(c)
		})
		for i := range 5 {
			v, ok := sched.ReceiveOK(c)
			assert(ok && v == i, "%d, %v for %d", v, ok, i)
		}
		_, ok := sched.ReceiveOK(c)
		assert(!ok, "open")
	},
	"a buffered channel keeps its order when it is full": func() {
		c := make(chan int, 2)
		sched.Go(func() {
			for i := range 9 {
				assert(len(c) <= 2, "%d", len(c))
				sched.Send(c, i)
			}
			sched.Close(c)
		})
		want := 0
		for {
			v, ok := sched.ReceiveOK(c)
			if !ok {
				break
			}
			assert(v == want, "%d for %d", v, want)
			want++
		}
		assert(want == 9, "%d values", want)
	},
	"each value is received once": func() {
		c, sum := make(chan int), make(chan int)
		var all sync.WaitGroup
		for i := range 3 {
			sched.WaitGroupGo(&all, func() { sched.Send(c, 1<<i) })
			sched.WaitGroupGo(&all, func() { sched.Send(sum, sched.Receive(c)) })
		}
		total := 0
		for range 3 {
			total += sched.Receive(sum)
		}
		sched.WaitGroupWait(&all)
		assert(total == 7, "%b", total)
	},
	"select takes one case, and default only if none is ready": func() {
		a, b, quit := make(chan int), make(chan string, 1), make(chan bool)
		sched.Go(func() {
			for i := range 3 {
				sched.Select(true, sched.SendCase(a, i))
			}
			sched.Close(quit)
		})
		var other sync.WaitGroup
		sched.WaitGroupGo(&other, func() { sched.Select(true, sched.SendCase(b, "x"), sched.SendCase[int](nil, 1)) })
		var v int
		var s string
		var ok bool
		counts := [3]int{}
		for counts[2] == 0 {
			i := sched.Select(true, sched.ReceiveCase(a, &v, nil), sched.ReceiveCase(b, &s, &ok), sched.ReceiveCase(quit, nil, &ok))
			switch i {
			case 0:
				assert(v == counts[0], "%d", v)
			case 1:
				assert(ok && s == "x", "%v %q", ok, s)
			case 2:
				assert(!ok, "open")
			}
			counts[i]++
		}
		assert(counts[0] == 3, "%v", counts)
		if counts[1] == 0 {
			assert(sched.Receive(b) == "x", "lost")
		}
		sched.WaitGroupWait(&other)
		assert(sched.Select(false, sched.ReceiveCase(a, &v, nil), sched.SendCase(a, 1)) == -1, "nobody is there")
		assert(sched.Select(false) == -1, "no case")
	},
	"two selects meet": func() {
		a, b := make(chan int), make(chan int)
		var other sync.WaitGroup
		taken := -1
		sched.WaitGroupGo(&other, func() { taken = sched.Select(true, sched.SendCase(a, 1), sched.ReceiveCase(b, nil, nil)) })
		i := sched.Select(true, sched.ReceiveCase(a, nil, nil), sched.SendCase(b, 1))
		sched.WaitGroupWait(&other)
		assert(taken == i, "%d, %d", taken, i)
	},
	"a WaitGroup waits for all, twice": func() {
		var g sync.WaitGroup
		n := 0
		for range 2 {
			sched.WaitGroupAdd(&g, 2)
			for range 2 {
				sched.Go(func() {
					sched.Yield()
					n++
					sched.WaitGroupAdd(&g, -1)
				})
			}
			sched.WaitGroupWait(&g)
		}
		assert(n == 4, "%d", n)
	},
	"a Once runs once, and all wait for it": func() {
		var once sync.Once
		var all sync.WaitGroup
		n, ready := 0, false
		for range 3 {
			sched.WaitGroupGo(&all, func() {
				sched.OnceDo(&once, func() {
					n++
					sched.Yield()
					ready = true
				})
				assert(ready, "not ready")
			})
		}
		sched.WaitGroupWait(&all)
		assert(n == 1, "%d times", n)
	},
	"a Cond wakes those that wait": func() {
		var m sync.Mutex
		c := sync.NewCond(&m)
		var all sync.WaitGroup
		tokens := 0
		for range 3 {
			sched.WaitGroupGo(&all, func() {
				sched.MutexLock(&m)
				for tokens == 0 {
					sched.CondWait(c)
				}
				tokens--
				sched.MutexUnlock(&m)
			})
		}
		for i := range 3 {
			sched.MutexLock(&m)
			tokens++
			sched.MutexUnlock(&m)
			if i == 1 {
				sched.CondBroadcast(c)
			} else {
				sched.CondSignal(c)
			}
		}
		sched.WaitGroupWait(&all)
		assert(tokens == 0, "%d left", tokens)
	},
	"time passes in order": func() {
		start, _ := sched.Now()
		order := make(chan int, 3)
		for _, ms := range []int{30, 10, 20} {
			sched.Go(func() {
				sched.Sleep(time.Duration(ms) * time.Millisecond)
				sched.Send(order, ms)
			})
		}
		for _, want := range []int{10, 20, 30} {
			got := sched.Receive(order)
			assert(got == want, "%d for %d", got, want)
		}
		now, _ := sched.Now()
		passed := now.Sub(start)
		assert(passed >= 30*time.Millisecond && passed < 31*time.Millisecond, "%v", passed)
	},
	"timers and tickers": func() {
		timer, _ := sched.NewTimer(time.Second)
		after, _ := sched.After(time.Minute)
		ran := make(chan bool)
		late, _ := sched.AfterFunc(time.Hour, func() { sched.Send(ran, true) })
		never, _ := sched.AfterFunc(time.Hour, func() { panic("stopped") })
		ticker, _ := sched.NewTicker(time.Second)
		for range 3 {
			sched.Receive(ticker.C)
		}
		sched.TickerStop(ticker)
		active, done := sched.TimerStop(never)
		assert(active && done, "%v %v", active, done)
		active, _ = sched.TimerStop(timer)
		assert(active, "its value was not received")
		active, _ = sched.TimerReset(timer, time.Second)
		assert(!active, "it was stopped")
		sched.Receive(timer.C)
		sched.Receive(after)
		sched.Receive(ran)
		active, _ = sched.TimerReset(late, time.Second)
		assert(!active, "it has run")
		sched.Receive(ran)
		assert(sched.Select(false, sched.ReceiveCase(ticker.C, nil, nil)) == -1, "a stopped ticker")
		_, done = sched.TimerStop(time.NewTimer(time.Hour))
		assert(!done, "a timer of the real clock")
	},
	"panics and Goexit pass through": func() {
		c := make(chan any, 1)
		sched.Go(func() {
			defer func() { sched.Send(c, recover()) }()
			var m sync.Mutex
			sched.MutexLock(&m)
			defer sched.MutexUnlock(&m)
			closed := make(chan int)
			sched.Close(closed)
			sched.Send(closed, 1)
		})
		assert(sched.Receive(c) != nil, "no panic")
		sched.Go(func() {
			defer sched.Send(c, any("left"))
			runtime.Goexit()
		})
		assert(sched.Receive(c) == "left", "no Goexit")
	},
	"a sender at a channel that is closed panics": func() {
		c, waits := make(chan int), make(chan any, 1)
		sched.Go(func() {
			defer func() { sched.Send(waits, recover()) }()
			sched.Send(c, 1)
		})
		sched.Sleep(time.Second)
		sched.Close(c)
		assert(sched.Receive(waits) != nil, "no panic")
	},
}

// None of them leaves goroutines behind: those of many runs make all that the watchdog
// looks at slow.
func TestOperations(t *testing.T) {
	for name, program := range right {
		before := runtime.NumGoroutine()
		t.Run(name, func(t *testing.T) { everywhere(t, operationSeeds, program, done) })
		left := runtime.NumGoroutine() - before
		for tries := 0; left > 0 && tries < 1000; tries++ { // some are just ending
			runtime.Gosched()
			left = runtime.NumGoroutine() - before
		}
		if left > 3 { // looks of watchdogs whose runs are over
			t.Errorf("%s: %d goroutines are left", name, left)
		}
	}
}

// Outside of control all of them do the plain thing or say that they did nothing.
func TestOutside(t *testing.T) {
	if sched.Active() || sched.MutexLock(new(sync.Mutex)) || sched.Yield() || sched.Sleep(1) {
		t.Error("under control without a run")
	}
	a, b := make(chan int), make(chan string, 1)
	sched.Go(func() { sched.Send(a, 5) })
	if v, ok := sched.ReceiveOK(a); v != 5 || !ok {
		t.Error(v, ok)
	}
	if i := sched.Select(true, sched.SendCase(a, 1), sched.SendCase(b, "x")); i != 1 {
		t.Error(i)
	}
	var s string
	var ok bool
	if i := sched.Select(false, sched.ReceiveCase(a, nil, nil), sched.ReceiveCase(b, &s, &ok)); i != 1 || s != "x" || !ok {
		t.Error(i, s, ok)
	}
	if i := sched.Select(false, sched.ReceiveCase(b, &s, &ok)); i != -1 {
		t.Error(i)
	}
	sched.Close(a)
	if _, ok := sched.ReceiveOK(a); ok {
		t.Error("open")
	}
}
