package heal

import "sync/atomic"

// Statistics is a snapshot of what heal has seen and done.
type Statistics struct {
	Violations uint64 // broken sections and races met, repeated ones included
	Distinct   int    // of these, distinct ones
	Waits      uint64 // times a goroutine waited for a healing lock
	Timeouts   uint64 // of these, given up
	Yields     uint64 // times a goroutine backed off from another's section or claim
	Panics     uint64 // panics of the OnViolation callback that were caught
}

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

// Stats returns the counters; safe for concurrent use.
func Stats() Statistics {
	reports.Lock()
	defer reports.Unlock()
	return Statistics{
		Violations: reports.total,
		Distinct:   len(reports.order),
		Waits:      atomic.LoadUint64(&counters.waits),
		Timeouts:   atomic.LoadUint64(&counters.timeouts),
		Yields:     atomic.LoadUint64(&counters.yields),
		Panics:     atomic.LoadUint64(&counters.panics),
	}
}
