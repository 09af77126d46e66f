// Statements in the headers of if, switch and for; labels, goto, fallthrough;
// range over everything; select.
package main

import "fmt"

type state struct {
	i, n  int
	k     string
	v     any
	ok    bool
	ch    chan int
	chans []chan int
	arr   [3]int
	text  string
	i64   int64
	fn    func(func(int) bool)
}

func headers(s *state) {
	if s.n = 4; s.n > 3 {
		fmt.Println("if", s.n)
	} else if s.n++; s.n == 0 {
		fmt.Println("never")
	}
	if s.n > 100 {
	} else if s.n -= 2; s.n == 2 {
		fmt.Println("else if", s.n)
	}
	switch s.n = s.n * 2; s.n {
	case s.i + 4:
		fmt.Println("case", s.n)
		fallthrough
	case 99:
		s.i++
	default:
		s.i--
	}
	switch s.v = s.n; x := s.v.(type) {
	case int:
		fmt.Println("int", x)
	}
	for s.i = 0; s.i < 3; s.i++ {
		if s.i == 1 {
			continue
		}
		fmt.Println("for", s.i)
	}
	for s.i, s.n = 0, 10; s.i < s.n; s.i, s.n = s.i+1, s.n-1 {
	}
	fmt.Println("met", s.i, s.n)
}

func jumps(s *state) (result int) {
	s.n = 0
again:
	s.n++
	if s.n < 3 {
		goto again
	}
outer:
	for s.i = range 4 {
		for {
			s.n += s.i
			if s.i == 2 {
				break outer
			}
			continue outer
		}
	}
	defer func() { s.n, result = 0, result+s.n }()
	return s.n
}

func ranges(s *state) {
	for s.i = range []int{5, 6} {
	}
	for s.i, s.n = range []int{7, 8} {
		fmt.Println("range", s.i, s.n)
	}
	for s.k, s.v = range map[string]int{"one": 1} {
	}
	for s.i64 = range 3 {
	}
	for range s.arr {
		s.n++
	}
	for i := range s.arr {
		s.arr[i] = i * i
	}
	for i, v := range s.arr {
		s.arr[2-i] += v // ranges over a copy
	}
	s.text = "añb"
	for _, r := range s.text {
		s.n += int(r)
	}
	s.fn = func(yield func(int) bool) {
		for i := 0; i < 3 && yield(i); i++ {
		}
	}
	for s.i = range s.fn {
		s.n++
		if s.i == 1 {
			break
		}
	}
	fmt.Println(s.i, s.n, s.k, s.v, s.i64, s.arr)
}

func selects(s *state) {
	s.ch = make(chan int, 3)
	s.chans = []chan int{s.ch, nil}
	index := func(i int) int { fmt.Println("index", i); return i }
	select {
	case s.ch <- s.i:
		fmt.Println("sent", s.i)
	default:
	}
	select {
	case s.n = <-s.chans[index(0)]:
		fmt.Println("received", s.n)
	case s.arr[index(7)] = <-s.chans[index(1)]:
	}
	close(s.ch)
	select {
	case s.n, s.ok = <-s.ch:
		fmt.Println(s.n, s.ok)
	}
	select {
	case s.v, _ = <-s.ch:
	}
	s.n, s.ok = <-s.ch
	s.v = <-s.ch
	fmt.Println(s.n, s.ok, s.v)
}

func main() {
	s := &state{}
	headers(s)
	fmt.Println(jumps(s), s.n)
	ranges(s)
	selects(s)
}
