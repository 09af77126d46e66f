// Functions that defer and return in many places: with and without hooks they return the
// same, and what they defer runs as often, after what was returned is known.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type store struct {
	mu   sync.Mutex
	m    map[string]int
	n    int
	hits int
	done []string
}

var errNone = errors.New("none")

func (s *store) note(what string) {
	s.done = append(s.done, what)
}

// unnamed has results without names.
func (s *store) unnamed(k string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.note("unnamed")
	s.hits++
	if k == "" {
		return 0, errors.New("empty")
	}
	v, ok := s.m[k]
	switch {
	case !ok && s.n == 0:
		return s.none()
	case !ok:
		return -1, nil
	}
	return v, nil
}

func (s *store) none() (int, error) {
	return 7, errNone
}

// named has names, of which one is hidden where it returns, and another is no name.
func (s *store) named(k string) (v int, _ bool, err error) {
	defer func() {
		s.note(fmt.Sprint("named ", v, " ", err))
		v++
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
		}
	}()
	s.hits++
	if k == "" {
		return
	}
	if v, err := s.unnamed(k); err != nil {
		return v + 100, true, err
	}
	v, err = s.unnamed(k)
	if k == "panic" {
		return s.m[k], true, s.fails(v)
	}
	for range 2 {
		switch s.n {
		case 3:
			v = 30
			return
		case 4:
			return 40, true, nil
		}
	}
	return v, s.n > 1, err
}

func (s *store) fails(v int) error { panic(fmt.Sprint("fails with ", v)) }

// nothing returns nothing.
func (s *store) nothing(n int) {
	defer s.note("nothing")
	if s.n++; n == 0 {
		return
	}
	s.hits++
	if n == 1 {
		goto last
	}
	func() {
		defer s.note("literal")
		if s.hits++; n == 2 {
			return
		}
		s.n--
	}()
	if n == 3 {
		return
	}
	if n == 4 {
		return
	}
last:
	s.hits--
	if s.n > 1000 {
		return
	}
}

// redefined has no block of its own with hooks.
func (s *store) redefined(k string) (v int, err error) {
	other, err := s.unnamed(k)
	if err != nil {
		return other, err
	}
	defer s.note("redefined")
	if s.n++; k == "a" {
		return s.n, nil
	}
	k, third := k+k, 3
	switch k {
	case "bb":
		return third, errNone
	case "cc":
		return s.n, errNone
	}
	return other + s.n, nil
}

// swapped returns its results the other way round, below a label.
func (s *store) swapped(a, b int) (x, y int) {
	x, y = a, b
	defer s.note("swapped")
	defer s.note("again")
	s.n += a
loop:
	for {
		select {
		default:
			if s.n == a {
				return y, x
			}
			break loop
		}
	}
	if a == b {
		return
	}
	goto only
only:
	return y * s.n, x
}

// pair has a type parameter.
func pair[T any](s *store, a, b T) (T, T) {
	defer s.note("pair")
	s.n++
	if s.n%4 == 0 {
		return b, a
	}
	if s.n%4 == 1 {
		return a, a
	}
	if s.n%4 == 2 {
		return b, b
	}
	return a, b
}

// converted returns values of other types than the results.
func (s *store) converted(k string) (any, error) {
	defer s.note("converted")
	s.hits++
	switch k {
	case "nil":
		return nil, nil
	case "number":
		return 1 << 10, nil
	case "bool":
		return s.hits > 1, nil
	}
	return s, &failure{s.n}
}

type failure struct{ n int }

func (f *failure) Error() string { return fmt.Sprint("failure ", f.n) }

func main() {
	s := &store{m: map[string]int{"a": 1, "panic": 2}}
	for _, k := range []string{"", "a", "b", "panic"} {
		fmt.Println(s.unnamed(k))
		fmt.Println(s.named(k))
		s.n++
		fmt.Println(s.named(k))
	}
	for _, k := range []string{"", "a", "b", "c", "panic"} {
		fmt.Println(s.redefined(k))
	}
	for n := range 6 {
		s.nothing(n)
		fmt.Println(s.swapped(n, 3))
		s.n = n
		fmt.Println(s.swapped(n, 3))
		fmt.Println(pair(s, "a", "b"))
		fmt.Println(pair(s, n, 8))
	}
	for _, k := range []string{"nil", "number", "bool", ""} {
		v, err := s.converted(k)
		fmt.Println(v == s, err)
		if v != s {
			fmt.Println(v)
		}
	}
	for _, d := range s.done {
		fmt.Println(d)
	}
	fmt.Println(s.n, s.hits)
	twice, _ := s.swapped(1, 2)
	defer func() { panic(fmt.Sprint("at the end ", twice)) }()
	if s.n++; s.n > 5 {
		return
	}
	s.n = 0
}
