package heal

import (
	"fmt"
	"strings"
	"time"
)

// Statistics is a snapshot of what heal has seen and done.
type Statistics struct {
	Violations uint64 // broken sections and races met, repeated ones included
	Races      uint64 // of these, data races
	Doubted    uint64 // of these, violations of sections with a doubt, which fail nothing
	Distinct   int    // distinct violations
	Waits      uint64 // times a goroutine waited for a healing lock
	Escaped    uint64 // sections broken although they were healed when they began
	Prevented  uint64 // of these, because a section held it: a violation may have been prevented
	Timeouts   uint64 // fallbacks: healing locks that were not taken, whether waited for or not
	Cycles     uint64 // of these, because the owner was waiting for the one who asked
	Breakers   uint64 // variables that are healed by yielding since, for too many fallbacks
	Unhealed   uint64 // variables that are only watched since, for back-offs that were all in vain
	Yields     uint64 // times a goroutine backed off from another's section or claim
	// Delayed is for how long waits and back-offs, those in vain included, have held
	// goroutines up, by the clock, added up over all of them.
	Delayed time.Duration
	Panics  uint64 // panics of the OnViolation callback that were caught
	// With a budget, as far as it was measured: what share of the activations of functions
	// with hooks was watched of late, and what watching all of them would add to the
	// processor time, 1 for as much again.
	Watched  float64 `json:",omitempty"`
	Overhead float64 `json:",omitempty"`
}

// grave is the number of violations that are failures.
func (s Statistics) grave() uint64 { return s.Violations - s.Doubted }

// total sums up what there was of violations and healing; empty if nothing.
func (s Statistics) total() string {
	var parts []string
	say := func(n uint64, format string, args ...any) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	ways := ""
	if uint64(s.Distinct) > s.Violations {
		ways = " ways to break it" // several accesses of others, while one section was open
	}
	say(s.Violations, "%d violation(s), %d distinct%s", s.Violations, s.Distinct, ways)
	say(s.Doubted, "%d of them perhaps without harm", s.Doubted)
	say(s.Escaped, "%d broken although healed", s.Escaped)
	say(s.Waits, "waited for a healing lock %d times", s.Waits)
	say(s.Timeouts, "gave up on one %d times", s.Timeouts)
	say(s.Yields, "backed off %d times", s.Yields)
	if s.Delayed > 0 {
		parts = append(parts, fmt.Sprintf("healing held goroutines up for %v in all", s.Delayed.Round(10*time.Microsecond)))
	}
	say(s.Prevented, "a section kept others out %d times", s.Prevented)
	say(s.Breakers, "%d variable(s) fell back to yielding", s.Breakers)
	say(s.Unhealed, "%d variable(s) fell back to being watched", s.Unhealed)
	if len(parts) > 0 && s.Watched > 0 {
		parts = append(parts, fmt.Sprintf("%.3g %% of the calls were watched, for the budget", 100*s.Watched))
	}
	return strings.Join(parts, "; ")
}

// WaitTimes counts waits by their length: up to 10 µs, 100 µs, 1 ms, 10 ms,
// 100 ms, and longer ones.
type WaitTimes [6]uint64

// bracket is the index of d in WaitTimes.
func bracket(d time.Duration) int {
	i := 0
	for most := 10 * time.Microsecond; i < len(WaitTimes{})-1 && d > most; most *= 10 {
		i++
	}
	return i
}

// SectionStatistics says how often one section was broken, and what its healing
// did.
type SectionStatistics struct {
	Package    string
	Variable   string
	Section    string // its id in the specification
	Pattern    string
	Violations uint64 // times it was broken
	Distinct   int    // in so many ways: end points and foreign locations

	Healing   string    // the policy in force: off, yield or lock
	Assured   bool      // as the rewriter found
	Escaped   uint64    // times it was broken although it was healed when it began
	Prevented uint64    // times another goroutine had to wait for the section's healing lock
	Waits     WaitTimes // of these, how long the ones lasted that ended well
	Fallbacks uint64    // times another went on without the lock
	Breakers  uint64    // times that led to yielding instead
	Yields    uint64    // times another backed off from it
	// Delayed is for how long all that has held others up, by the clock.
	Delayed time.Duration
}

// T is what Watch needs of a *testing.T, *testing.B or *testing.F.
type T interface {
	Helper()
	Cleanup(func())
	Errorf(format string, args ...any)
	Name() string
}
