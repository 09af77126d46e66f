// Atomic sections: what enters and ends them, and every way out that is no end.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

type store struct {
	mu     sync.Mutex
	n      int
	byName map[string]int
	closed atomic.Bool
	known  sync.Map
}

// add gives the lock back in between.
func (s *store) add(n int) {
	s.mu.Lock()
	old := s.n
	s.mu.Unlock()
	if n == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n = old + n
}

// put is about one entry of a map, and may panic on its way.
func (s *store) put(name string, of func() int) (err any) {
	defer func() { err = recover() }()
	s.mu.Lock()
	_, ok := s.byName[name]
	s.mu.Unlock()
	if !ok {
		n := of()
		s.mu.Lock()
		s.byName[name] = n
		s.mu.Unlock()
	}
	return nil
}

// close is about an atomic variable.
func (s *store) close() bool {
	if s.closed.Load() {
		return false
	}
	s.closed.Store(true)
	return true
}

// get is about one entry of a sync.Map.
func (s *store) get(name string) int {
	if v, ok := s.known.Load(name); ok {
		return v.(int)
	}
	s.known.Store(name, len(name))
	return len(name)
}

// drain is entered in the condition of a loop, in a function literal.
func (s *store) drain() (sum int) {
	func() {
		for s.n > 0 {
			if sum > 10 {
				break
			}
			sum++
			s.n = s.n - 1
		}
	}()
	return sum
}

func (s *store) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// grow has calls for its accesses, which the scheduler sees inside of them.
func (s *store) grow() {
	if s.size() == 0 {
		s.add(5)
	}
}

func main() {
	s := &store{byName: map[string]int{}}
	var all sync.WaitGroup
	all.Go(func() { s.add(1) })
	all.Wait()
	s.add(0)
	s.add(2)
	s.grow()
	fmt.Println(s.put("a", func() int { return 1 }), s.put("b", func() int { panic("none") }), s.put("a", nil), s.byName)
	fmt.Println(s.close(), s.close(), s.get("x"), s.get("x"), s.drain(), s.n)
}
