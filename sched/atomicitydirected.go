package sched

// atomicityDirected is the random walk of papers/000 turned towards atomicity: a
// goroutine that is inside a section is postponed, at each of its points there, until
// another goroutine has accessed the variable in a way that may break the section.
// Whether it did is for the engine to see (section.go). One that stands before such an
// access while nobody is inside is postponed in half of the cases, so that it does
// not always come too early.
//
// Release is as in raceDirected: all enabled ones postponed, or Options.Livelock.
type atomicityDirected struct {
	random    source
	livelock  uint64
	postponed postponed
	leaps     int
	variables map[uintptr]bool // words of memory that some section has been about
}

func newAtomicityDirected(o *Options) *atomicityDirected {
	return &atomicityDirected{random: newSource(o.Seed, 0), livelock: o.Livelock, variables: make(map[uintptr]bool)}
}

func (a *atomicityDirected) Next(s *State) int {
	a.postponed.refresh()
	// Whoever has got what it was postponed for goes on.
	for i := 0; i < len(a.postponed); i++ {
		if g := a.postponed[i].g; a.broken(g) {
			return a.release(s, g)
		}
	}
	if g := a.postponed.overdue(s, a.livelock); g != nil {
		return a.release(s, g)
	}
	for {
		i, tooLong := a.postponed.pick(s, &a.random, &a.leaps)
		if tooLong != nil {
			return a.release(s, tooLong)
		}
		if i < 0 {
			return i
		}
		g := s.Enabled[i]
		if !a.isWorthIt(g) {
			return i
		}
		a.postponed.add(g, s.Decision)
	}
}

// isWorthIt says whether g is to be postponed.
func (a *atomicityDirected) isWorthIt(g *Goroutine) bool {
	for _, o := range g.open {
		a.variables[uintptr(o.memory.Object)] = true
		if len(o.foreign) == 0 {
			return true
		}
	}
	isAccess := g.Next.Kind == Accessing || g.Next.Kind == Atomically
	return isAccess && len(g.open) == 0 && a.variables[uintptr(g.Next.Object)] && !a.somebodyInside(&g.Next) && a.random.coin()
}

// broken says whether somebody broke into a section of g.
func (a *atomicityDirected) broken(g *Goroutine) bool {
	for _, o := range g.open {
		if len(o.foreign) > 0 {
			return true
		}
	}
	return false
}

// somebodyInside says whether a postponed goroutine is in a section about the
// variable.
func (a *atomicityDirected) somebodyInside(op *Operation) bool {
	for _, p := range a.postponed {
		for _, o := range p.g.open {
			if o.memory.overlaps(op) {
				return true
			}
		}
	}
	return false
}

func (a *atomicityDirected) release(s *State, g *Goroutine) int {
	a.leaps = 0
	a.postponed.remove(g)
	return s.index(g)
}
