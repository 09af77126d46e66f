package sched

// pct is probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the
// enabled goroutine with the highest priority runs. Priorities are random; at
// depth-1 decisions, chosen at random among the first length, the one that would
// run is put behind all others. A bug that needs depth ordering constraints is hit
// with a probability of at least 1/(n·length^(depth-1)) for n goroutines.
//
// One that yields, or that makes very many steps in a row, is put behind the others
// as well: it may be waiting for one of them in a loop.
type pct struct {
	random   source
	changes  map[uint64]bool // decisions
	priority []uint64        // by ID; 0 for those not seen yet
	lowest   uint64          // handed out to those that are put behind, downwards
	row      int
}

// behind is where the priorities of those that are put behind begin; those at the
// start have more.
const behind = 1 << 40

func newPCT(o *Options) *pct {
	p := &pct{random: newSource(o.Seed, 0), changes: make(map[uint64]bool), lowest: behind}
	for range o.Depth - 1 {
		p.changes[uint64(p.random.intn(o.Length))] = true
	}
	return p
}

func (p *pct) Next(s *State) int {
	best := p.highest(s)
	g := s.Enabled[best]
	if g == s.Last {
		p.row++
	} else {
		p.row = 0
	}
	if p.changes[s.Decision] || g.Next.Kind == Yielding || p.row > fairness {
		p.row = 0
		p.lowest--
		p.priority[g.ID] = p.lowest
		best = p.highest(s)
	}
	return best
}

func (p *pct) highest(s *State) int {
	best := 0
	for i, g := range s.Enabled {
		for len(p.priority) <= g.ID {
			p.priority = append(p.priority, 0)
		}
		if p.priority[g.ID] == 0 {
			p.priority[g.ID] = behind + p.random.next()>>1
		}
		if p.priority[g.ID] > p.priority[s.Enabled[best].ID] {
			best = i
		}
	}
	return best
}
