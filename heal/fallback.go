//go:build !atomrace_off

package heal

import (
	"fmt"
	"time"
)

// A fallback is a healing lock that was not taken although it should have been:
// the access or the critical section goes on without, as it would in the program
// without healing.
type fallback struct {
	why    refusal
	holder *Section      // for which it was held, nil if none is known
	took   time.Duration // how long the wait lasted, by the clock
}

// refusal says why a healing lock was not taken.
type refusal uint8

const (
	granted   refusal = iota
	timedOut          // its owner did not give it up within the bound
	cyclic            // its owner waits, directly or not, for the goroutine that asked
	abandoned         // somebody else has waited in vain for the same owner
	hurried           // it was not free, and there was a reason not to wait
	called            // healing was suspended meanwhile
)

// breaker counts the waits for healing locks of one variable that were in vain, and
// the cycles. While it is open, the variable is
// healed by yielding instead of by the lock.
type breaker struct {
	open  bool
	count int
	last  time.Time
}

// breakerRest is how long a variable must be without one for those before not to
// count any more.
const breakerRest = time.Minute

// note counts one more and reports whether the breaker opens now, after limit
// of them; 0 is never.
func (b *breaker) note(limit int, now time.Time) bool {
	if now.Sub(b.last) > breakerRest {
		b.count = 0
	}
	b.last = now
	b.count++
	if b.open || limit == 0 || b.count < limit {
		return false
	}
	b.open = true
	return true
}

// report counts that the healing lock of in was not taken, and reports it once for each
// section or variable. l is nil ahead of a critical section.
func (f *fallback) report(c *config, v *Variable, l *Location, in *instance) {
	if f.why == called {
		return
	}
	counters.add(&counters.timeouts)
	if f.why == cyclic {
		counters.add(&counters.cycles)
	}
	var what any = in.v
	where := "ahead of a critical section"
	if l != nil {
		where = "at " + l.position()
		if len(l.entries()) > 0 {
			what = l.entries()[0]
			where = "for section " + l.entries()[0].ID + " " + where
		}
	}
	blamed := "somebody"
	if f.holder != nil {
		blamed = "section " + f.holder.ID
		counters.add(&f.holder.state().counts.fallbacks)
	}
	if first(what) {
		notify(c, fmt.Sprintf("healing lock of %s at %#x %s %s, while %s held it; going on without it (said once)",
			v.Name, in.addr, f.words(c), where, blamed))
	}
	if f.why == timedOut || f.why == cyclic { // the others follow from one of these
		in.v.blow(c, f.holder)
	}
}

func (f *fallback) words(c *config) string {
	switch f.why {
	case cyclic:
		return "skipped because its owner waits for us"
	case hurried, abandoned:
		return "not waited for"
	}
	return fmt.Sprintf("not obtained within %v (wait=%v)", f.took.Round(100*time.Microsecond), c.wait)
}

// blow counts a fallback of v, and says so when the breaker opens.
func (v *variable) blow(c *config, holder *Section) {
	registry.mu.Lock()
	opens := v.fallbacks.note(c.breaker, time.Now())
	if opens {
		v.decide(c)
	}
	registry.mu.Unlock()
	if !opens {
		return
	}
	counters.add(&counters.breakers)
	if holder != nil {
		counters.add(&holder.state().counts.breakers)
	}
	notify(c, fmt.Sprintf("healing lock of %s waited for in vain %d times: from now on it is healed by yielding; heal.SetPolicy, or a line for the section in the control file, puts the lock back",
		v.of.Name, c.breaker))
}

// futility weighs the back-offs of one variable that were in vain against those that were of
// use. While it is open, the variable is not healed by yielding either: where the stays outlast
// the others' patience, as in a loop that looks until another one has stored what it
// waits for, accesses would be late by backOff for ever, and little healed.
type futility struct {
	open      bool
	weight    int
	last      time.Time
	outlasted uint64 // the stay that was noted last
}

// What a back-off in vain weighs, and one that was of use: it opens if two of five are in vain.
const (
	inVain = 3
	ofUse  = 2
)

// note takes one more and reports whether the variable is given up now, after limit of them in
// vain and none of use; 0 is never. outlasted is the stay that has outlasted it, which counts
// once however many were late for it, 0 if none has.
func (f *futility) note(limit int, outlasted uint64, now time.Time) bool {
	switch {
	case outlasted == 0:
		f.weight = max(0, f.weight-ofUse)
		return false
	case outlasted == f.outlasted:
		return false
	case now.Sub(f.last) > breakerRest:
		f.weight = 0
	}
	f.last, f.outlasted = now, outlasted
	f.weight += inVain
	if f.open || limit == 0 || f.weight < inVain*limit {
		return false
	}
	f.open = true
	return true
}

// backedOff notes a back-off of v, and says so when the variable is given up.
//
//go:norace
func (v *variable) backedOff(c *config, outlasted uint64) {
	if outlasted == 0 && v.backOffs.weight == 0 {
		return
	}
	registry.mu.Lock()
	opens := v.backOffs.note(c.breaker, outlasted, time.Now())
	if opens {
		v.decide(c)
	}
	registry.mu.Unlock()
	if !opens {
		return
	}
	counters.add(&counters.unhealed)
	notify(c, fmt.Sprintf("backed off from sections of %s in vain too often: from now on it is watched, not healed; heal.SetPolicy, or a line for the section in the control file, heals it again",
		v.of.Name))
}
