// The operands of a left-hand side are read when the right-hand sides have been
// evaluated: a call there may have put another list, map or object in their place.
package main

import (
	"errors"
	"fmt"
)

type leaf struct{ v int }

type shelf struct {
	list  []int
	table map[string]int
	at    *leaf
	key   string
	n, i  int
}

func filled() *shelf {
	return &shelf{list: make([]int, 3), at: &leaf{}, n: 1}
}

// renew replaces all that the shelf refers to, and returns 7.
func (s *shelf) renew() int {
	s.list = append(make([]int, 0, 6), s.list...)
	s.table = map[string]int{"a": 50}
	s.at = &leaf{s.at.v}
	s.i = 1 - s.i
	s.key += "a"
	return 7
}

func (s *shelf) fail() (int, error) { return s.renew(), errors.New("none") }

func (s *shelf) second() int {
	s.renew()
	return 1
}

func (s *shelf) pass(values chan int) {
	go func() {
		values <- s.renew()
	}()
}

func main() {
	each := func(name string, f func(s *shelf)) {
		s := filled()
		old := *s
		f(s)
		fmt.Println(name, s.list, old.list, s.table, old.table, *s.at, *old.at, s.n, s.i, s.key)
	}
	each("element", func(s *shelf) { s.list[s.i] = s.renew() })
	each("elements", func(s *shelf) { s.list[s.i], s.n = s.renew(), 3 })
	each("element of two", func(s *shelf) {
		var err error
		s.list[s.i], err = s.fail()
		fmt.Println(err)
	})
	each("index called", func(s *shelf) { s.list[s.second()] = s.renew() })
	each("index converted", func(s *shelf) { s.list[int(uint8(s.i))] = s.renew() })
	each("entry made", func(s *shelf) { s.table["x"] = s.renew() })
	each("entry", func(s *shelf) { s.table[s.key] = s.renew() })
	each("entries", func(s *shelf) { s.table[s.key], s.n = s.renew(), 3 })
	each("entry of two", func(s *shelf) {
		var err error
		s.table[s.key], err = s.fail()
		fmt.Println(err)
	})
	each("field", func(s *shelf) { s.at.v = s.renew() })
	each("pointed at", func(s *shelf) { *s.at = leaf{s.renew()} })
	each("updated element", func(s *shelf) { s.list[s.i] += s.renew() })
	each("updated entry", func(s *shelf) { s.table[s.key] += s.renew() })
	each("updated field", func(s *shelf) { s.at.v -= s.renew() })
	each("received", func(s *shelf) {
		values := make(chan int)
		s.pass(values)
		s.list[s.i] = <-values
	})
	each("received entry", func(s *shelf) {
		values := make(chan int)
		s.pass(values)
		s.table[s.key] = <-values
	})
	each("of a header", func(s *shelf) {
		if s.list[s.i] = s.renew(); s.n > 0 {
			fmt.Println("positive")
		}
	})
}
