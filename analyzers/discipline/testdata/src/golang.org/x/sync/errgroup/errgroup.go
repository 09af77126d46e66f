// Package errgroup stands in for the module of that name: only what the tests mention.
package errgroup

// Group is a number of goroutines.
type Group struct{ limit int }

// SetLimit sets how many there are at a time.
func (g *Group) SetLimit(n int) { g.limit = n }

// Go starts one.
func (g *Group) Go(f func() error) { go f() }

// Wait waits for them.
func (g *Group) Wait() error { return nil }
