package sched

// randomWalk chooses each of the enabled goroutines with the same probability.
type randomWalk struct{ random source }

func (w *randomWalk) Next(s *State) int {
	if len(s.Enabled) == 1 {
		return 0
	}
	return w.random.intn(len(s.Enabled))
}
