package sched

// raceDirected is RaceFuzzer, Algorithms 1 and 2 of papers/000: a random walk in
// which a goroutine that is about to execute one of two statements is postponed
// until another is about to access the same memory, one of them writing. That is a
// race, proven; who goes first is random, and the other one is postponed on.
//
// What the paper leaves to a thread that looks at a clock follows from decisions
// here, so that a seed is enough for replay: a goroutine is released when all others
// that are enabled are postponed, or when it was postponed for Options.Livelock
// decisions or the others have yielded very often meanwhile. One that is released executes its statement at once; in Algorithm 1 as
// it is printed it would only be postponed again. Before that, sleepers are given
// the time to wake: to be postponed is to be slow.
//
// One thing goes beyond the paper. Where a goroutine takes a lock, makes the access
// and gives it back, and the other one needs the lock for a moment on its way to
// the pair, the two meet only if the other one is first, in half of the runs. The
// hybrid pass knows such locks; with Options.Delay the goroutine is postponed where
// it takes the lock until the other stands before its access.
type raceDirected struct {
	random    source
	isInPair  func(*Location) bool
	delayAt   string
	livelock  uint64
	postponed postponed
	forced    []*Goroutine // R of Algorithm 1, where t was postponed in their favour
	leaps     int          // of the clock, since somebody was released
	vain      uint         // releases in a row for which nobody had come
	races     []Race
}

func newRaceDirected(o *Options) *raceDirected {
	return &raceDirected{random: newSource(o.Seed, 0), isInPair: watching(o), delayAt: o.Delay, livelock: o.Livelock}
}

func (r *raceDirected) Next(s *State) int {
	if len(r.forced) > 0 {
		g := r.forced[0]
		r.forced = r.forced[1:]
		return s.index(g)
	}
	r.postponed.refresh()
	if g := r.postponed.overdue(s, r.livelock>>r.vain); g != nil {
		r.vain = min(r.vain+1, vainest)
		return r.release(s, g)
	}
	for {
		i, tooLong := r.postponed.pick(s, &r.random, &r.leaps)
		if tooLong != nil {
			return r.release(s, tooLong)
		}
		if i < 0 {
			return i
		}
		g := s.Enabled[i]
		if r.isDelayed(g) {
			r.postponed.add(g, s.Decision)
			continue
		}
		if !r.isNext(g) {
			return i
		}
		racing := r.racing(g)
		if len(racing) == 0 {
			r.postpone(g, s.Decision)
			continue
		}
		r.vain = 0
		for _, other := range racing {
			r.found(g, other, s.Decision)
		}
		if r.random.coin() {
			return i
		}
		r.postpone(g, s.Decision)
		for _, other := range racing {
			r.postponed.remove(other)
		}
		r.forced = append(r.forced, racing[1:]...)
		return s.index(racing[0])
	}
}

// isNext says whether g is about to execute a statement of the pair.
func (r *raceDirected) isNext(g *Goroutine) bool {
	return g.Next.Kind == Accessing && r.isInPair(g.Next.Location)
}

// isDelayed says whether g is about to take the lock that others need first, and
// nobody stands before an access of the pair yet.
func (r *raceDirected) isDelayed(g *Goroutine) bool {
	if r.delayAt == "" || g.Next.Kind != Locking && g.Next.Kind != RLocking || g.chain != r.delayAt {
		return false
	}
	for _, p := range r.postponed {
		if r.isNext(p.g) {
			return false
		}
	}
	return true
}

// racing is Algorithm 2: the postponed goroutines whose next access races with that
// of g.
func (r *raceDirected) racing(g *Goroutine) []*Goroutine {
	var racing []*Goroutine
	for _, p := range r.postponed {
		if p.g.Next.conflicts(&g.Next) {
			racing = append(racing, p.g)
		}
	}
	return racing
}

// postpone makes g wait before its access; those that were delayed for this go on.
func (r *raceDirected) postpone(g *Goroutine, decision uint64) {
	kept := r.postponed[:0]
	for _, p := range r.postponed {
		if r.isNext(p.g) {
			kept = append(kept, p)
		}
	}
	r.postponed = kept
	r.postponed.add(g, decision)
}

// release lets a postponed goroutine execute its statement.
func (r *raceDirected) release(s *State, g *Goroutine) int {
	r.leaps = 0
	r.postponed.remove(g)
	return s.index(g)
}

// found counts a race between the next statements of two goroutines.
func (r *raceDirected) found(g, h *Goroutine, decision uint64) {
	pair := pairOf(g.Next.Location, g.Next.Write, h.Next.Location, h.Next.Write)
	for i := range r.races {
		if r.races[i].Pair == pair {
			r.races[i].Count++
			return
		}
	}
	r.races = append(r.races, Race{pair, [2]int{g.ID, h.ID}, decision, 1})
}

func (r *raceDirected) report(result *Result) { result.Races = r.races }
