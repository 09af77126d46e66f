//go:build !atomrace_off && linux

package heal

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// Does the cost of the hooks grow with what a program has of goroutines or of live
// objects? The benchmarks of each number come in pairs, native and hooked, for
// docs/scaling.sh to compare.

// scaled is an object of the program: the accesses to its fields lie under its lock.
type scaled struct {
	mu            sync.Mutex
	balance, last uint32
	visits        int64
	text          [40]byte
}

// work is what the program does with the object besides.
//
//go:noinline
func (x *scaled) work(h uint32) uint32 {
	for range 2 {
		for _, c := range x.text {
			h = (h ^ uint32(c)) * 16777619
		}
	}
	return h
}

// scaledObjects are all that the benchmarks have asked for so far.
var scaledObjects []scaled

// scaledTables are those of the hooked program: a section over balance, the others are
// watched for races alone.
type scaledTables struct{ load, store, last, visits *Location }

func newScaledTables() *scaledTables {
	field := func(name string) *program {
		return &program{v: Variable{Package: "bench/scale", Name: name}}
	}
	p := field("T.balance")
	s := p.section("scale")
	return &scaledTables{p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), field("T.last").at(Read), field("T.visits").at(Write)}
}

//go:noinline
func (x *scaled) native(amount uint32) {
	amount = x.work(amount)
	x.mu.Lock()
	balance := x.balance
	if x.last != amount {
		balance += amount
	}
	x.balance = balance
	x.visits++
	x.mu.Unlock()
}

// hooked is native as the rewriter has it.
//
//go:noinline
func (x *scaled) hooked(l *scaledTables, amount uint32) {
	f := Begin()
	defer f.End()
	g := Self()
	amount = x.work(amount)
	x.mu.Lock()
	balance := Load(&f, l.load, &x.balance)
	if Peek(l.last, &x.last) != amount {
		balance += amount
	}
	f.Before(l.store, unsafe.Pointer(&x.balance), unsafe.Sizeof(x.balance))
	x.balance = balance
	f.After(l.store, unsafe.Pointer(&x.balance))
	Look(l.visits, unsafe.Pointer(&x.visits), unsafe.Sizeof(x.visits))
	m := Mark(g, l.visits, unsafe.Pointer(&x.visits), unsafe.Sizeof(x.visits))
	x.visits++
	Clear(m)
	x.mu.Unlock()
}

// scale lets so many goroutines, which live all at a time, work on so many objects,
// each of them on a neighbourhood for a while, and then on another one.
func scale(b *testing.B, goroutines, objects int, do func(x *scaled, amount uint32)) {
	const stay = 64
	if len(scaledObjects) < objects {
		scaledObjects = make([]scaled, objects)
		for i := range scaledObjects {
			scaledObjects[i].text[0] = byte(i)
		}
	}
	all := scaledObjects[:objects]
	var left atomic.Int64
	left.Store(int64(b.N))
	start := make(chan struct{})
	var ready, done sync.WaitGroup
	for i := range goroutines {
		ready.Add(1)
		done.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			ready.Done()
			<-start
			for left.Add(-stay) > -stay {
				at := r.IntN(objects)
				for k := range stay {
					do(&all[(at+k*7)%objects], uint32(k))
				}
				runtime.Gosched()
			}
		})
	}
	ready.Wait()
	before := usedTime()
	close(start)
	done.Wait()
	b.ReportMetric(float64(usedTime()-before)/float64(b.N), "cpu-ns/op")
}

func BenchmarkScale(b *testing.B) {
	force(defaults())
	l := newScaledTables()
	for _, size := range []struct{ goroutines, objects int }{
		{1, 1 << 16}, {2, 1 << 16}, {8, 1 << 16}, {64, 1 << 16}, {10000, 1 << 16},
		{2, 1 << 10}, {2, 1 << 12}, {2, 1 << 14}, {2, 1 << 18}, {2, 1 << 20}, {2, 1 << 22}, {2, 1 << 24},
	} {
		name := fmt.Sprintf("goroutines=%d/objects=%d/hooks=", size.goroutines, size.objects)
		b.Run(name+"off", func(b *testing.B) { scale(b, size.goroutines, size.objects, (*scaled).native) })
		b.Run(name+"on", func(b *testing.B) {
			scale(b, size.goroutines, size.objects, func(x *scaled, amount uint32) { x.hooked(l, amount) })
		})
	}
}
