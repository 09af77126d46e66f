package sched

import "strings"

// atomicityDirected is the random walk of papers/000 turned towards atomicity: a
// goroutine that is inside a section is postponed, at each of its points there, until
// another goroutine has accessed the variable in a way that may break the section.
// Whether it did is for the engine to see (section.go). Then it may go on, at once or
// a little later, since some harm is done only in between.
//
// Who would break in while nobody is inside comes too early. It is postponed as well:
// always at the places of Options.Delay, which phase 1 has seen, and in half of the
// cases before accesses of a variable that a section was about. These go on as soon as
// somebody is inside.
//
// Release is as in raceDirected: all enabled ones postponed, or Options.Livelock.
type atomicityDirected struct {
	random    source
	livelock  uint64
	delays    map[string]bool
	delayed   map[*Location]bool // what of them is known already
	postponed postponed
	leaps     int
	vain      uint             // releases in a row for which nobody had come
	variables map[uintptr]bool // words of memory that some section has been about
}

func newAtomicityDirected(o *Options) *atomicityDirected {
	a := &atomicityDirected{random: newSource(o.Seed, 0), livelock: o.Livelock, variables: make(map[uintptr]bool), delayed: make(map[*Location]bool)}
	if o.Delay != "" {
		a.delays = make(map[string]bool)
		for place := range strings.SplitSeq(o.Delay, "|") {
			a.delays[place] = true
		}
	}
	return a
}

func (a *atomicityDirected) Next(s *State) int {
	a.postponed.refresh()
	// Whoever has got what it was postponed for goes on.
	for i := range a.postponed {
		if p := &a.postponed[i]; isBroken(p.g) {
			if p.until == 0 {
				a.vain = 0
				p.until = s.Decision + uint64(a.random.intn(1<<a.random.intn(8)))
			}
			if s.Decision >= p.until {
				return a.release(s, p.g)
			}
		}
	}
	if g := a.postponed.overdue(s, a.livelock>>a.vain); g != nil {
		a.vain = min(a.vain+1, vainest)
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
		switch {
		case isInside(g):
			for _, o := range g.open {
				o.words(func(at uintptr) { a.variables[at] = true })
			}
			a.letIn()
		case !a.comesTooEarly(g):
			return i
		}
		a.postponed.add(g, s.Decision)
	}
}

// isInside says whether g is in a section that nobody has broken into yet.
func isInside(g *Goroutine) bool {
	for _, o := range g.open {
		if len(o.foreign) == 0 {
			return true
		}
	}
	return false
}

// isBroken says whether somebody broke into a section of g.
func isBroken(g *Goroutine) bool {
	for _, o := range g.open {
		if len(o.foreign) > 0 {
			return true
		}
	}
	return false
}

// comesTooEarly says whether g would break in while nobody is inside.
func (a *atomicityDirected) comesTooEarly(g *Goroutine) bool {
	if len(g.open) > 0 {
		return false
	}
	switch g.Next.Kind {
	case Locking, RLocking:
		return a.delays[g.chain] && !a.isSomebodyInside(nil)
	case Accessing, Atomically:
		if a.isDelayed(g.Next.Location) {
			return !a.isSomebodyInside(nil)
		}
		return a.variables[uintptr(g.Next.Object)] && !a.isSomebodyInside(&g.Next) && a.random.coin()
	}
	return false
}

// isDelayed says whether Options.Delay has the place of an access.
func (a *atomicityDirected) isDelayed(l *Location) bool {
	if l == nil || a.delays == nil {
		return false
	}
	delayed, known := a.delayed[l]
	if !known {
		delayed = a.delays[l.place()]
		a.delayed[l] = delayed
	}
	return delayed
}

// isSomebodyInside says whether a postponed goroutine is in a section, and about the
// variable of the operation unless that is nil.
func (a *atomicityDirected) isSomebodyInside(op *Operation) bool {
	for _, p := range a.postponed {
		for _, o := range p.g.open {
			if op == nil || o.isAbout(op) {
				return true
			}
		}
	}
	return false
}

// letIn ends the waiting of those who are in no section themselves.
func (a *atomicityDirected) letIn() {
	kept := a.postponed[:0]
	for _, p := range a.postponed {
		if len(p.g.open) > 0 {
			kept = append(kept, p)
		}
	}
	a.postponed = kept
}

func (a *atomicityDirected) release(s *State, g *Goroutine) int {
	a.leaps = 0
	a.postponed.remove(g)
	return s.index(g)
}
