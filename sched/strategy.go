package sched

import "fmt"

// A Strategy decides. It knows goroutines by what they are about to do and nothing
// of how they are made to run.
type Strategy interface {
	// Next returns the index in s.Enabled of the goroutine that makes the next
	// step, or -1, which s.Sleeper must allow, to let time pass until the next
	// sleeper wakes. It must follow from s and earlier calls alone.
	Next(s *State) int
}

// State is what a Strategy decides on.
type State struct {
	Enabled  []*Goroutine // those that can make a step, by ID; at least one
	Last     *Goroutine   // who made the last step; nil at first. It may have ended
	Decision uint64       // how many were taken before
	Sleeper  bool         // the next timer is a Sleep or a ticker, so that letting it fire cuts nobody's work short
}

// lastIndex returns where Last is among the enabled ones, -1 if it is not.
func (s *State) lastIndex() int {
	if s.Last == nil || !s.Last.enabled {
		return -1
	}
	return s.index(s.Last)
}

// index returns where g is among the enabled ones; it must be one.
func (s *State) index(g *Goroutine) int { return indexOf(s.Enabled, g.ID) }

// watching returns what says which accesses are points; nil if all are. With a pair
// it is the accesses at its two locations: under strategy race, and when a schedule
// of that strategy is replayed.
func watching(o *Options) func(*Location) bool {
	if o.Pair[0] == "" || o.Hybrid {
		return nil
	}
	return func(l *Location) bool { return l.matches(o.Pair[0]) || l.matches(o.Pair[1]) }
}

// A reporter is a strategy that has something to say in the end.
type reporter interface{ report(*Result) }

// newStrategy returns the one that the options name.
func newStrategy(o *Options) (Strategy, error) {
	switch o.Strategy {
	case "random":
		return &randomWalk{newSource(o.Seed, 0)}, nil
	case "pct":
		return newPCT(o), nil
	case "pos":
		return &pos{random: newSource(o.Seed, 0)}, nil
	case "roundrobin":
		return &roundRobin{quantum: 1 + o.Seed%16}, nil
	case "race":
		if o.Pair[0] == "" || o.Pair[1] == "" {
			return nil, fmt.Errorf("strategy=race needs pair=location+location")
		}
		return newRaceDirected(o), nil
	case "atomicity":
		return newAtomicityDirected(o), nil
	case "replay":
		schedule, err := ParseSchedule(o.Schedule)
		if err != nil {
			return nil, err
		}
		o.Seed = schedule.Seed
		return &replay{segments: schedule.Segments}, nil
	}
	return nil, fmt.Errorf("there is no strategy %q: they are random, pct, pos, roundrobin, race, atomicity and replay", o.Strategy)
}

// fairness is how many steps in a row a goroutine may make while others could,
// under strategies that would let it go on for ever: it may be waiting for one of
// them in a loop.
const fairness = 10_000
