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
	last   struct{ name, value string }
}

var (
	host = hostOf(new(store))
	port int
)

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

// grow has calls for its accesses, within which the scheduler finds them.
func (s *store) grow() {
	if s.size() == 0 {
		s.add(5)
	}
}

func (s *store) swap(n int, why error) (old int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why == nil {
		old, s.n = s.n, n
	}
	return old
}

func self(s *store) *store { return s }

// regrow evaluates its receiver once, and converts as the call does.
func regrow(s *store) {
	if self(s).size() > 0 {
		fmt.Println(self(s).swap(9, nil))
	}
}

// shop has a store within.
type shop struct{ stock store }

func counterOf(s *shop) *shop { return s }

// sell has calls whose receiver is no pointer.
func (s *shop) sell() {
	s.stock.add(s.stock.size())
	if counterOf(s).stock.size() > 0 {
		counterOf(s).stock.add(1)
	}
}

// rename is about three fields that belong together.
func (s *store) rename(name string) bool {
	s.mu.Lock()
	old := s.last.name
	s.mu.Unlock()
	if old == name {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last.value = name + "!"
	s.n = len(name)
	return true
}

// tell begins with a call, and goes on with another field.
func (s *store) tell() string {
	n := s.size()
	return fmt.Sprint(n, s.last.value)
}

// hostOf has a hook, and its result is what host begins with.
func hostOf(s *store) string { return fmt.Sprint("host", s.n) }

// move is about package-level variables.
func move(n int) {
	host = fmt.Sprint("host", n)
	port = n
}

func main() {
	s := &store{byName: map[string]int{}}
	var all sync.WaitGroup
	all.Go(func() { s.add(1) })
	all.Wait()
	s.add(0)
	s.add(2)
	s.grow()
	regrow(s)
	var sold shop
	sold.sell()
	fmt.Println(sold.stock.size())
	fmt.Println(s.rename("one"), s.rename("one"), s.tell())
	move(3)
	fmt.Println(host, port)
	fmt.Println(s.put("a", func() int { return 1 }), s.put("b", func() int { panic("none") }), s.put("a", nil), s.byName)
	fmt.Println(s.close(), s.close(), s.get("x"), s.get("x"), s.drain(), s.n)
}
