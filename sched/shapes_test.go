package sched_test

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

// The benchmark shapes of papers/000, section 5, written afresh: each has real
// races, some of which do harm, and pairs that only look like races.

// The programs can also run natively, which is what a patched standard library
// makes of the originals.

func lock(m *sync.Mutex) {
	if !sched.MutexLock(m) {
		m.Lock()
	}
}

func unlock(m *sync.Mutex) {
	if !sched.MutexUnlock(m) {
		m.Unlock()
	}
}

func spawn(all *sync.WaitGroup, f func()) {
	if !sched.WaitGroupGo(all, f) {
		all.Go(f)
	}
}

func join(all *sync.WaitGroup) {
	if !sched.WaitGroupWait(all) {
		all.Wait()
	}
}

func sleep(d time.Duration) {
	if !sched.Sleep(d) {
		time.Sleep(d)
	}
}

// cleaner is a cache whose entries a goroutine removes that sleeps in between; it
// says in a flag, without any lock, that it sleeps (cache4j's _sleep).
func cleaner() {
	type cache struct {
		m        sync.Mutex
		entries  map[int]int
		sleeping int
	}
	set, clear, look := at(101, "sleeping"), at(103, "sleeping"), at(110, "sleeping")
	store, sweep := at(120, "entries"), at(121, "entries")
	c := &cache{entries: make(map[int]int)}
	quit, ended := make(chan bool), make(chan bool)
	sched.Go(func() {
		for i := range 3 {
			write(set, &c.sleeping, 1)
			sleep(10 * time.Millisecond)
			write(clear, &c.sleeping, 0)
			lock(&c.m)
			sched.Access(sweep, unsafe.Pointer(c), 8, true)
			delete(c.entries, i)
			unlock(&c.m)
		}
		sched.Close(ended)
	})
	for i := range 3 {
		lock(&c.m)
		sched.Access(store, unsafe.Pointer(c), 8, true)
		c.entries[i] = i
		unlock(&c.m)
		if read(look, &c.sleeping) == 1 {
			sched.Select(false, sched.SendCase(quit, true)) // wake it: nobody listens here
		}
		sleep(7 * time.Millisecond)
	}
	sched.Receive(ended)
}

// crawler has workers that take pages from a queue and add what they find. The
// number of pages done is counted without the lock; whether a page was seen is
// looked at under the lock, and said under another critical section.
func crawler() {
	type state struct {
		done int
		seen [6]int
	}
	count, add := at(201, "done"), at(202, "done")
	check, mark := at(210, "seen"), at(211, "seen")
	total := at(220, "done")
	s := new(state)
	var m sync.Mutex
	var all sync.WaitGroup
	pages := make(chan int, 20)
	visits := 0
	visit := func(page int) {
		lock(&m)
		seen := read(check, &s.seen[page])
		unlock(&m)
		if seen != 0 {
			return
		}
		lock(&m)
		write(mark, &s.seen[page], 1)
		visits++
		unlock(&m)
		for _, next := range []int{(page + 1) % 6, (page * 2) % 6} {
			sched.Select(false, sched.SendCase(pages, next))
		}
		n := read(count, &s.done)
		write(add, &s.done, n+1)
	}
	sched.Send(pages, 0)
	for range 3 {
		spawn(&all, func() {
			for range 5 {
				var page int
				if sched.Select(false, sched.ReceiveCase(pages, &page, nil)) < 0 {
					sched.Yield()
					continue
				}
				visit(page)
			}
		})
	}
	join(&all)
	read(total, &s.done) // after Wait: no race
}

// relaxation has two workers who write their own half of a grid and read the
// other's in turn, with a barrier in between that they have made of a lock and a
// counter (sor). Nothing in it is a race, though locks alone do not say so.
func relaxation() {
	type state struct {
		grid    [2]int
		arrived int
	}
	own, other := at(401, "grid"), at(402, "grid")
	s := new(state)
	var m sync.Mutex
	barrier := func(phase int) {
		lock(&m)
		s.arrived++
		unlock(&m)
		for {
			lock(&m)
			all := s.arrived >= 2*phase
			unlock(&m)
			if all {
				return
			}
			if !sched.Yield() {
				runtime.Gosched()
			}
		}
	}
	var all sync.WaitGroup
	for i := range 2 {
		spawn(&all, func() {
			for round := range 3 {
				write(own, &s.grid[i], round)
				barrier(2*round + 1)
				assert(read(other, &s.grid[1-i]) == round, "another round")
				barrier(2*round + 2)
			}
		})
	}
	join(&all)
}

// A list with a modification count, and a wrapper that locks each method but goes
// over another list without its lock: Collections.synchronizedList of papers/000,
// section 5.3.
type list struct {
	m             sync.Mutex
	size, changes int
	elements      []int
}

var (
	nextSize, nextChanges = at(301, "size"), at(302, "changes")
	hasSize               = at(303, "size")
	removeSize            = at(310, "size")
	removeChanges         = at(311, "changes")
	startChanges          = at(320, "changes")
)

