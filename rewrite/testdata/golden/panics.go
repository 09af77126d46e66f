// Positions: every frame of every stack must show its line of this file.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

type thing struct {
	n    int
	m    map[string]int
	list []int
	next *thing
	f    func(*thing)
}

var count int

// where prints the lines of the callers.
func where() int {
	var pcs [10]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if filepath.Base(f.File) == "panics.go" {
			fmt.Print(f.Function, ":", f.Line, " ")
		}
		if !more {
			break
		}
	}
	fmt.Println()
	return 1
}

func calls(t *thing) {
	t.n = where()
	t.n +=
		where()
	t.n,
		count = where(),
		where()
	t.m["a"] = func() int {
		t.n++
		return where()
	}()

	// a comment
	if t.n++; where() == 1 {
		t.list = append(t.list,
			where(),
			t.n,
			where())
	} else if t.n == 7 {
		where()
	}

	for t.n = 0; t.n < 2; t.n++ {
		count++
		defer where()
	}
	switch t.n = where(); {
	case t.n == 2 ||
		where() == 1:
		where()
	}
	t.
		next.
		n = where() /
		where()
	go func() {}()
	t.f = func(*thing) {
		where()
		count--
		where()
	}
	t.f(
		t,
	)
	count = where()
}

func recovering(f func()) {
	defer func() {
		r := recover()
		var err runtime.Error
		if e, ok := r.(error); ok && errors.As(e, &err) {
			fmt.Println("recovered:", err)
		}
		where()
	}()
	f()
}

func fails(t *thing) {
	recovering(func() { t.list[9] = 1 })
	recovering(func() {
		var none *thing
		none.n = 1
	})
	recovering(func() {
		t.n = t.n /
			(t.n -
				t.n)
	})
	recovering(func() { t.next.next.n++ })
	// What stands before the place that panics has its value by then.
	recovering(func() { t.n, t.list[t.n+9] = 41, where() })
	recovering(func() { t.n, t.next.next.n = t.n+1, 2 })
	recovering(func() {
		for t.n, t.list[7] = range []int{5} {
		}
	})
	fmt.Println(t.n)
}

func deep(t *thing, n int) {
	t.n = n
	if n == 0 {
		count = t.next.next.n
	}
	deep(t, n-1)
}

func main() {
	t := &thing{m: map[string]int{}, next: &thing{}}
	calls(t)
	fails(t)
	if len(os.Args) > 5 {
		os.Exit(3)
	}
	deep(t, 2)
}
