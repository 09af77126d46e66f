//go:build !atomrace_off

package heal

import "time"

// meter finds out what watching costs, and how much of it the budget allows. It knows
// nothing of clocks and hooks.
type meter struct {
	// Activations and seconds of processor time of the phases so far, watched ones first;
	// older ones count less.
	begun, took [2]float64
	turns       int     // pairs of phases
	length      float64 // activations of the phase to come
	span        float64 // seconds that these take if they are watched
	watched     float64 // share of the activations to watch
	known       float64 // overhead, by what was counted before
	seed        uint64  // of the jitter
}

const (
	firstPhase = 100 * time.Millisecond // watched, however small the budget
	phaseTime  = 50 * time.Millisecond  // of the shorter one of two, in processor time
	// Before so many pairs of phases were measured watching is taken to cost no less
	// than assumed.
	settled = 2
	assumed = 0.5
	// At most half of the budget is spent on watching, and a third at the least; in
	// between it is what atRestCosts leaves: functions that are not inlined any more and
	// the questions cost a little, too, and cannot be measured from within.
	mostAim, leastAim, atRestCosts = 1.0 / 2, 1.0 / 3, 0.02
	// memory is what is left of a pair of phases when the next one is over.
	memory = 0.97
	// No budget is so small that nothing is ever watched, or so large that it is not
	// looked at any more what watching costs.
	leastWatched, mostWatched = 1.0 / 256, 15.0 / 16
)

// over tells the meter of a phase that is over, and returns whether the next one rests;
// m.length says how long it is. budget is a share: 0.03 for three per cent.
func (m *meter) over(budget float64, rested bool, begun float64, took time.Duration) (rest bool) {
	k := 0
	if rested {
		k = 1
	}
	m.begun[k] += begun
	m.took[k] += took.Seconds()
	if rested {
		m.turns++
	}
	allowed := aim(budget)
	m.watched = min(max(allowed/max(m.overhead(), allowed), leastWatched), mostWatched)
	if m.turns == 0 {
		m.span = phaseTime.Seconds()
		m.length = m.span / m.cost(0)
		return true
	}
	short := phaseTime.Seconds() * m.jitter()
	spans := [2]float64{short, short} // as if both cost the same
	if m.watched < 0.5 {
		spans[1] *= (1 - m.watched) / m.watched
	} else {
		spans[0] *= m.watched / (1 - m.watched)
	}
	next := 1 - k
	m.span = spans[next]
	m.length = m.span / m.cost(0)
	if rested {
		for k := range m.begun {
			m.begun[k] *= memory
			m.took[k] *= memory
		}
	}
	return next == 1
}

// aim is what watching may cost of the budget.
func aim(budget float64) float64 {
	return min(max(leastAim*budget, budget-atRestCosts), mostAim*budget)
}

// cost is the processor time of an activation, in seconds.
func (m *meter) cost(k int) float64 {
	return max(m.took[k], 1e-9) / max(m.begun[k], 1)
}

// overhead is what watching everything adds, as a share of what the program takes while
// it rests.
func (m *meter) overhead() float64 {
	o := m.known
	if m.begun[1] > 0 {
		o = m.cost(0)/m.cost(1) - 1
	}
	if m.turns < settled {
		o = max(o, assumed)
	}
	return max(o, 0)
}

// recount tells m that it is activations of other functions that are counted from now on.
func (m *meter) recount() {
	m.known = m.overhead()
	m.begun, m.took = [2]float64{}, [2]float64{}
}

// overdue is the processor time after which a phase that should take so many seconds is
// given up.
func overdue(span float64) time.Duration {
	return firstPhase + time.Duration(4*span*float64(time.Second))
}

// jitter is between 0.75 and 1.25, for what the program does by turns as well.
func (m *meter) jitter() float64 {
	m.seed = m.seed*6364136223846793005 + 1442695040888963407
	return 0.75 + float64(m.seed>>40)/(1<<25)
}

func (m *meter) found() *thinning { return &thinning{watched: m.watched, overhead: m.overhead()} }
