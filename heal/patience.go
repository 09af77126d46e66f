//go:build !atomrace_off

package heal

import (
	"runtime"
	"time"
)

// patience bounds a wait that polls: at first it yields, then it sleeps a
// little longer each time. Inside a synctest bubble only sleeping moves the
// clock, so every wait ends there, too.
//
// The bound is for one turn, that is as long as what is waited for is the same.
// It is counted in the sleeps that were asked for, not by the clock: on a machine
// so loaded that this process hardly runs, the other has not had its time yet,
// and the clock says nothing about that. By the clock it is longer, a little on
// an idle machine and several times on an overloaded one. Turns that follow
// one another are given up, too, after patienceTurns times the bound. What a wait took by the
// clock is for whoever waits to find out, see delayed.
type patience struct {
	bound  time.Duration
	polls  int
	turn   uint64
	begun  time.Time
	start  time.Time     // of the turn
	slept  time.Duration // since the beginning
	rested time.Duration // since start
}

// patienceTurns bounds the whole of a wait, in bounds of one turn.
const patienceTurns = 50

// A queue is long when more than longQueue are ahead. Who stands far back in one looks again
// when each of them may have had its perHead, for thousands that look all the time leave
// no processor to the one they wait for; but four times within the bound.
const (
	longQueue = 32
	perHead   = 10 * time.Microsecond
)

// again waits a little; false when the bound is over. turn tells one turn from
// the next, ahead is how many wait that come first.
func (p *patience) again(turn uint64, ahead int) bool {
	if p.polls == 0 || turn != p.turn {
		p.turn, p.start, p.rested = turn, time.Now(), 0
		if p.polls == 0 {
			p.begun = p.start
		}
	}
	p.polls++
	if ahead <= longQueue && (p.polls%32 != 0 || p.polls < 128) {
		runtime.Gosched()
		return true
	}
	if p.rested >= p.bound || p.start.Sub(p.begun) > patienceTurns*p.bound {
		return false
	}
	nap := min(20*time.Microsecond+p.slept/8, 200*time.Microsecond)
	if ahead > longQueue {
		nap = max(nap, min(time.Duration(ahead)*perHead, p.bound/4))
	}
	time.Sleep(nap)
	p.slept += nap
	p.rested += nap
	return true
}
