// Loops over channels and maps: continue, labels, variables of their own for each
// round, entries that come and go.
package main

import (
	"fmt"
	"slices"
	"time"
)

type name string

func numbers(n int) <-chan int {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			c <- i
		}
	}()
	return c
}

func channels() {
	sum := 0
	for v := range numbers(5) {
		if v == 2 {
			continue
		}
		sum += v
	}
	fmt.Println(sum)
	var functions []func() int
	for v := range numbers(3) {
		v := v * 10
		functions = append(functions, func() int { v++; return v })
	}
	for v := range numbers(3) {
		functions = append(functions, func() int { v++; return v })
	}
	for _, f := range functions {
		fmt.Print(f(), " ", f(), " ")
	}
	fmt.Println()
	n := 0
	for range numbers(4) {
		n++
	}
	for _ = range numbers(3) {
		n++
	}
	var last struct{ v int }
	for last.v = range numbers(4) {
		n++
	}
	var each int
	for each = range numbers(2) {
	}
	fmt.Println(n, last.v, each)
outer:
	for a := range numbers(4) {
		for b := range numbers(4) {
			switch {
			case b > a:
				continue outer
			case a == 3:
				break outer
			}
			fmt.Print(a, b, ";")
		}
	}
	fmt.Println()
}

func maps() {
	m := map[name]int{"a": 1, "b": 2, "c": 3}
	var keys []string
	sum := 0
	for k, v := range m {
		keys = append(keys, string(k))
		sum += v
	}
	slices.Sort(keys)
	fmt.Println(keys, sum)
	for k := range m {
		delete(m, "a")
		delete(m, "b")
		delete(m, "c")
		m["d"] = len(k)
	}
	fmt.Println(m)
	n := 0
	for range m {
		n++
	}
	for _, v := range m {
		n += v
	}
	var none map[int]int
	for k, v := range none {
		n += k + v
	}
	var key int
	var list [4]string
	for key, list[3] = range map[int]string{7: "seven"} {
	}
	fmt.Println(n, key, list[3])
	odd := map[float64]bool{1.5: true}
	for k := range odd {
		fmt.Println(k)
	}
all:
	for k := range map[uint8]bool{1: true, 2: true} {
		for range 3 {
			if k > 0 {
				break all
			}
		}
	}
}

func elements() {
	list := []int{1, 2, 3}
	var wait []func() int
	for i, v := range list {
		v := v
		list[i]++
		wait = append(wait, func() int { v += i; return v })
	}
	for _, v := range list {
		fmt.Print(v, " ")
	}
	for _, f := range wait {
		fmt.Print(f(), " ")
	}
	fmt.Println()
}

func main() {
	channels()
	maps()
	elements()
	time.Sleep(time.Microsecond)
	pause := time.Sleep
	pause(1)
}
