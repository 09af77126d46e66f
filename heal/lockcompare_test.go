//go:build !atomrace_off

package heal

import (
	"time"
	"unsafe"
)

// compare looks at all locks.
func (g *fuzzGame) compare() {
	for thing := range fuzzThings {
		owner, lent := g.owner(thing)
		certain := -1
		for i, p := range g.players {
			switch t := g.has(i, thing); {
			case t == yes && certain >= 0:
				g.fail("thing %d has two owners, %d and %d", thing, certain, i)
			case t == yes && owner != p.tag:
				g.fail("thing %d is player %d's, but %#x has its lock", thing, i, owner)
			case t == yes:
				certain = i
			case t == no && owner == p.tag && !lent:
				g.fail("player %d has kept the lock of thing %d", i, thing)
			}
		}
		if owner != 0 && !g.known(owner) {
			g.fail("somebody dead, %#x, has the lock of thing %d", owner, thing)
		}
	}
}

func (g *fuzzGame) known(owner G) bool {
	for _, p := range g.players {
		if p.tag == owner {
			return true
		}
	}
	return false
}

// owner is who has the healing lock of the thing, by heal's own tables; 0 is nobody. It
// is lent to who is in a fast section over another thing in the bucket.
func (g *fuzzGame) owner(thing int) (owner G, lent bool) {
	at := thingAt(thing)
	for _, p := range g.players {
		for _, f := range p.frames {
			if !raceBuild && f.isFastAt(unsafe.Pointer(at)) {
				return p.tag, false
			}
		}
	}
	in := instance{v: fuzzTable.v.info(), addr: uintptr(unsafe.Pointer(at))}
	b, gd := place(in.addr)
	gd.Lock()
	defer gd.Unlock()
	if h := b.lock(&in); h != nil {
		return h.owner, h.fast
	}
	return 0, false
}

// waits looks at player i, who is in the middle of a step.
func (g *fuzzGame) waits(i int, p *fuzzPlayer) {
	now := time.Now()
	switch {
	case g.inTheWay(p, p.step.thing):
		p.idleSince = time.Time{}
	case p.idleSince.IsZero():
		p.idleSince = now
	case now.Sub(p.idleSince) > time.Millisecond:
		g.fail("player %d waits for nobody", i)
	}
	since := p.began
	if g.changed.After(since) {
		since = g.changed
	}
	if most := g.wait + min(spinSleep, g.wait) + 2*min(settings().backOff, g.wait) + time.Millisecond; now.Sub(since) > most {
		g.fail("player %d has waited %v since anything changed, more than %v", i, now.Sub(since), most)
	}
	if g.model.policy.suspended && p.before.single() == PolicyLock && !p.before.mixed() && now.Sub(g.suspended) > spinSleep+time.Millisecond {
		g.fail("player %d still waits, %v after healing was suspended", i, now.Sub(g.suspended))
	}
	switch {
	case !g.inCycle(i):
		p.cycle = time.Time{}
	case p.cycle.IsZero():
		p.cycle = now
	case now.Sub(p.cycle) > spinSleep+time.Millisecond:
		g.fail("player %d has been waiting in a cycle for %v", i, now.Sub(p.cycle))
	}
}

// inCycle reports whether players wait for each other's healing locks in a circle, of
// which i is one. Who backs off is in none.
func (g *fuzzGame) inCycle(i int) bool {
	at := i
	for range fuzzPlayers {
		p := g.players[at]
		if !p.busy.Load() || p.epoch != g.epoch || p.before.single() != PolicyLock || p.before.mixed() {
			return false
		}
		next := -1
		for j := range g.players {
			if j != at && g.has(j, p.step.thing) == yes {
				next = j
			}
		}
		if next < 0 || next == i {
			return next == i
		}
		at = next
	}
	return false
}
