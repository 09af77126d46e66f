// What -races need not hook: what was looked at just before, and variables that
// stay on one stack though a function literal captures them.
package main

import (
	"fmt"
	"math/bits"
	"sync"
)

type item struct {
	n, m int
	next *item
	list []int
}

var mu sync.Mutex

func straight(x *item) int {
	a := x.n
	b := x.n + x.m // x.n was read
	x.m = a
	return b + x.m // x.m was written
}

func through(x *item) int {
	s := x.next.n
	s += x.next.n // the same
	x.next = x.next.next
	s += x.next.n // another one's
	x = x.next
	return s + x.next.n
}

func synchronised(x *item) int {
	s := x.n
	mu.Lock()
	s += x.n // somebody may have written it since
	mu.Unlock()
	return s + bits.Len(uint(x.n))
}

func branches(x *item, yes bool) int {
	if yes {
		fmt.Print()
		return x.n
	}
	s := x.m
	if s > 1 && x.n > 1 {
		s += x.n + x.m
	}
	s += x.n // not read on every way
	for x.n > 0 {
		x.n-- // once a round
	}
	switch {
	case s > 3:
		mu.Lock()
		mu.Unlock()
	}
	return s + x.m
}

func elements(x *item, i int) int {
	s := x.list[i] + x.list[i] + x.list[0]
	i++
	s += x.list[i]
	x.list[i] = s
	return s + x.list[0]
}

func jumps(x *item) int {
	s := x.n
again:
	s += x.n
	if s < 10 {
		goto again
	}
	return s
}

func double(x *item) int { return 2 * x.n }

func calls(x *item) int { return x.n + func() int { s := x.n; return s + double(x) + x.n }() }

func onOneStack(list []int) (sum int) {
	count := 0
	add := func(n int) {
		count++
		sum += n
	}
	for _, n := range list {
		add(n)
	}
	defer func() { sum += count }()
	return sum
}

func onTwo(list []int) (sum int) {
	var wg sync.WaitGroup
	add := func(n int) { sum += n }
	twice := func(n int) { add(n); add(n) }
	wg.Add(1)
	go func() {
		defer wg.Done()
		twice(list[0])
	}()
	wg.Wait()
	return sum
}

func main() {
	x := &item{1, 2, &item{3, 4, nil, nil}, []int{5, 6, 7}}
	x.next.next = &item{8, 9, x, nil}
	x.next.next.next = x
	fmt.Println(straight(x), through(x), synchronised(x), branches(x, true), branches(x, false), elements(x, 0))
	x.n = 1
	fmt.Println(jumps(x), calls(x), onOneStack([]int{1, 2, 3}), onTwo([]int{4}), x.next.n)
}
