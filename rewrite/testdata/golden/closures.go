// Captured variables, goroutines, defer, go, method values, recursion through
// a variable, loop variables.
package main

import (
	"fmt"
	"sort"
	"sync"
)

type box struct {
	mu sync.Mutex
	n  int
	fs []func() int
}

func (b *box) add(k int) { b.n += k }
func (b box) get() int   { return b.n }

var initialised = func() int {
	x := 1
	inc := func() { x++ }
	inc()
	return x
}()

func captured() int {
	total := 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			total += i
		}()
	}
	wg.Wait()
	return total
}

func loopVariables() (out []int) {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i *= 10; return i })
		i := i
		_ = i
	}
	for _, f := range fs {
		out = append(out, f())
	}
	return out
}

func deferred(b *box) (n int) {
	defer b.add(b.n)
	defer fmt.Println("deferred with", b.n)
	b.n++
	f := b.get
	add := b.add
	b.n++
	add(f())
	defer func() { n *= 2 }()
	return b.n
}

func recursive(n int) int {
	var fib func(int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	return fib(n)
}

func started(b *box) {
	done := make(chan int)
	send := func(n int) { done <- n }
	b.n = 6
	go send(b.n)
	b.fs = []func() int{func() int { b.n++; return b.n }}
	fmt.Println(<-done, b.fs[0]())
	results := []int{}
	var wg sync.WaitGroup
	for _, f := range b.fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b.mu.Lock()
			results = append(results, f())
			b.mu.Unlock()
		}()
	}
	wg.Wait()
	sort.Ints(results)
	fmt.Println(results)
}

func main() {
	b := &box{n: 3}
	fmt.Println(initialised, captured(), loopVariables(), deferred(b), b.n, recursive(10))
	started(b)
}
