// Package owned holds updates by a goroutine that is the only one, each next to
// one that is not.
package owned

import (
	"sync"
	"sync/atomic"
)

// Stats are updated by one goroutine, as the plain field beside shows, and read
// by many.
type Stats struct {
	mean  atomic.Int64
	begun bool
	total atomic.Int64
}

func (s *Stats) Update(n int64) {
	if !s.begun {
		s.begun = true
		s.mean.Store(n)
		return
	}
	s.mean.Store((s.mean.Load() + n) / 2)
}

func (s *Stats) Mean() int64 { return s.mean.Load() }

// Add has nothing to show for it.
func (s *Stats) Add(n int64) {
	s.total.Store(s.total.Load() + n) // want `both read s.total before either stores it`
}

type result struct{ count int }

// All gives each goroutine an element of its own.
func All(n int) []result {
	list := make([]result, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(&list[i])
		}()
	}
	wg.Wait()
	return list
}

func work(r *result) { r.count++ }

// Queue is locked by something other than a mutex.
type Queue struct {
	gate  gate
	items []int
}

type gate struct{ c chan struct{} }

func (g *gate) waitAndLock()    { g.c <- struct{}{} }
func (g *gate) unlock(set bool) { <-g.c }

func (q *Queue) Put(n int) {
	q.gate.waitAndLock()
	defer q.gate.unlock(true)
	q.items = append(q.items, n)
}

// Fill puts from several goroutines.
func Fill(q *Queue) {
	for n := range 4 {
		go q.Put(n)
	}
}

// List is not locked at all.
type List struct{ items []int }

func (l *List) Put(n int) {
	l.items = append(l.items, n) // want `both read l.items before either stores it`
}

// Collect puts from several goroutines.
func Collect(l *List) {
	for n := range 4 {
		go l.Put(n)
	}
}
