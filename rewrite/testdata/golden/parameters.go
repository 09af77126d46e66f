// Command parameters has functions that assign to their parameters, and to their named
// results, by :=, where a block of their own would declare others.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
)

type store struct {
	n       int
	entries map[string]int
	last    any
	flag    flag
}

type flag bool

type wrong struct{ n int }

func (w *wrong) Error() string { return fmt.Sprintf("wrong: %d", w.n) }

func divide(a, b int) (int, *wrong) {
	if b == 0 {
		return 0, &wrong{a}
	}
	return a / b, nil
}

// A bare return says what was assigned.
func (s *store) half() (err error) {
	n, err := s.read(2)
	s.n = n
	return
}

func (s *store) read(by int) (n int, err error) {
	s.n++
	n, w := divide(s.n, by)
	if w != nil {
		return n, w
	}
	return n, nil
}

// What is deferred sees it, and may change it.
func (s *store) deferred(by int) (n int, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("deferred: %w", err)
			n = -s.n
		}
	}()
	m, err := s.read(by)
	n = m
	return n, err
}

// The result is an interface, what is assigned is not.
func (s *store) converted(by int) (last any, err error) {
	m, last := s.n, s.entries
	s.last = last
	k, last := divide(m, by)
	s.n = k
	return last, err
}

// The receiver and the parameter are assigned to as well, twice.
func (s *store) parameter(n int, other *store) int {
	s, m := other, n
	s.n += m
	n, k := s.n, m
	n, j := n+k, k
	s.n += j
	return n + s.n
}

func (s *store) commaOk(key string) (n int, ok bool) {
	n, ok = s.entries[key]
	if ok {
		s.n = n
	}
	m, ok := s.entries[key+key]
	return m, ok
}

// Of another boolean type, and without one: these stay as they are.
func (s *store) others(key string) (ok flag, f float64, err error) {
	n, ok := s.entries[key]
	s.n = n
	k, ok := s.n, n > 1
	x, f := k, 3
	y, err := x, nil
	s.flag = ok
	return ok, f + float64(y), err
}

// A closure keeps the variable.
func (s *store) closure(n int) func() int {
	get := func() int { return n + s.n }
	m, n := s.n, 2*n
	s.n = m + 1
	o, n := s.n, s.n+n
	s.n = o
	return get
}

func same[T any](x T) T { return x }

func sizeOf[K comparable, T any](m map[K]T) func(T) T {
	return func(x T) T { return x }
}

// What a generic function is depends on what it is assigned to.
func (s *store) generic(f func(int) int) int {
	n, f := s.n, same
	s.n = n + 1
	m, f := f(s.n), (same[int])
	s.n = m
	g, f := s.n, sizeOf[string, int](s.entries)
	s.n = g
	return f(s.n)
}

// The line of a panic is that of the statement.
func (s *store) line(i int) (where string) {
	defer func() {
		recover()
		var pc [8]uintptr
		for frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])]); ; {
			f, more := frames.Next()
			if strings.HasSuffix(f.Function, "(*store).line") {
				where = fmt.Sprint(f.Line)
			}
			if !more {
				return
			}
		}
	}()
	var none *store
	x, where := s.n, where
	y, where := none.n,
		where
	s.n = x + y
	return where
}

func main() {
	s := &store{entries: map[string]int{"a": 1, "aa": 2, "b": 3}}
	fmt.Println(s.half(), s.n)
	fmt.Println(s.read(0))
	fmt.Println(s.deferred(0))
	fmt.Println(s.deferred(1))
	last, err := s.converted(2)
	fmt.Println(last, err, s.last, s.n)
	fmt.Println(s.converted(0))
	other := &store{n: 5}
	fmt.Println(s.parameter(3, other), s.n, other.n)
	fmt.Println(s.commaOk("a"))
	fmt.Println(s.commaOk("b"))
	fmt.Println(s.others("b"))
	fmt.Println(s.closure(3)(), s.n)
	fmt.Println(s.generic(nil))
	fmt.Println(s.line(1))
	var w *wrong
	_, err = s.read(0)
	fmt.Println(errors.As(err, &w), s.flag)
}
