package sched

// A clock is a vector clock: for each goroutine, by ID, how much of it happened
// before.
type clock []uint32

// join adds what happened before c.
func (k *clock) join(c clock) {
	for len(*k) < len(c) {
		*k = append(*k, 0)
	}
	for i, n := range c {
		(*k)[i] = max((*k)[i], n)
	}
}

// at returns how much of the goroutine happened before.
func (k clock) at(id int) uint32 {
	if id >= len(k) {
		return 0
	}
	return k[id]
}

// tick begins a new part of the goroutine's own life.
func (k *clock) tick(id int) {
	for len(*k) <= id {
		*k = append(*k, 0)
	}
	(*k)[id]++
}

// sent returns a copy to send along with a message, after which a new part begins.
func (g *Goroutine) sent() clock {
	if g.clock.at(g.ID) == 0 {
		g.clock.tick(g.ID)
	}
	message := append(clock(nil), g.clock...)
	g.clock.tick(g.ID)
	return message
}

// clockOf returns the clock of g as a message; nil without a hybrid pass.
func (e *engine) clockOf(g *Goroutine) clock {
	if e.hybrid == nil {
		return nil
	}
	return g.sent()
}
