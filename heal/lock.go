//go:build !atomrace_off

package heal

import (
	"sync"
	"time"
)

// healingLock is the lock of papers/001 section 5 for one instance: recursive,
// owned by a goroutine, every wait bounded. It exists while it is held or
// waited for. Its fields are protected by the guard of its bucket, except
// count, which is the owner's own.
type healingLock struct {
	next  *healingLock
	inst  instance
	owner G
	count int
	turns uint64  // how often it was given to a new owner
	lost  uint64  // the turn in which somebody waited in vain: nobody waits for that owner again
	queue *waiter // first come, first served once the first has waited long
	last  *waiter // of the queue
	came  int     // how many have ever joined the queue
	size  int     // of the queue

	// section is one of those for which the owner keeps it, nil if it is an access
	// or a Hold. Only the owner writes it.
	section *Section

	fast bool // made by somebody else for an owner who is in a fast section

	// order is locked by the owner, without contention, for the sake of its
	// happens-before edge: the race detector and the memory model see it.
	order sync.Mutex
}

type waiter struct {
	next     *waiter
	prev     *waiter
	other    *waiter // in the wait-for graph
	g        G
	lock     *healingLock
	starving bool // has waited long: nobody may overtake it any more
	lost     bool // somebody has waited in vain for the owner of the moment
	ticket   int  // how many have joined the queue before it
}

// acquire takes the healing lock of in for goroutine g, waiting for at most
// the bound. If it is not granted, there is no h, and the fallback says why. It blocks by polling: a channel or timer could
// not cross the border of a synctest bubble.
//
//go:norace
func acquire(in *instance, g G, bound time.Duration) (h *healingLock, f fallback) {
	h, w, holder := request(in, g)
	if h == nil {
		return nil, fallback{why: abandoned, holder: holder}
	}
	if w == nil {
		return h, fallback{}
	}
	keptOut(holder)
	f.holder = holder
	start := time.Now()
	if w.enlist() {
		w.withdraw()
		if given, _, _ := h.grant(w, true, true, cyclic); !given {
			f.why = cyclic
		}
	} else {
		f.why = w.wait(h, bound)
	}
	f.took = time.Since(start)
	delayed(holder, f.took)
	if f.why != granted {
		return nil, f
	}
	waited(holder, f.took)
	h.order.Lock()
	return h, f
}

// request takes the lock if it is free or owned by g, and else queues up; it
// tells for which section the lock is held. It returns no lock if somebody has
// waited for its present owner in vain.
//
//go:norace
func request(in *instance, g G) (h *healingLock, w *waiter, holder *Section) {
	b, gd := place(in.addr)
	quiet()
	gd.Lock()
	if h = b.lock(in); h == nil {
		h = b.newLock(gd, in)
	}
	if h.owner == 0 {
		b.revealFast(gd, h, in)
	}
	mine := h.owner == g
	switch {
	case mine:
		h.count++
	case h.owner == 0 && (h.queue == nil || !h.queue.starving):
		h.owner, h.count = g, 1
		h.turns++
	case h.owner != 0 && h.lost == h.turns:
		holder, h = h.section, nil
	default:
		holder = h.section
		w = &waiter{g: g, lock: h, ticket: h.came}
		h.join(w)
	}
	gd.Unlock()
	loud()
	if h != nil && w == nil && !mine {
		h.order.Lock()
	}
	return h, w, holder
}

// join puts w at the end of the queue. The guard must be held.
//
//go:norace
func (h *healingLock) join(w *waiter) {
	h.came++
	h.size++
	w.prev = h.last
	if h.last == nil {
		h.queue = w
	} else {
		h.last.next = w
	}
	h.last = w
}

// quit takes w out of the queue. The guard must be held.
//
//go:norace
func (h *healingLock) quit(w *waiter) {
	h.size--
	if w.prev == nil {
		h.queue = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		h.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.next, w.prev = nil, nil
}

// newLock enters a healing lock of in, which has none. The guard must be held.
//
//go:norace
func (b *bucket) newLock(gd *guard, in *instance) *healingLock {
	h := gd.locks
	if h == nil {
		h = &healingLock{turns: 1}
	} else {
		gd.locks = h.next
	}
	h.inst = *in
	b.enter(gd, nil, h)
	b.close()
	return h
}

// lock finds the healing lock of in, or nil. The guard must be held.
//
//go:norace
func (b *bucket) lock(in *instance) *healingLock {
	for h := b.locks(); h != nil; h = h.next {
		if h.inst.is(in) {
			return h
		}
	}
	return nil
}

// again lets the owner hold h once more.
//
//go:norace
func (h *healingLock) again() { h.count++ }

// wait polls until w is granted h or its patience is at an end. A turn is one
// owner's: what the bound guards against is a deadlock, in which the lock stays
// where it is, and a queue that moves is none, however long. Who stands far back in the
// queue leaves it to those near its head to find that out, who look often: an owner that
// thousands keep from running is no deadlock.
//
//go:norace
func (w *waiter) wait(h *healingLock, bound time.Duration) refusal {
	defer w.withdraw()
	p := patience{bound: bound, shared: true}
	for {
		given, turns, ahead := h.grant(w, p.slept > starvation, false, granted)
		if given {
			return granted
		}
		why := timedOut
		if bound == 0 {
			why = hurried
		}
		switch {
		case w.lost && ahead > longQueue:
			why = abandoned
		case !p.again(turns, ahead):
		case !settings().suspended:
			continue
		default:
			why = called
		}
		w.withdraw()
		if given, _, _ = h.grant(w, true, true, why); given {
			return granted
		}
		return why
	}
}

// starvation is the sleep after which a waiter is not overtaken any more.
const starvation = 500 * time.Microsecond

// grant gives h to w if h is free and nobody before w starves, and tells how
// often h was given away so far, and how many may be ahead of w. With last, w
// goes away if it is not granted, for the reason why.
//
//go:norace
func (h *healingLock) grant(w *waiter, starving, last bool, why refusal) (granted bool, turns uint64, ahead int) {
	_, gd := place(h.inst.addr)
	quiet()
	gd.Lock()
	ahead = min(w.ticket-h.queue.ticket, h.size-1) // less those who went from between
	w.starving = starving
	if h.owner == 0 && (h.queue == w || !h.queue.starving) {
		h.owner, h.count, granted = w.g, 1, true
		h.turns++
	}
	turns = h.turns
	if !granted && why == timedOut && ahead <= longQueue {
		h.lost = turns
	}
	w.lost = h.owner != 0 && h.lost == turns
	if granted || last {
		h.quit(w)
		h.retire(gd)
	}
	gd.Unlock()
	loud()
	return granted, turns, ahead
}

// release gives up one count of h, which g owns.
//
//go:norace
func (h *healingLock) release(g G) {
	if h.owner != g {
		return
	}
	if h.count > 1 {
		h.count--
		return
	}
	h.order.Unlock()
	_, gd := place(h.inst.addr)
	quiet()
	gd.Lock()
	h.owner, h.count, h.section = 0, 0, nil
	h.retire(gd)
	gd.Unlock()
	loud()
}

// retire takes h out of the table when nobody holds it or waits for it.
//
//go:norace
func (h *healingLock) retire(gd *guard) {
	if h.owner != 0 || h.queue != nil {
		return
	}
	b, _ := place(h.inst.addr)
	b.remove(gd, nil, h)
	b.open()
	h.inst, h.turns, h.lost, h.fast = instance{}, 1, 0, false
	h.came = 0
	h.next, gd.locks = gd.locks, h
}
