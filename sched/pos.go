package sched

// pos is partial order sampling (Yuan, Yang and Gu, CAV 2018): each operation that
// is about to be done has a random priority, the highest is done, and then those
// that conflict with it get new ones. So a goroutine may stand before an operation
// while others make many steps, which a random walk hardly ever lets happen.
//
// One that has stood there for very many steps gets a new priority as well: the
// others may be waiting for it in a loop.
type pos struct {
	random   source
	priority []uint64 // of what each goroutine is about to do, by ID; 0 for none yet
	drawn    []uint64 // the decision at which it was drawn
	looked   uint64   // the decision of the last look at those who stand for long
}

func (p *pos) Next(s *State) int {
	if s.Last != nil {
		p.grow(s.Last.ID)
		p.priority[s.Last.ID] = 0 // it has made its step
	}
	if s.Decision-p.looked > fairness {
		for _, g := range s.Enabled {
			if p.grow(g.ID); p.drawn[g.ID] <= p.looked {
				p.priority[g.ID] = 0
			}
		}
		p.looked = s.Decision
	}
	best := 0
	for i, g := range s.Enabled {
		p.grow(g.ID)
		if p.priority[g.ID] == 0 {
			p.priority[g.ID] = p.random.next() | 1
			p.drawn[g.ID] = s.Decision
		}
		if p.priority[g.ID] > p.priority[s.Enabled[best].ID] {
			best = i
		}
	}
	g := s.Enabled[best]
	for _, other := range s.Enabled {
		if other != g && g.Next.conflicts(&other.Next) {
			p.priority[other.ID] = 0
		}
	}
	return best
}

func (p *pos) grow(id int) {
	for len(p.priority) <= id {
		p.priority = append(p.priority, 0)
		p.drawn = append(p.drawn, 0)
	}
}
