package heal

import (
	"fmt"
	"strings"
)

// Statistics is a snapshot of what heal has seen and done.
type Statistics struct {
	Violations uint64 // broken sections and races met, repeated ones included
	Races      uint64 // of these, data races
	Distinct   int    // distinct violations
	Waits      uint64 // times a goroutine waited for a healing lock
	Timeouts   uint64 // of these, given up
	Yields     uint64 // times a goroutine backed off from another's section or claim
	Panics     uint64 // panics of the OnViolation callback that were caught
}

// total sums up what there was of violations and healing; empty if nothing.
func (s Statistics) total() string {
	var parts []string
	say := func(n uint64, format string, args ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	say(s.Violations, "%d violation(s), %d distinct", s.Violations, s.Distinct)
	say(s.Waits, "waited for a healing lock %d times", s.Waits)
	say(s.Timeouts, "gave up on one %d times", s.Timeouts)
	say(s.Yields, "backed off %d times", s.Yields)
	return strings.Join(parts, "; ")
}

// SectionStatistics says how often one section was broken.
type SectionStatistics struct {
	Package    string
	Variable   string
	Section    string // its id in the specification
	Pattern    string
	Violations uint64 // times it was broken
	Distinct   int    // in so many ways: end points and foreign locations
}

// T is what Watch needs of a *testing.T, *testing.B or *testing.F.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Name() string
}
