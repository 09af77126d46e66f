package sched

import "testing"

// One with the lowest priority of all goes on in the end, though another one makes
// steps without conflict for as long as it stands there.
func TestPOSIsFair(t *testing.T) {
	spinner, holder := &Goroutine{ID: 1}, &Goroutine{ID: 2}
	p := &pos{random: newSource(1, 0)}
	p.grow(holder.ID)
	p.priority[holder.ID] = 1
	s := &State{Enabled: []*Goroutine{spinner, holder}, Last: spinner}
	for s.Decision = 1; s.Decision < 5*fairness; s.Decision++ {
		if s.Enabled[p.Next(s)] == holder {
			if s.Decision <= fairness {
				t.Fatalf("it went on at decision %d already: the test is none", s.Decision)
			}
			return
		}
	}
	t.Errorf("it still stands there after %d decisions", s.Decision)
}
