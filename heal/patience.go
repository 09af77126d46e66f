//go:build !atomrace_off

package heal

import (
	"runtime"
	"time"
)

// patience bounds a wait that polls: at first it yields, then it sleeps a
// little longer each time, who comes next anew in each turn. Inside a synctest bubble only sleeping moves the
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
	shared bool // a queue, whose head finds out for the others that the bound is over
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
// when each of them may have had its perHead, for thousands that look all the time leave no
// processor to the one they wait for; but at least once in the time of the bound. perHead is
// short, and not what turns have taken so far: who sleeps too long as the first holds all others
// up, and is then what turns take. Where patience is shared, such sleep does not count against
// the bound: while one stays, those at the head find that out.
const (
	longQueue = 32
	perHead   = 20 * time.Microsecond
)

// again waits a little; false when the bound is over. turn tells one turn from
// the next, ahead is how many wait that come first, or may. Of shared patience turns
// are counted.
func (p *patience) again(turn uint64, ahead int) bool {
	if p.polls == 0 || turn != p.turn {
		p.turn, p.start, p.rested = turn, time.Now(), 0
		if p.polls == 0 {
			p.begun = p.start
		}
	}
	p.polls++
	if p.bound == 0 {
		return false
	}
	if ahead <= longQueue && (p.polls%32 != 0 || p.polls < 128) {
		runtime.Gosched()
		return true
	}
	if p.rested >= p.bound || p.start.Sub(p.begun) > patienceTurns*p.bound {
		return false
	}
	late := p.slept
	if ahead == 0 { // the next turn may be ours
		late = p.rested
	}
	nap := min(20*time.Microsecond+late/8, 200*time.Microsecond)
	if ahead > longQueue {
		nap = max(nap, min(time.Duration(ahead)*perHead, p.bound))
	}
	if ahead <= longQueue || !p.shared {
		p.rested += nap
	}
	time.Sleep(nap)
	p.slept += nap
	return true
}
