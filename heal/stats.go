//go:build !atomrace_off

package heal

import "sync/atomic"

type counts struct {
	waits, timeouts, yields, panics uint64
}

var counters counts

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
	return Statistics{
		Violations: reports.total,
		Races:      reports.races,
		Distinct:   len(reports.order),
		Waits:      atomic.LoadUint64(&counters.waits),
		Timeouts:   atomic.LoadUint64(&counters.timeouts),
		Yields:     atomic.LoadUint64(&counters.yields),
		Panics:     atomic.LoadUint64(&counters.panics),
	}
}

// Sections returns the sections that have been broken so far, in the order in
// which that was seen first; safe for concurrent use.
func Sections() []SectionStatistics {
	reports.Lock()
	defer reports.Unlock()
	var all []SectionStatistics
	at := make(map[*Section]int)
	for _, t := range reports.order {
		s := t.section
		if s == nil {
			continue
		}
		if _, ok := at[s]; !ok {
			at[s] = len(all)
			all = append(all, SectionStatistics{Package: s.Var.Package, Variable: s.Var.Name, Section: s.ID,
				Pattern: s.Pattern, Violations: reports.broken[s]})
		}
		all[at[s]].Distinct++
	}
	return all
}
