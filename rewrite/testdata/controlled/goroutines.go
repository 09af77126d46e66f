// Go statements: what is evaluated when, with every kind of function.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

type flag bool

type worker struct {
	n    int
	done chan string
}

func (w *worker) point(what string)          { w.done <- fmt.Sprint(what, " ", w.n) }
func (w worker) value(what string, x ...any) { w.done <- fmt.Sprint(what, " ", w.n, x) }

type runner interface{ point(string) }

var done = make(chan string, 10)

func typed(f flag, x int8, s fmt.Stringer, e error) {
	done <- fmt.Sprint(f, x, s == nil, e == nil)
}

func several(a int, b string) { done <- fmt.Sprint(a, b) }

func two() (int, string) { return 2, "two" }

func generic[T any](v T, f func(T) T) { done <- fmt.Sprint(f(v)) }

func same[T any](v T) T { return v }

func main() {
	w := &worker{n: 1, done: done}
	go w.point("pointer")
	fmt.Println(<-done)
	go w.value("copy", w.n, 2.5, nil)
	w.n = 5
	fmt.Println(<-done)
	for i := range 2 {
		go several(i, "loop")
		i += 10
		fmt.Println(<-done)
	}
	n := uint(3)
	go typed(n > 2, 1<<n, nil, nil)
	n = 0
	fmt.Println(<-done)
	go several(two())
	fmt.Println(<-done)
	go generic(n+4, same)
	fmt.Println(<-done)
	go generic[string]("instance", func(s string) string { return s + "!" })
	fmt.Println(<-done)
	var r runner = w
	f := r.point
	go f("method value")
	r, f = nil, nil
	fmt.Println(<-done)
	go (*worker).point(w, "method expression")
	fmt.Println(<-done)
	fs := map[string]func(...int){"sum": func(x ...int) { done <- fmt.Sprint(len(x)) }}
	list := []int{1, 2, 3}
	go fs["sum"](list...)
	delete(fs, "sum")
	fmt.Println(<-done)
	var counter atomic.Int32
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			counter.Add(1)
			runtime.Gosched()
		}()
	}
	all.Wait()
	fmt.Println(counter.Load())
	c := make(chan int)
	go close(c)
	_, ok := <-c
	fmt.Println(ok)
	go func() int { done <- "result"; return 1 }()
	fmt.Println(<-done)
	go func(s string) { done <- s }(fmt.Sprint("argument ", w.n))
	w.n = 6
	fmt.Println(<-done)
	var mu sync.Mutex
	mu.Lock()
	go mu.Unlock()
	mu.Lock()
	fmt.Println("unlocked")
}
