package sched

// roundRobin goes through the goroutines in the order of their IDs and gives each
// some steps in a row. How many follows from the seed, 1 to 16: this strategy has
// no more than so many schedules.
type roundRobin struct{ quantum, used uint64 }

func (r *roundRobin) Next(s *State) int {
	if i := s.lastIndex(); i >= 0 && r.used < r.quantum && s.Last.Next.Kind != Yielding {
		r.used++
		return i
	}
	r.used = 1
	for i, g := range s.Enabled {
		if s.Last != nil && g.ID > s.Last.ID {
			return i
		}
	}
	return 0
}
