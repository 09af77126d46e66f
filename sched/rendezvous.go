package sched

import "unsafe"

// perform does op, however long it takes.
func (e *engine) perform(g *Goroutine, op channelOperation) {
	if e.try(g, op) {
		return
	}
	e.parkOn(g, []channelOperation{op})
	if g.closed && op.sends() {
		op.attempt() // panics, as the program shall see it
	}
}

// try does op if that is possible at once. Of those who wait at the other end the
// first that came is served first, as in the runtime. A value of a buffered channel
// goes through its buffer, so that order is kept with everybody's.
func (e *engine) try(g *Goroutine, op channelOperation) bool {
	p := op.channel()
	queue := e.channels[p]
	if op.sends() {
		if queue != nil && queue.receivers.first != nil {
			e.meet(g, op, queue.receivers.first)
			return true
		}
		if !op.attempt() {
			return false
		}
		e.sent(g, p, op.capacity())
		return true
	}
	if queue != nil && queue.senders.first != nil && op.capacity() == 0 {
		e.meet(g, op, queue.senders.first)
		return true
	}
	if op.attempt() {
		e.received(g, p, true)
		if queue != nil && queue.senders.first != nil {
			// There is room now for the first that waits.
			w := queue.senders.first
			if w.operation.attempt() {
				e.sent(w.g, p, op.capacity())
				e.complete(w)
			}
		}
		return true
	}
	if queue != nil && queue.senders.first != nil {
		e.meet(g, op, queue.senders.first) // a foreigner has emptied the buffer
		return true
	}
	return false
}

// meet is a rendezvous of g with one who waits.
func (e *engine) meet(g *Goroutine, op channelOperation, w *waiter) {
	op.meet(w.operation)
	if e.hybrid != nil {
		e.hybrid.handed(g, op, w)
	}
	e.complete(w)
}

// complete says that w's operation was done by somebody else.
func (e *engine) complete(w *waiter) {
	g := w.g
	g.chosen, g.closed = w.index, false
	e.withdraw(g)
	e.enable(g)
}

// withdraw takes g out of all queues.
func (e *engine) withdraw(g *Goroutine) {
	for _, w := range g.waiting {
		w.list.remove(w)
		p := w.operation.channel()
		if q := e.channels[p]; q.senders.first == nil && q.receivers.first == nil {
			delete(e.channels, p)
		}
	}
	g.waiting = nil
}

// parkOn waits until one of the operations was done and returns its index. Nil
// channels are never ready; with no others it waits for ever.
func (e *engine) parkOn(g *Goroutine, operations []channelOperation) int {
	g.closed = false
	for i, op := range operations {
		p := op.channel()
		if p == nil {
			continue
		}
		queue := e.channels[p]
		if queue == nil {
			queue = new(channelQueue)
			e.channels[p] = queue
		}
		w := &waiter{g: g, operation: op, index: i}
		if op.sends() {
			queue.senders.add(w)
		} else {
			queue.receivers.add(w)
		}
		g.waiting = append(g.waiting, w)
	}
	e.park(g, (*channelWait)(g))
	return g.chosen
}

// A channelWait is a goroutine that waits at channels, as its own obstacle.
type channelWait Goroutine

func (c *channelWait) owners() []*Goroutine { return nil }

// over looks whether a goroutine that is not under control has come to one of the
// channels.
func (c *channelWait) over(e *engine) bool {
	g := (*Goroutine)(c)
	for _, w := range g.waiting {
		done, closed := attemptQuietly(w.operation)
		if done || closed {
			if done && w.operation.sends() {
				e.sent(g, w.operation.channel(), w.operation.capacity())
			}
			e.complete(w)
			g.closed = closed
			return true
		}
	}
	return false
}

// attemptQuietly is attempt for somebody else, who shall have the panic.
func attemptQuietly(op channelOperation) (done, closed bool) {
	defer func() {
		if recover() != nil {
			closed = true
		}
	}()
	return op.attempt(), false
}

// closed wakes all who wait at a channel that g has closed: receivers get the zero
// value, senders panic.
func (e *engine) closed(g *Goroutine, p unsafe.Pointer) {
	if e.hybrid != nil {
		e.hybrid.send(p, g)
	}
	for queue := e.channels[p]; queue != nil; queue = e.channels[p] {
		w := queue.receivers.first
		if w == nil {
			w = queue.senders.first
		} else if e.hybrid != nil {
			e.hybrid.receive(p, w.g)
		}
		e.complete(w)
		w.g.closed = true
	}
}

// sent and received tell the hybrid pass of a value that went through the real
// channel.
func (e *engine) sent(g *Goroutine, p unsafe.Pointer, capacity int) {
	if e.hybrid != nil {
		e.hybrid.sent(p, g, capacity)
	}
}

func (e *engine) received(g *Goroutine, p unsafe.Pointer, ok bool) {
	if e.hybrid == nil {
		return
	}
	if ok {
		e.hybrid.received(p, g)
	} else {
		e.hybrid.receive(p, g) // of the close
	}
}
