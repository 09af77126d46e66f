// Sends, receives and close in every position, with Go's order of evaluation.
package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

type flag bool

type pair struct {
	c  chan int
	ok flag
	v  any
}

var trace []string

func tr[T any](name string, v T) T {
	trace = append(trace, name)
	return v
}

func show(what string) {
	fmt.Println(what, trace)
	trace = nil
}

func filled(values ...int) chan int {
	c := make(chan int, len(values)+1)
	for _, v := range values {
		c <- v
	}
	return c
}

func conversions(n uint) {
	readers := make(chan io.Reader, 3)
	readers <- strings.NewReader("text")
	readers <- nil
	fmt.Println(<-readers != nil, <-readers == nil)
	floats := make(chan float64, 3)
	floats <- 1
	floats <- 'a'
	floats <- 2.5
	fmt.Println(<-floats, <-floats, <-floats)
	bytes := make(chan uint8, 2)
	bytes <- 1<<n + 1
	fmt.Println(<-bytes)
	flags := make(chan flag, 2)
	flags <- n > 1
	flags <- true
	fmt.Println(<-flags, <-flags)
	anys := make(chan any, 3)
	anys <- n > 1
	anys <- 3
	anys <- nil
	fmt.Println(<-anys, <-anys, <-anys)
	functions := make(chan func() int, 1)
	functions <- func() int { return 7 }
	fmt.Println((<-functions)())
	errs := make(chan error, 1)
	errs <- errors.New("sent")
	fmt.Println(<-errs)
	type own chan<- int
	both := make(chan int, 1)
	own(both) <- 5
	fmt.Println(<-(<-chan int)(both))
}

func order() {
	c := filled(1, 2, 3)
	fmt.Println(tr("a", 10)+<-tr("c", c)-tr("b", 20), tr("d", 0))
	show("sum")
	tr("to", c) <- tr("value", 4)
	show("send")
	list := []int{0, 0, 0, 0, 0}
	list[tr("index", 1)] = <-tr("from", c)
	show("store")
	list[<-c], list[2] = tr("x", 8), <-c
	show("several")
	fmt.Println(list)
	m := map[int]int{}
	c <- 1
	m[<-c]++
	c <- 5
	m[tr("key", 1)] += <-c
	show("update")
	fmt.Println(m, len(c), cap(c))
}

func commaOK() {
	c := filled(6)
	close(c)
	v, ok := <-c
	fmt.Println(v, ok)
	v, ok = <-c
	fmt.Println(v, ok)
	var p pair
	p.c = c
	_, p.ok = <-p.c
	fmt.Println(p.ok)
	p.v, p.ok = <-c
	fmt.Println(p.v, p.ok)
	var named flag
	_, named = <-c
	w, named := <-c
	fmt.Println(w, named)
	var x, open = <-c
	fmt.Println(x, open)
	if v, ok := <-c; !ok {
		fmt.Println("closed", v)
	}
	switch v, ok := <-c; {
	case ok:
		fmt.Println("open", v)
	default:
		fmt.Println("closed", v)
	}
	<-c
	(<-c)
}

func two() (chan int, int) { return filled(), 9 }

func generic[T any, C ~chan T](c C, v T) (T, int) {
	c <- v
	got := <-c
	n := 0
	c <- v
	close(c)
	for range (chan T)(c) {
		n++
	}
	return got, n
}

func deferred() (n int) {
	c := filled(1)
	defer func() {
		_, ok := <-c
		n = 10
		if !ok {
			n++
		}
	}()
	defer close(c)
	return <-c
}

func header() {
	c := make(chan int, 4)
	for i := 0; i < 2; c <- i {
		i++
	}
	for n := <-c; n < 2; n = <-c {
		fmt.Println("round", n)
	}
	if c <- 3; len(c) == 1 {
		fmt.Println("one")
	}
}

func closed(what string, f func()) {
	defer func() { fmt.Println(what, recover()) }()
	f()
}

func main() {
	conversions(3)
	order()
	commaOK()
	fmt.Println(generic(make(chan string, 3), "g"))
	fmt.Println(deferred())
	header()
	c := filled(1)
	close(c)
	closed("send", func() { c <- 1 })
	closed("close", func() { close(c) })
	closed("nil", func() { close((chan int)(nil)) })
	b := func(close int) int { return close }
	fmt.Println(b(4))
}
