//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"time"
)

type counts struct {
	waits, timeouts, yields, panics      uint64
	prevented, cycles, breakers, escaped uint64
	unhealed                             uint64
	delayed                              uint64 // ns
}

var counters counts

// sectionCounts are those of one section.
type sectionCounts struct {
	prevented, yields, fallbacks, breakers, escaped uint64
	delayed                                         uint64 // ns
	times                                           [len(WaitTimes{})]uint64
}

// keptOut counts a wait for a healing lock that is held for section s, nil if it is
// held for none.
//
//go:norace
func keptOut(s *Section) {
	counters.add(&counters.waits)
	if s != nil {
		counters.add(&s.state().counts.prevented)
		counters.add(&counters.prevented)
	}
}

// delayed notes that healing has held somebody up for so long, by the clock, for the sake of
// section s, nil if it is for none. It is not what the waits have asked for: a sleep of some
// microseconds lasts about a millisecond where timers are coarse.
//
//go:norace
func delayed(s *Section, d time.Duration) {
	if d <= 0 {
		return
	}
	quiet()
	atomic.AddUint64(&counters.delayed, uint64(d))
	if s != nil {
		atomic.AddUint64(&s.state().counts.delayed, uint64(d))
	}
	loud()
}

// waited notes how long somebody has waited for the healing lock that was held
// for section s, nil if it was held for none.
//
//go:norace
func waited(s *Section, d time.Duration) {
	if s != nil {
		counters.add(&s.state().counts.times[bracket(d)])
	}
}

// add counts one of what n counts.
//
//go:norace
func (*counts) add(n *uint64) {
	quiet()
	atomic.AddUint64(n, 1)
	loud()
}

// Stats returns the counters; safe for concurrent use. A program publishes them
// in whichever way it publishes others, for instance by
//
//	expvar.Publish("atomrace", expvar.Func(func() any { return heal.Stats() }))
func Stats() Statistics {
	reports.Lock()
	defer reports.Unlock()
	var watched, overhead float64
	if b := budgeted.Load(); b != nil {
		watched, overhead = b.watched, b.overhead
	}
	return Statistics{
		Watched:    watched,
		Overhead:   overhead,
		Violations: reports.total,
		Races:      reports.races,
		Doubted:    reports.doubted,
		Distinct:   len(reports.order),
		Waits:      atomic.LoadUint64(&counters.waits),
		Timeouts:   atomic.LoadUint64(&counters.timeouts),
		Yields:     atomic.LoadUint64(&counters.yields),
		Prevented:  atomic.LoadUint64(&counters.prevented),
		Cycles:     atomic.LoadUint64(&counters.cycles),
		Breakers:   atomic.LoadUint64(&counters.breakers),
		Unhealed:   atomic.LoadUint64(&counters.unhealed),
		Escaped:    atomic.LoadUint64(&counters.escaped),
		Panics:     atomic.LoadUint64(&counters.panics),
		Delayed:    time.Duration(atomic.LoadUint64(&counters.delayed)),
	}
}

// Sections returns the sections that have been broken so far, in the order in
// which that was seen first, and then those whose healing made others wait or back
// off; safe for concurrent use. As JSON it is fit for expvar:
//
//	expvar.Publish("atomrace.sections", expvar.Func(func() any { return heal.Sections() }))
func Sections() []SectionStatistics {
	c := settings()
	reports.Lock()
	defer reports.Unlock()
	var all []SectionStatistics
	at := make(map[*sectionState]int)
	for _, t := range reports.order {
		s := t.section
		if s == nil {
			continue
		}
		st := s.state()
		if _, ok := at[st]; !ok {
			at[st] = len(all)
			all = append(all, st.statistics(c))
		}
		all[at[st]].Distinct++
	}
	for s, n := range reports.broken {
		all[at[s.state()]].Violations += n
	}
	registry.mu.Lock()
	known := registry.sections
	registry.mu.Unlock()
	for _, st := range known {
		if _, ok := at[st]; !ok {
			if s := st.statistics(c); s.Prevented+s.Yields+s.Fallbacks > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// statistics is what st has counted itself.
func (st *sectionState) statistics(c *config) SectionStatistics {
	n := &st.counts
	s := SectionStatistics{
		Package: st.of.Var.Package, Variable: st.of.Var.Name, Section: st.of.ID, Pattern: st.of.Pattern,
		Healing: c.policy(st.of).String(), Assured: st.of.Assured,
		Prevented: atomic.LoadUint64(&n.prevented),
		Yields:    atomic.LoadUint64(&n.yields),
		Fallbacks: atomic.LoadUint64(&n.fallbacks),
		Breakers:  atomic.LoadUint64(&n.breakers),
		Escaped:   atomic.LoadUint64(&n.escaped),
		Delayed:   time.Duration(atomic.LoadUint64(&n.delayed)),
	}
	for i := range n.times {
		s.Waits[i] = atomic.LoadUint64(&n.times[i])
	}
	return s
}
