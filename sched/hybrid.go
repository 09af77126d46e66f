package sched

import (
	"sort"
	"unsafe"
)

// hybrid is phase 1 of papers/000, section 2.2: two accesses of one run are a
// candidate pair if they are of the same memory by different goroutines, one of
// them writes, they have no lock in common, and neither happened before the other.
//
// What happened before what follows from messages alone, not from locks: the go
// statement, values of channels and closes, WaitGroup, Cond, Once, AfterFunc. So
// pairs are found that did not race in this run but may in another; and pairs that
// never do (Figure 1), which phase 2 is there to tell. Operations on atomics are
// no messages either, for the same reason.
type hybrid struct {
	memory   map[unsafe.Pointer][]memoryEvent // by words of 8 bytes; the pointers keep the memory from being used again
	messages map[unsafe.Pointer]*clock
	queues   map[unsafe.Pointer]*messageQueue
	pairs    map[Pair]int // index in list
	list     []Candidate
	had      []map[unsafe.Pointer]bool // locks that each goroutine has had, by ID

	intruders []*intruder // those who may break sections, in the order in which they came
	at        map[*Location]*intruder
	begun     map[*Section][]string // where goroutines are on their way into each
}

// A memoryEvent is MEM of the paper: an access of a word. Of equal ones by the same
// goroutine only the last is kept: what is concurrent with an earlier one and comes
// later is concurrent with the last one, too.
type memoryEvent struct {
	g     int
	at    uint32 // the part of its life
	loc   *Location
	write bool
	bytes uint8 // of the word
	locks []heldLock
}

// A heldLock is a lock that a goroutine has. Two readers of one lock do not keep
// each other out.
type heldLock struct {
	object unsafe.Pointer
	write  bool
	chain  string // of calls by which it was taken
}

// A messageQueue holds the clocks that travel with the values of a buffered channel,
// and back with the room that a receive makes.
type messageQueue struct {
	values, room []clock
	sends        int
}

// wordsKept bounds what one access of a large variable costs: its first 4 KB count.
const wordsKept = 512

// accessesKept bounds what is known of one word.
const accessesKept = 64

func newHybrid() *hybrid {
	return &hybrid{
		memory: make(map[unsafe.Pointer][]memoryEvent), messages: make(map[unsafe.Pointer]*clock),
		queues: make(map[unsafe.Pointer]*messageQueue), pairs: make(map[Pair]int), at: make(map[*Location]*intruder),
		begun: make(map[*Section][]string),
	}
}

// send leaves the clock of g at the object, for all who receive from it later.
func (h *hybrid) send(object unsafe.Pointer, g *Goroutine) {
	m := h.messages[object]
	if m == nil {
		m = new(clock)
		h.messages[object] = m
	}
	m.join(g.sent())
}

// receive is the other end of send.
func (h *hybrid) receive(object unsafe.Pointer, g *Goroutine) {
	if m := h.messages[object]; m != nil {
		g.clock.join(*m)
	}
}

// handed is a rendezvous of g, nobody if nil, with one who waited. At an unbuffered
// channel what came before it on either side happened before what follows on the
// other; the value of a buffered one went through its buffer, as it were.
func (h *hybrid) handed(g *Goroutine, op channelOperation, w *waiter) {
	switch {
	case op.capacity() > 0 && op.sends():
		h.sent(op.channel(), g, op.capacity())
		h.received(op.channel(), w.g)
	case op.capacity() > 0:
		h.sent(op.channel(), w.g, op.capacity())
		h.received(op.channel(), g)
	case g != nil:
		one, two := g.sent(), w.g.sent()
		g.clock.join(two)
		w.g.clock.join(one)
	}
}

// sent is a value put into a buffered channel, by nobody if g is nil: a timer. The
// n-th receive happens before the send n+capacity is done.
func (h *hybrid) sent(object unsafe.Pointer, g *Goroutine, capacity int) {
	q := h.queue(object)
	var c clock
	if g != nil {
		c = g.sent()
	}
	q.values = append(q.values, c)
	q.sends++
	if q.sends > capacity && len(q.room) > 0 {
		if g != nil {
			g.clock.join(q.room[0])
		}
		q.room = q.room[1:]
	}
}

// received is a value taken out of it.
func (h *hybrid) received(object unsafe.Pointer, g *Goroutine) {
	q := h.queue(object)
	if len(q.values) > 0 {
		g.clock.join(q.values[0])
		q.values = q.values[1:]
	}
	q.room = append(q.room, g.sent())
}

func (h *hybrid) queue(object unsafe.Pointer) *messageQueue {
	q := h.queues[object]
	if q == nil {
		q = new(messageQueue)
		h.queues[object] = q
	}
	return q
}

