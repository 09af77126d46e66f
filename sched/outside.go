package sched

import (
	"fmt"
	"sync/atomic"
)

// Outside is called by a goroutine that is about to wait in Go's network poller, for the
// network, a pipe of the kernel's or the like. It gives the token away at once, where the
// watchdog would after Options.Patience; the goroutine takes its place again at its next
// point.
func Outside() {
	g := enter()
	if g == nil {
		return
	}
	e := g.engine
	if g.stays {
		leave(g)
		return
	}
	if e.uncontrolled == "" {
		e.uncontrol(fmt.Sprintf("goroutine %d waited outside the process (network, pipe) at %s, which is not instrumented", g.ID, position()))
	}
	e.lose(g)
	if len(e.state.Enabled) == 0 {
		// Whoever decides has to wait, and g has something else to wait for.
		becomeLost(g)
		go e.passOn()
		return
	}
	next := e.choose()
	becomeLost(g)
	if next != nil {
		e.hand(next)
	}
}

// Stay has the calling goroutine keep the token in Outside, or not any more: for what the
// kernel does at once, as refusing a connection to the own machine.
func Stay(stays bool) {
	if g := enter(); g != nil {
		g.stays = stays
		leave(g)
	}
}

// lose makes g one that somebody else goes on without.
func (e *engine) lose(g *Goroutine) {
	e.lost++
	e.inbox.acquire()
	e.inbox.lost = append(e.inbox.lost, g)
	atomic.AddInt32(&strays, 1)
	e.inbox.release()
	g.Next = Operation{Kind: Returning}
	e.disable(g)
}

// becomeLost is leave for such a goroutine.
func becomeLost(g *Goroutine) {
	atomic.StoreUint64(&g.word, atomic.LoadUint64(&g.word)&^status+turn|lost)
}

// passOn gives the token, which nobody has, to whoever is chosen.
func (e *engine) passOn() {
	if next := e.choose(); next != nil {
		e.hand(next)
	}
}
