// What the compiler knows is not evaluated: not by hooks either.
package main

import (
	"fmt"
	"unsafe"
)

type node struct {
	arr  [3]int
	pa   *[4]int
	next *node
	s    []int
	ps   [2][]int
}

var P *node
var A *[5]int
var i int
var done = make(chan bool)

func f() *node { return P }

func try(name string, f func() int) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics")
		}
	}()
	fmt.Println(name, f())
}

type gen[T any] struct{ a [3]T }

var G *gen[int]

func size[T any](p *gen[T]) int { return int(unsafe.Sizeof(p.a)) + len(p.a) }

func main() {
	go func() { i = 0; P = nil; A = nil; G = nil; done <- true }()
	<-done
	try("len arr", func() int { return len(P.arr) })
	try("len pa", func() int { return len(P.pa) })
	try("len A", func() int { return len(A) })
	try("cap A", func() int { return cap(A) })
	try("len next", func() int { return len(P.next.next.arr) })
	try("len call", func() int { return len(f().arr) })
	try("len s", func() int { return len(P.s) })
	try("len conv", func() int { return len([3]int(P.arr)) })
	try("len deref", func() int { return len(*A) })
	try("range arr", func() int {
		n := 0
		for k := range P.arr {
			n += k
		}
		return n
	})
	try("range arr none", func() int {
		n := 0
		for range P.arr {
			n++
		}
		return n
	})
	try("range arr value", func() int {
		n := 0
		for _, v := range P.arr {
			n += v
		}
		return n
	})
	try("range arr blank", func() int {
		n := 0
		for k, _ := range P.arr {
			n += k
		}
		return n
	})
	try("range pa", func() int {
		n := 0
		for k := range P.pa {
			n += k
		}
		return n
	})
	try("range A", func() int {
		n := 0
		for k := range A {
			n += k
		}
		return n
	})
	try("range A value", func() int {
		n := 0
		for _, v := range A {
			n += v
		}
		return n
	})
	try("range *A", func() int {
		n := 0
		for i = range *A {
			n += i
		}
		return n
	})
	try("range len", func() int {
		n := 0
		for k := range len(P.arr) {
			n += k
		}
		return n
	})
	try("range call", func() int {
		n := 0
		for k := range f().arr {
			n += k
		}
		return n
	})
	try("range next", func() int {
		n := 0
		for k := range P.next.pa {
			n += k
		}
		return n
	})
	try("sizeof", func() int {
		return int(unsafe.Sizeof(P.arr) + unsafe.Sizeof(P.next.next.s) + unsafe.Offsetof(P.pa) + unsafe.Alignof(P.next.pa))
	})
	try("generic", func() int { return size(G) })
	try("generic len", func() int { return len(G.a) })
	try("key", func() int { return [...]int{len(P.arr) - 1: 7}[2] })
	try("size", func() int { return len([len(P.arr) + len(A)]int{}) })
	try("case", func() int {
		switch i + 3 {
		case len(P.arr):
			return 1
		}
		return 0
	})
	try("const", func() int { const c = len(P.arr) << 1; return c + 1<<len(P.arr) })
	try("shift", func() int { var x int64 = 1 << len(P.pa); return int(x) + i })
	try("float", func() int { var x float64 = 1 << len(P.pa); return int(x) })
	try("slice", func() int { var x [9]int; return len(x[len(P.arr):len(P.pa)]) })
}
