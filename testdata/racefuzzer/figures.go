// Package racefuzzer has the programs of papers/000, written afresh: its two figures,
// and the shapes of its benchmarks. They are data for atomrace fuzz: every race in them
// is meant, and their tests fail under some schedules.
package racefuzzer

import "sync"

// Figure1 is Figure 1. The race is that of z; x is written before y says so under the
// lock, so that its two accesses never race and error2 cannot be.
func Figure1() (error1, error2 bool) {
	var x, y, z int
	var l sync.Mutex
	var threads sync.WaitGroup
	threads.Go(func() {
		x = 1
		l.Lock()
		y = 1
		l.Unlock()
		if z == 1 {
			error1 = true
		}
	})
	threads.Go(func() {
		z = 1
		l.Lock()
		defer l.Unlock()
		if y == 1 && x != 1 {
			error2 = true
		}
	})
	threads.Wait()
	return error1, error2
}

// Figure2 is Figure 2: a number of statements stands before the access of x that races.
// What a simple random scheduler hardly ever brings about, the race-directed one does.
func Figure2(statements int) (y int, wrong bool) {
	x := 0
	var l, own sync.Mutex
	var threads sync.WaitGroup
	threads.Go(func() {
		l.Lock()
		for range statements {
			own.Lock()
			y = 1
			own.Unlock()
		}
		l.Unlock()
		if x == 0 {
			wrong = true
		}
	})
	threads.Go(func() {
		x = 1
		l.Lock()
		y = 2
		l.Unlock()
	})
	threads.Wait()
	return y, wrong
}