// access compares the access with all others of the same memory.
func (h *hybrid) access(g *Goroutine, op *Operation) {
	if g.clock.at(g.ID) == 0 {
		g.clock.tick(g.ID)
	}
	begin := int(uintptr(op.Object) & 7)
	word := unsafe.Add(op.Object, -begin)
	end := begin + int(op.Size) // of what is accessed, from the beginning of the word
	for n := 0; end > 0 && n < wordsKept; n++ {
		if n > 0 {
			word, begin = unsafe.Add(word, 8), 0
		}
		bytes := uint8(0xff) << begin
		if end < 8 {
			bytes &= 1<<end - 1
		}
		h.accessWord(g, op, word, bytes)
		end -= 8
	}
}

func (h *hybrid) accessWord(g *Goroutine, op *Operation, word unsafe.Pointer, bytes uint8) {
	events := h.memory[word]
	now := memoryEvent{g.ID, g.clock.at(g.ID), op.Location, op.Write, bytes, g.held}
	known := -1
	for i := range events {
		e := &events[i]
		if e.g == g.ID {
			if e.equal(&now) {
				known = i
			}
			continue
		}
		if e.bytes&bytes != 0 && (e.write || op.Write) && g.clock.at(e.g) < e.at && !excluded(e.locks, g.held) {
			h.found(pairOf(e.loc, e.write, op.Location, op.Write), h.delay(e.locks, g.ID), h.delay(g.held, e.g))
		}
	}
	if known >= 0 {
		events[known].at = now.at
		return
	}
	now.locks = append([]heldLock(nil), g.held...)
	if len(events) == accessesKept {
		copy(events, events[1:])
		events = events[:len(events)-1]
	}
	h.memory[word] = append(events, now)
}

// equal says whether two events differ in their time alone.
func (e *memoryEvent) equal(f *memoryEvent) bool {
	if e.loc != f.loc || e.write != f.write || e.bytes != f.bytes || len(e.locks) != len(f.locks) {
		return false
	}
	for i := range e.locks {
		if e.locks[i] != f.locks[i] {
			return false
		}
	}
	return true
}

// excluded says whether a lock in common keeps the two apart.
func excluded(a, b []heldLock) bool {
	for _, x := range a {
		for _, y := range b {
			if x.object == y.object && (x.write || y.write) {
				return true
			}
		}
	}
	return false
}

// release takes a lock out of what g has.
func release(g *Goroutine, object unsafe.Pointer, write bool) {
	if g == nil {
		return
	}
	for i := len(g.held) - 1; i >= 0; i-- {
		if g.held[i].object == object && g.held[i].write == write {
			g.held = append(g.held[:i:i], g.held[i+1:]...)
			return
		}
	}
}

// acquired says that g has taken a lock, at g.chain.
func (h *hybrid) acquired(g *Goroutine, object unsafe.Pointer, write bool) {
	g.held = append(g.held, heldLock{object, write, g.chain})
	for len(h.had) <= g.ID {
		h.had = append(h.had, nil)
	}
	if h.had[g.ID] == nil {
		h.had[g.ID] = make(map[unsafe.Pointer]bool)
	}
	h.had[g.ID][object] = true
}

// delay returns by which calls the first of the locks was taken that the goroutine has had,
// too.
func (h *hybrid) delay(locks []heldLock, id int) string {
	for _, l := range locks {
		if id < len(h.had) && h.had[id][l.object] {
			return l.chain
		}
	}
	return ""
}

// found keeps a pair. If it was found before without a delay, it may have one now.
func (h *hybrid) found(p Pair, delays ...string) {
	i, known := h.pairs[p]
	if !known {
		i = len(h.list)
		h.pairs[p] = i
		h.list = append(h.list, Candidate{Pair: p})
	}
	for _, d := range delays {
		if h.list[i].Delay == "" {
			h.list[i].Delay = d
		}
	}
}

// candidates returns the pairs in the order of their locations.
func (h *hybrid) candidates() []Candidate {
	sort.SliceStable(h.list, func(i, j int) bool {
		a, b := h.list[i], h.list[j]
		return a.First.less(b.First) || a.First == b.First && a.Second.less(b.Second)
	})
	return h.list
}

// pairOf orders two accesses.
func pairOf(a *Location, aWrites bool, b *Location, bWrites bool) Pair {
	first, second := Side{Location: a.String(), ID: a.ID, Write: aWrites}, Side{Location: b.String(), ID: b.ID, Write: bWrites}
	if second.less(first) {
		first, second = second, first
	}
	return Pair{first, second, a.Variable}
}

func (s Side) less(t Side) bool {
	if s.Location != t.Location {
		return s.Location < t.Location
	}
	return !s.Write && t.Write
}
