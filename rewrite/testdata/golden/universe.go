// Predeclared names that the package has made something else of.
package main

import (
	"fmt"
	"sync"
)

const true = "yes"

type (
	bool    = string
	uintptr struct{ n int }
	error   int
)

var nil, false = 1, 2

func len([]int) int       { return 42 }
func append(a, b int) int { return 10*a + b }
func panic(int)           {}
func recover() int        { return 1 }
func new(n int) int       { return n }

type T struct {
	n int
	s []int
	b bool
	u uintptr
	e error
}

var shared T

func use(t *T) {
	shared.n = append(shared.n, nil) + false
	shared.b = true
	shared.e++
	shared.u.n += len(shared.s)
	shared.s = []int{shared.n, new(nil)}
	for _, shared.n = range shared.s {
		t.n += shared.n
	}
	panic(shared.n)
	t.n += recover()
}

func main() {
	var all sync.WaitGroup
	all.Go(func() { use(&T{}) })
	all.Wait()
	fmt.Println(shared)
}