func newList(elements ...int) *list {
	return &list{size: len(elements), elements: elements}
}

// removeAll has the lock, as it should.
func (l *list) removeAll() {
	lock(&l.m)
	defer unlock(&l.m)
	for len(l.elements) > 0 {
		l.elements = l.elements[1:]
		write(removeSize, &l.size, len(l.elements))
		write(removeChanges, &l.changes, l.changes+1)
	}
}

// containsAll has its own lock, and none of the list that it goes over.
func (l *list) containsAll(other *list) bool {
	lock(&l.m)
	defer unlock(&l.m)
	lock(&other.m)
	expected := read(startChanges, &other.changes)
	unlock(&other.m)
	for i := 0; i < read(hasSize, &other.size); i++ {
		assert(read(nextChanges, &other.changes) == expected, "concurrent modification")
		assert(i < read(nextSize, &other.size), "no such element")
		if !slices.Contains(l.elements, other.elements[i]) {
			return false
		}
	}
	return true
}

func collections() {
	one, two := newList(1, 2, 3), newList(1, 2, 3)
	var all sync.WaitGroup
	spawn(&all, func() { one.containsAll(two) })
	spawn(&all, func() { two.removeAll() })
	join(&all)
}

// shape is one of the programs, with what must be found in it.
type shape struct {
	name    string
	program func()
	real    []string // pairs, as the lines of their locations
	unreal  []string // those that the hybrid pass names, too
	harmful []string // those real ones that can make it panic
}

var shapes = []shape{
	{name: "cache", program: cleaner, real: []string{"101 110", "103 110"}},
	{name: "crawler", program: crawler, real: []string{"201 202", "202 202"}},
	{name: "relaxation", program: relaxation, unreal: []string{"401 402"}},
	{name: "collections", program: collections, real: []string{"301 310", "302 311", "303 310"}, harmful: []string{"301 310", "302 311", "303 310"}},
}

// lines returns a pair as the lines of its locations.
func lines(p sched.Pair) string {
	return p.First.Location[len("figure.go:"):][:3] + " " + p.Second.Location[len("figure.go:"):][:3]
}

// Phase 1 names candidates, phase 2 tells the real ones from the others: in each of
// 100 runs for a pair, nearly always, and never one that is none.
func TestShapes(t *testing.T) {
	const runs = 100
	for _, s := range shapes {
		candidates := make(map[string]sched.Candidate)
		for seed := range 10 {
			r := run(t, sched.Options{Hybrid: true, Seed: uint64(seed)}, s.program)
			for _, c := range r.Candidates {
				candidates[lines(c.Pair)] = c
			}
		}
		var realPairs, unreal, harmful []string
		for name, c := range candidates {
			hit, panics := 0, 0
			for seed := range runs {
				r := run(t, sched.Options{Strategy: "race", Pair: [2]string{c.First.Location, c.Second.Location}, Delay: c.Delay, Seed: uint64(seed)}, s.program)
				for _, race := range r.Races {
					if lines(race.Pair) == name {
						hit++
						break
					}
				}
				if r.Outcome == sched.OutcomePanic {
					panics++
				} else if r.Outcome != sched.OutcomeDone {
					t.Fatalf("%s %s: %s %s", s.name, name, r.Outcome, r.Message)
				}
			}
			if c.Delay != "" {
				alone := 0 // what Algorithm 1 does by itself
				for seed := range runs {
					if r := run(t, sched.Options{Strategy: "race", Pair: [2]string{c.First.Location, c.Second.Location}, Seed: uint64(seed)}, s.program); len(r.Races) > 0 {
						alone++
					}
				}
				t.Logf("%-12s %s: without delay hit in %d of %d runs", s.name, name, alone, runs)
			}
			t.Logf("%-12s %s: hit in %d, panics in %d of %d runs; delayed at %q", s.name, name, hit, panics, runs, c.Delay)
			if hit > 0 {
				realPairs = append(realPairs, name)
				if hit < 95*runs/100 {
					t.Errorf("%s: %s is hit in %d of %d runs", s.name, name, hit, runs)
				}
			} else {
				unreal = append(unreal, name)
			}
			if panics > 0 {
				harmful = append(harmful, name)
			}
		}
		slices.Sort(realPairs)
		slices.Sort(unreal)
		slices.Sort(harmful)
		if !slices.Equal(realPairs, s.real) || !slices.Equal(unreal, s.unreal) || !slices.Equal(harmful, s.harmful) {
			t.Errorf("%s: real %q, want %q; unreal %q, want %q; harmful %q, want %q", s.name, realPairs, s.real, unreal, s.unreal, harmful, s.harmful)
		}
		simple := 0
		for seed := range runs {
			if r := run(t, sched.Options{Seed: uint64(seed), NoAccess: true}, s.program); r.Outcome == sched.OutcomePanic {
				simple++
			}
		}
		t.Logf("%-12s %d candidates, %d real, %d harmful; panics in %d of %d runs of a random walk between the operations", s.name, len(candidates), len(realPairs), len(harmful), simple, runs)
	}
}
