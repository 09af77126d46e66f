// Package eswaitb reads the results when all are there.
package eswaitb

import "sync"

type results struct {
	mu sync.Mutex
	m  map[string]int
}

func (r *results) add(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m[name] = n
}

// all is called when nobody adds any more.
func (r *results) all() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.m
}

// Scanner scans names beside each other.
type Scanner struct{ scan func(string) int }

// New makes one.
func New(scan func(string) int) *Scanner { return &Scanner{scan} }

// Sum is the sum of what the scans find.
func (s *Scanner) Sum(names []string) int {
	r := &results{m: map[string]int{}}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.add(name, s.scan(name))
		}()
	}
	wg.Wait()
	sum := 0
	m := r.all()
	for _, n := range m {
		sum += n
	}
	return sum
}

// Batch keeps the results in itself.
type Batch struct {
	results
	wg sync.WaitGroup
}

// NewBatch makes one.
func NewBatch() *Batch { return &Batch{results: results{m: map[string]int{}}} }

// Go adds a scan.
func (b *Batch) Go(name string, scan func(string) int) {
	b.wg.Go(func() { b.add(name, scan(name)) })
}

// Max waits for all, and is the largest.
func (b *Batch) Max() (top int) {
	b.wg.Wait()
	m := b.all()
	for _, n := range m {
		top = max(top, n)
	}
	return top
}
