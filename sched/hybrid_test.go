package sched_test

import (
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// What is a message keeps two accesses from being a candidate pair, and so does a
// lock in common; what is neither does not. Each program accesses a variable at 1 in
// the main goroutine and at 2 in another.
func TestHybrid(t *testing.T) {
	one, two := at(1, "x"), at(2, "x")
	for _, c := range []struct {
		name      string
		candidate bool
		program   func(x *int)
	}{
		{"go statement", false, func(x *int) {
			write(one, x, 1)
			sched.Go(func() { write(two, x, 2) })
			sched.Sleep(1)
		}},
		{"nothing", true, func(x *int) {
			sched.Go(func() { write(two, x, 2) })
			write(one, x, 1)
			sched.Sleep(1)
		}},
		{"both read", false, func(x *int) {
			sched.Go(func() { read(two, x) })
			read(one, x)
			sched.Sleep(1)
		}},
		{"one reads", true, func(x *int) {
			sched.Go(func() { write(two, x, 1) })
			read(one, x)
			sched.Sleep(1)
		}},
		{"unbuffered channel, from the sender", false, func(x *int) {
			c := make(chan int)
			sched.Go(func() { write(two, x, 2); sched.Send(c, 1) })
			sched.Receive(c)
			write(one, x, 1)
		}},
		{"unbuffered channel, from the receiver", false, func(x *int) {
			c := make(chan int)
			sched.Go(func() { write(two, x, 2); sched.Receive(c) })
			sched.Send(c, 1)
			write(one, x, 1)
		}},
		{"buffered channel, from the sender", false, func(x *int) {
			c := make(chan int, 1)
			sched.Go(func() { write(two, x, 2); sched.Send(c, 1) })
			sched.Receive(c)
			write(one, x, 1)
		}},
		{"buffered channel, from the receiver", true, func(x *int) {
			c := make(chan int, 1)
			sched.Go(func() { write(two, x, 2); sched.Receive(c) })
			sched.Send(c, 1)
			write(one, x, 1)
			sched.Sleep(1)
		}},
		{"buffered channel as a lock", false, func(x *int) {
			c := make(chan int, 1)
			sched.Go(func() { sched.Send(c, 1); write(two, x, 2); sched.Receive(c) })
			sched.Sleep(1)
			sched.Send(c, 1)
			write(one, x, 1)
			sched.Receive(c)
		}},
		{"another value of the channel", true, func(x *int) {
			c := make(chan int, 2)
			sched.Go(func() { sched.Send(c, 1); write(two, x, 2); sched.Send(c, 2) })
			sched.Receive(c)
			write(one, x, 1)
			sched.Sleep(1)
		}},
		{"close", false, func(x *int) {
			c := make(chan int)
			sched.Go(func() { write(two, x, 2); sched.Close(c) })
			sched.ReceiveOK(c)
			write(one, x, 1)
		}},
		{"select", false, func(x *int) {
			c, d := make(chan int), make(chan int)
			sched.Go(func() { write(two, x, 2); sched.Select(true, sched.SendCase(c, 1), sched.ReceiveCase(d, nil, nil)) })
			sched.Select(true, sched.ReceiveCase(c, nil, nil))
			write(one, x, 1)
		}},
		{"WaitGroup", false, func(x *int) {
			var g sync.WaitGroup
			sched.WaitGroupGo(&g, func() { write(two, x, 2) })
			sched.WaitGroupWait(&g)
			write(one, x, 1)
		}},
		{"Once", false, func(x *int) {
			var o sync.Once
			sched.Go(func() { sched.OnceDo(&o, func() { write(two, x, 2) }) })
			sched.Sleep(1)
			sched.OnceDo(&o, func() { write(two, x, 2) })
			write(one, x, 1)
		}},
		{"Cond", false, func(x *int) {
			c := sync.NewCond(new(sync.Mutex))
			m := c.L.(*sync.Mutex)
			sched.MutexLock(m)
			sched.Go(func() { write(two, x, 2); sched.MutexLock(m); sched.CondSignal(c); sched.MutexUnlock(m) })
			sched.CondWait(c)
			sched.MutexUnlock(m)
			write(one, x, 1)
		}},
		{"AfterFunc", false, func(x *int) {
			write(one, x, 1)
			sched.AfterFunc(1, func() { write(two, x, 2) })
			sched.Sleep(time.Second)
		}},
		{"time", true, func(x *int) {
			sched.Go(func() { write(two, x, 2) })
			sched.Sleep(time.Second)
			write(one, x, 1)
		}},
		{"a mutex in common", false, func(x *int) {
			var m sync.Mutex
			sched.Go(func() { sched.MutexLock(&m); write(two, x, 2); sched.MutexUnlock(&m) })
			sched.MutexLock(&m)
			write(one, x, 1)
			sched.MutexUnlock(&m)
			sched.Sleep(1)
		}},
		{"a mutex that only orders them", true, func(x *int) {
			var m sync.Mutex
			sched.Go(func() { write(two, x, 2); sched.MutexLock(&m); sched.MutexUnlock(&m) })
			sched.Sleep(1)
			sched.MutexLock(&m)
			sched.MutexUnlock(&m)
			write(one, x, 1)
		}},
		{"two readers of one lock", true, func(x *int) {
			var m sync.RWMutex
			sched.Go(func() { sched.RWMutexRLock(&m); write(two, x, 2); sched.RWMutexRUnlock(&m) })
			sched.RWMutexRLock(&m)
			read(one, x)
			sched.RWMutexRUnlock(&m)
			sched.Sleep(1)
		}},
		{"a reader and a writer of it", false, func(x *int) {
			var m sync.RWMutex
			sched.Go(func() { sched.RWMutexLock(&m); write(two, x, 2); sched.RWMutexUnlock(&m) })
			sched.RWMutexRLock(&m)
			read(one, x)
			sched.RWMutexRUnlock(&m)
			sched.Sleep(1)
		}},
		{"bytes next to each other", false, func(x *int) {
			b := (*[8]byte)(unsafe.Pointer(x))
			sched.Go(func() { sched.Access(two, unsafe.Pointer(&b[3]), 1, true) })
			sched.Access(one, unsafe.Pointer(&b[4]), 4, true)
			sched.Sleep(1)
		}},
		{"a part of a struct", true, func(*int) {
			s := new([100]int32)
			sched.Go(func() { sched.Access(two, unsafe.Pointer(&s[77]), 4, true) })
			sched.Access(one, unsafe.Pointer(s), unsafe.Sizeof(*s), false)
			sched.Sleep(1)
		}},
	} {
		var names []string
		for seed := range 10 {
			x := new(int)
			r := run(t, sched.Options{Hybrid: true, Seed: uint64(seed)}, func() { c.program(x) })
			done(t, r)
			for _, p := range r.Candidates {
				names = append(names, p.First.Location+" "+p.Second.Location)
			}
		}
		if got := slices.Contains(names, "figure.go:1:1 figure.go:2:1"); got != c.candidate {
			t.Errorf("%s: a candidate: %v, want %v", c.name, got, c.candidate)
		}
	}
}
