//go:build !atomrace_off

package heal

import (
	"sync/atomic"
	"time"
)

// PolicyYield affects the scheduler, the first class of healing in papers/001
// section 5: while a goroutine is in a section over an instance, or is about to
// access it, the others back off. Who does so says it by a claim: for the span
// of one access, or of a Hold, which comes ahead of the program's own lock so
// that nobody backs off while holding what the other needs. To look around and
// to claim is one step, so that of many that wait only one goes on. Of those that have long
// waited a few have a ticket, which keeps others from overtaking them.
//
// Unlike a healing lock a claim is advice. The wait for one stay of another is
// bounded by backOff; after that the goroutine claims all the same, and does
// not wait for that stay again. Who is inside already waits for nobody: its own
// section would only get longer, and two that are inside would wait for each
// other. Where the stays outlast the back-offs one after the other, nobody backs
// off any more, see fallback.go.

// claim waits until no other goroutine is inside on or claims it, as long as
// it may, and returns the caller's cell with one claim more. For a single
// access (not a Hold) of who is inside already, it returns nil, and for any where a crowd
// has come before. With forced, the caller has backed off in vain, now or when it came
// inside, or not at all for that crowd.
//
//go:norace
func claim(c *config, on *instance, g G, single bool) (mine *cell, forced bool) {
	mine, stay, forced := tryClaim(c, on, g, single, false, false)
	if stay == 0 {
		return mine, forced
	}
	others := &backingOff[bucketNumber(on.addr)%guards]
	if atomic.AddInt32(others, 1) > maxClaims {
		atomic.AddInt32(others, -1)
		return nil, true
	}
	counters.add(&counters.yields)
	s := blocking(c, on, g)
	if s != nil {
		counters.add(&s.state().counts.yields)
	}
	start := time.Now()
	mine, forced, outlasted := backOff(c, on, g, single, stay, others)
	atomic.AddInt32(others, -1)
	delayed(s, time.Since(start))
	on.v.backedOff(c, outlasted)
	return mine, forced
}

// backingOff counts those that back off, by guard.
var backingOff [guards]int32

// maxClaims is how many may claim an instance, and how many back off at a time; further ones go
// ahead as they would without healing. Each looks at the claims of all others, again and
// again: thousands would come to nothing else.
const maxClaims = 200

// backOff lets the stay of another end, and those after it, as long as it may, and claims on
// for g then. It returns the stay that has outlasted that, 0 if none has.
//
//go:norace
func backOff(c *config, on *instance, g G, single bool, stay uint64, others *int32) (mine *cell, forced bool, outlasted uint64) {
	p := patience{bound: min(c.wait, c.backOff)}
	waiting := int(atomic.LoadInt32(others)) - 1
	for p.again(stay, waiting) {
		waiting = int(atomic.LoadInt32(others)) - 1 // here about, for other instances too
		mine, stay, forced = tryClaim(c, on, g, single, p.slept > starvation, false)
		if stay == 0 {
			return mine, forced, 0
		}
	}
	if p.rested < p.bound { // one after the other, of which none was long
		stay = 0
	}
	mine, _, forced = tryClaim(c, on, g, single, false, true)
	return mine, forced, stay
}

// tryClaim claims on for g, or tells since when another one stays. With
// starving, g may not be overtaken any more; with force it goes ahead anyway.
//
//go:norace
func tryClaim(c *config, on *instance, g G, single, starving, force bool) (mine *cell, stay uint64, forced bool) {
	b, gd := place(on.addr)
	gd.lock(b, on)
	mine = b.of(on, g)
	inside, stays, queued, tickets, claims := false, never, never, 0, 0
	for x := b.cells(); x != nil; x = x.next {
		if !x.inst.overlaps(on) {
			continue
		}
		if x.ticket != 0 {
			tickets++
		}
		if x.claims > 0 {
			claims++
		}
		if x.owner == g {
			inside = inside || x.stays(c)
			forced = forced || x.forced
		} else if x.stays(c) && x.tired != g {
			stays = min(stays, x.since)
			if force {
				x.tired = g
			}
		} else if x.ticket != 0 && (mine == nil || mine.ticket == 0 || x.ticket < mine.ticket) {
			queued = min(queued, x.ticket)
		}
	}
	if stay = stays; stay == never {
		stay = queued
	}
	switch {
	case inside && single:
		mine, stay = nil, 0
	case mine == nil && claims >= maxClaims:
		forced, stay = true, 0
	case inside || force || stay == never:
		if mine == nil {
			mine = b.add(gd, on, g)
		}
		if !mine.stays(c) {
			mine.since, mine.tired = gd.stamp(), 0
		}
		forced = forced || stays != never
		mine.forced, mine.ticket, stay = forced, 0, 0
		mine.claims++
	case starving && tickets < longQueue:
		if mine == nil {
			mine = b.add(gd, on, g)
		}
		if mine.ticket == 0 {
			mine.ticket = gd.stamp()
		}
	}
	gd.unlock(b)
	return mine, stay, forced
}

// blocking is a section of another goroutine that makes g back off from on, nil if
// there is none any more or it is but a claim.
//
//go:norace
func blocking(c *config, on *instance, g G) (s *Section) {
	b, gd := place(on.addr)
	gd.lock(b, nil)
	for x := b.cells(); x != nil && s == nil; x = x.next {
		if x.owner == g || !x.inst.overlaps(on) {
			continue
		}
		for i := range x.opens {
			if o := x.opens[i].section; c.policy(o) > PolicyOff {
				s = o
				break
			}
		}
	}
	gd.unlock(b)
	return s
}

// never is a tick that no clock reaches.
const never = ^uint64(0)

// stays reports whether others have to back off from c's owner: it claims the
// instance, or has a section open that is to be healed.
//
//go:norace
func (c *cell) stays(settings *config) bool {
	if c.claims > 0 {
		return true
	}
	for i := range c.opens {
		if settings.policy(c.opens[i].section) > PolicyOff {
			return true
		}
	}
	return false
}

// unclaim takes back one claim of c's owner, the caller.
//
//go:norace
func (c *cell) unclaim() {
	b, gd := place(c.inst.addr)
	gd.lock(b, nil)
	c.claims--
	b.drop(gd, c)
	gd.unlock(b)
}
