// Updates that are sections of their own: x++ and x += n, alone in a function and
// beside other sections, in the header of a loop, in a function literal; and some that
// are not one window, for they may panic, or another section begins there.
package main

import "fmt"

type stats struct {
	hits  int
	bytes int64
	load  float64
	last  uint8
	twice int
	mean  int
}

var total int

func (s *stats) hit() { s.hits++ }

func (s *stats) add(n int64, f func() float64) {
	s.bytes += n
	s.load -= f() * 2
	total += 1 << 4
}

func (s *stats) fill(n int) {
	for s.last = 0; int(s.last) < n; s.last++ {
		func() { s.hits++ }()
	}
}

// both is the end of a section that began with the test, and one of its own.
func (s *stats) both() {
	if s.twice > 0 {
		s.twice--
	}
}

func (s *stats) divide(n int) {
	s.mean /= n
}

func main() {
	s := &stats{twice: 2, mean: 7}
	s.hit()
	s.add(3, func() float64 { s.hits++; return 0.25 })
	s.fill(300 & 3)
	s.both()
	s.divide(2)
	func() {
		defer func() { fmt.Println(recover() != nil) }()
		s.divide(0)
	}()
	func() {
		defer func() { fmt.Println(recover() != nil) }()
		var none *stats
		none.hit()
	}()
	fmt.Println(s.hits, s.bytes, s.load, s.last, s.twice, s.mean, total)
}
