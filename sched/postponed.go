package sched

// postponed is the set of goroutines that a strategy makes wait although they could
// go on, in the order in which they were postponed.
type postponed []postponement

type postponement struct {
	g      *Goroutine
	since  uint64 // decision
	yields int    // of others since then, while it was the first
	until  uint64 // decision at which it goes on, where it has got what it was postponed for; 0 if not
}

func (p *postponed) add(g *Goroutine, decision uint64) {
	*p = append(*p, postponement{g: g, since: decision})
}

func (p *postponed) remove(g *Goroutine) {
	for i, q := range *p {
		if q.g == g {
			*p = append((*p)[:i], (*p)[i+1:]...)
			return
		}
	}
}

// refresh drops those that cannot make a step any more, since somebody else has
// taken the lock that they stood before.
func (p *postponed) refresh() {
	kept := (*p)[:0]
	for _, q := range *p {
		if q.g.enabled {
			kept = append(kept, q)
		}
	}
	*p = kept
}

// patientLeaps bounds how often sleepers are waited for before somebody is
// released: a ticker never ends.
const patientLeaps = 64

// pick chooses one of those that are free to go, -1 to let sleepers wake first, or,
// where all are postponed and it is no use to wait, one that is to be released.
func (p postponed) pick(s *State, random *source, leaps *int) (i int, release *Goroutine) {
	free := len(s.Enabled) - len(p)
	switch {
	case free > 0:
		return p.free(s, random.intn(free)), nil
	case s.Sleeper && *leaps < patientLeaps:
		*leaps++
		return -1, nil
	}
	return -1, p[random.intn(len(p))].g
}

func (p postponed) has(g *Goroutine) bool {
	for _, q := range p {
		if q.g == g {
			return true
		}
	}
	return false
}

// patientYields is how often the others may yield (runtime.Gosched) while some are
// postponed: after that they are taken to wait for one of these in a loop.
const patientYields = 1000

// vainest bounds how often the patience with those that are postponed is halved, each
// time one was released and nobody had come: a program with a loop that waits for
// them would go on for hundreds of thousands of decisions each time.
const vainest = 8

// overdue returns the one that was postponed first if that was limit decisions or
// patientYields yields ago.
func (p postponed) overdue(s *State, limit uint64) *Goroutine {
	if len(p) == 0 {
		return nil
	}
	if s.Last != nil && s.Last.Next.Kind == Yielding {
		p[0].yields++
	}
	if s.Decision-p[0].since > limit || p[0].yields > patientYields {
		return p[0].g
	}
	return nil
}

// free returns the index of the n-th enabled goroutine that is not postponed.
func (p postponed) free(s *State, n int) int {
	for i, g := range s.Enabled {
		if len(p) > 0 && p.has(g) {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return 0 // n is less than the number of those; not reached
}
