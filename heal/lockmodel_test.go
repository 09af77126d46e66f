//go:build !atomrace_off

package heal

import (
	"fmt"
	"time"
)

// lockModel is who may have which healing lock, written down apart from how heal
// keeps count of it: the reasons that each player has to keep the lock of each thing.
// A reason is a Hold, a section that is open, or an access between its hooks. It is
// the reference of FuzzHealing.
//
// What the lock does for a section is not always to be foreseen: a section that begins
// while nothing is healed is watched the quick way, if at all, and may or may not take
// the lock later on. Then the model says perhaps.
type lockModel struct {
	players [fuzzPlayers]modelPlayer
	policy  modelPolicy
}

// truth is what the model knows about the possession of a lock.
type truth uint8

const (
	no truth = iota
	perhaps
	yes
)

// modelPlayer is one goroutine, by its activations, outermost first, and the sections
// that it is in.
type modelPlayer struct {
	acts []*modelAct
	open map[modelKey]*modelOpening
}

// modelKey is a section over a thing.
type modelKey struct{ section, thing int }

// modelOpening is one section that is open, and the activations that have entered it.
type modelOpening struct {
	by   map[*modelAct]bool
	lock truth

	// unsure is one that began while nothing was healed, or was ended by an activation
	// that had not entered it.
	unsure bool
}

// modelAct is one activation.
type modelAct struct {
	holds  map[int]modelHold // by site
	window *modelHold        // the access between its hooks
}

type modelHold struct {
	thing int
	lock  truth
}

// has says whether player i has the healing lock of the thing.
func (m *lockModel) has(i, thing int) truth {
	t := no
	p := &m.players[i]
	for _, a := range p.acts {
		for _, h := range a.holds {
			if h.thing == thing {
				t = max(t, h.lock)
			}
		}
		if a.window != nil && a.window.thing == thing {
			t = max(t, a.window.lock)
		}
	}
	for k, o := range p.open {
		if k.thing == thing {
			t = max(t, o.lock)
		}
	}
	return t
}

// near reports whether player i has anything to do with things that share a bucket
// with this one, healed or not.
func (m *lockModel) near(i, thing int) bool {
	p := &m.players[i]
	for _, a := range p.acts {
		for _, h := range a.holds {
			if sameBucket(h.thing, thing) {
				return true
			}
		}
		if a.window != nil && sameBucket(a.window.thing, thing) {
			return true
		}
	}
	for k := range p.open {
		if sameBucket(k.thing, thing) {
			return true
		}
	}
	return false
}

func (p *modelPlayer) top() *modelAct { return p.acts[len(p.acts)-1] }

func (p *modelPlayer) call() {
	p.acts = append(p.acts, &modelAct{holds: make(map[int]modelHold)})
}

// ret is the return from the innermost activation, however it comes about.
func (p *modelPlayer) ret() {
	a := p.top()
	p.acts = p.acts[:len(p.acts)-1]
	for s := range fuzzSections {
		p.exit(a, s)
	}
}

// exit is what a has open of the section, on every thing.
func (p *modelPlayer) exit(a *modelAct, section int) {
	for k, o := range p.open {
		if k.section == section && o.by[a] {
			p.leave(k, a)
		}
	}
}

func (p *modelPlayer) leave(k modelKey, a *modelAct) {
	o := p.open[k]
	delete(o.by, a)
	if len(o.by) == 0 {
		delete(p.open, k)
	}
}

// hold is a Hold that has returned; asked says whether anything was healed then.
func (p *modelPlayer) hold(site int, h modelHold, asked bool) {
	if before, ok := p.top().holds[site]; asked && !(ok && before.thing == h.thing) {
		p.top().holds[site] = h
	}
}

// enter is the access at the beginning of the section: lock says whether it got the
// lock and the section is healed by it.
func (p *modelPlayer) enter(k modelKey, lock truth, healed bool) {
	a := p.top()
	o := p.open[k]
	switch {
	case o == nil:
		p.open[k] = &modelOpening{by: map[*modelAct]bool{a: true}, lock: lock, unsure: !healed}
		return
	case o.by[a] && len(o.by) == 1 && o.lock == no:
		o.lock = lock // the window begins anew
	}
	if o.unsure && lock != no {
		o.lock = perhaps
	}
	o.by[a] = true
}

// end is the access at the end of the section.
func (p *modelPlayer) end(k modelKey) {
	a := p.top()
	o := p.open[k]
	switch {
	case o == nil:
	case o.by[a]:
		p.leave(k, a)
	default: // another activation's: the fast way sees its own alone
		o.unsure = true
		o.lock = min(o.lock, perhaps)
	}
}

// modelPolicy is what policy.go says, for one variable whose tables name none.
type modelPolicy struct {
	all       Policy // of ATOMRACE, or SetPolicy
	named     [fuzzSections]Policy
	broken    [fuzzSections]bool // as PolicyAuto knows
	suspended bool
	open      bool // the breaker
	unhealed  bool // the one of the back-offs
}

// of is what holds for the section.
func (m *modelPolicy) of(section int) Policy {
	p := m.named[section]
	if p == PolicyInherit {
		p = m.all
	}
	switch {
	case m.suspended:
		return PolicyOff
	case p == PolicyAuto && !m.broken[section]:
		return PolicyOff
	case p == PolicyAuto && section == 0: // the assured one
		p = PolicyLock
	case p == PolicyAuto:
		p = PolicyYield
	}
	return m.feasible(p)
}

// feasible is what p comes to while a breaker is open.
func (m *modelPolicy) feasible(p Policy) Policy {
	if p == PolicyLock && m.open {
		p = PolicyYield
	}
	if p == PolicyYield && m.unhealed {
		p = PolicyOff
	}
	return p
}

// mixed reports whether any section is healed by yielding.
func (m *modelPolicy) mixed() bool {
	for s := range fuzzSections {
		if m.of(s) == PolicyYield {
			return true
		}
	}
	return false
}

// sawBroken is what a violation means to PolicyAuto.
func (m *modelPolicy) sawBroken(section int) {
	p := m.named[section]
	if p == PolicyInherit {
		p = m.all
	}
	if p == PolicyAuto && !m.suspended {
		m.broken[section] = true
	}
}

// single is what holds for single accesses and Holds.
func (m *modelPolicy) single() Policy {
	strongest := PolicyOff
	if m.all != PolicyAuto && !m.suspended {
		strongest = m.all
	}
	for s := range fuzzSections {
		strongest = max(strongest, m.of(s))
	}
	return m.feasible(strongest)
}

// attempt is one access or Hold of a player, as it saw it.
type attempt struct {
	thing      int
	asked, got bool // for the healing lock
	from, to   time.Time
}

func (a attempt) String() string {
	return fmt.Sprintf("thing %d, asked %v, got %v, in %v", a.thing, a.asked, a.got, a.to.Sub(a.from))
}
