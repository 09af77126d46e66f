package racefuzzer

import (
	"runtime"
	"slices"
	"sync"
	"time"
)

// Cache removes entries in a goroutine that sleeps in between, and says in a flag,
// without any lock, that it sleeps (cache4j's _sleep).
func Cache() (wakes int) {
	var m sync.Mutex
	entries := make(map[int]int)
	sleeping := false
	ended := make(chan bool)
	go func() {
		for i := range 3 {
			sleeping = true
			time.Sleep(10 * time.Millisecond)
			sleeping = false
			m.Lock()
			delete(entries, i)
			m.Unlock()
		}
		close(ended)
	}()
	for i := range 3 {
		m.Lock()
		entries[i] = i
		m.Unlock()
		if sleeping {
			wakes++
		}
		time.Sleep(7 * time.Millisecond)
	}
	<-ended
	return wakes
}

// Crawler has workers that take pages from a queue and add what they find. Pages done
// are counted without the lock; whether a page was seen is looked at in one critical
// section and said in another (hedc, weblech).
func Crawler() (visits, done int) {
	var m sync.Mutex
	var seen [6]bool
	var all sync.WaitGroup
	pages := make(chan int, 20)
	visit := func(page int) {
		m.Lock()
		known := seen[page]
		m.Unlock()
		if known {
			return
		}
		m.Lock()
		seen[page] = true
		visits++
		m.Unlock()
		for _, next := range []int{(page + 1) % 6, (page * 2) % 6} {
			select {
			case pages <- next:
			default:
			}
		}
		n := done
		done = n + 1
	}
	pages <- 0
	for range 3 {
		all.Go(func() {
			for range 5 {
				select {
				case page := <-pages:
					visit(page)
				default:
					runtime.Gosched()
				}
			}
		})
	}
	all.Wait()
	return visits, done
}

// Relaxation has two workers who write their own half of a grid and read the other's
// in turn, with a barrier in between that is made of a lock and a counter (sor).
// Nothing in it is a race, though locks alone do not say so.
func Relaxation() (right bool) {
	var m sync.Mutex
	var grid [2]int
	arrived := 0
	barrier := func(phase int) {
		m.Lock()
		arrived++
		m.Unlock()
		for {
			m.Lock()
			all := arrived >= 2*phase
			m.Unlock()
			if all {
				return
			}
			runtime.Gosched()
		}
	}
	var others [2]int
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			for round := range 3 {
				grid[i] = round
				barrier(2*round + 1)
				others[i] += grid[1-i]
				barrier(2*round + 2)
			}
		})
	}
	all.Wait()
	return others == [2]int{3, 3}
}

// list has a modification count. Each of its methods takes its lock, but containsAll
// goes over another list without that one's: Collections.synchronizedList of
// papers/000, section 5.3.
type list struct {
	m             sync.Mutex
	size, changes int
	elements      []int
}

func newList(elements ...int) *list { return &list{size: len(elements), elements: elements} }

func (l *list) removeAll() {
	l.m.Lock()
	defer l.m.Unlock()
	for len(l.elements) > 0 {
		l.elements = l.elements[1:]
		l.size = len(l.elements)
		l.changes++
	}
}

func (l *list) containsAll(other *list) bool {
	l.m.Lock()
	defer l.m.Unlock()
	other.m.Lock()
	expected := other.changes
	other.m.Unlock()
	for i := 0; i < other.size; i++ {
		if other.changes != expected {
			panic("concurrent modification")
		}
		if i >= other.size {
			panic("no such element")
		}
		if !slices.Contains(l.elements, other.elements[i]) {
			return false
		}
	}
	return true
}

// Collections goes over a list that somebody else empties.
func Collections() {
	one, two := newList(1, 2, 3), newList(1, 2, 3)
	var all sync.WaitGroup
	all.Go(func() { one.containsAll(two) })
	all.Go(func() { two.removeAll() })
	all.Wait()
}
