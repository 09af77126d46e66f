package sched_test

import (
	"fmt"
	"math/rand"
	"sync"
	"testing"

	"github.com/atomrace/atomrace/sched"
)

// A machine is a random program: some goroutines with random operations on a few
// channels and locks. It keeps account of what is going on, so that the outcome can
// be judged without the engine.
type machine struct {
	channels [3]chan int
	locks    [2]sync.Mutex
	holder   [2]int
	pending  []pending // of each goroutine; of no kind if it does not wait
}

// pending is what a goroutine waits for.
type pending struct {
	kind              string // send, receive, select or lock; empty if nothing
	channel, other, l int
}

func newMachine(random *rand.Rand) *machine {
	m := &machine{holder: [2]int{-1, -1}}
	for i := range m.channels {
		m.channels[i] = make(chan int, random.Intn(3))
	}
	return m
}

// step does one random operation as goroutine id.
func (m *machine) step(id int, random *rand.Rand) {
	c, d, l := random.Intn(3), random.Intn(3), random.Intn(2)
	now := func(kind string) { m.pending[id] = pending{kind, c, d, l} }
	switch random.Intn(6) {
	case 0:
		now("send")
		sched.Send(m.channels[c], id)
	case 1, 2:
		now("receive")
		v, ok := sched.ReceiveOK(m.channels[c])
		assert(ok && v < len(m.pending), "%d, %v: never sent", v, ok)
	case 3:
		now("select")
		i := sched.Select(true, sched.SendCase(m.channels[c], id), sched.ReceiveCase(m.channels[d], nil, nil))
		assert(i == 0 || i == 1, "case %d", i)
	case 4:
		now("lock")
		sched.MutexLock(&m.locks[l])
		assert(m.holder[l] < 0, "lock %d is held by %d", l, m.holder[l])
		m.holder[l] = id
		now("")
		if random.Intn(8) > 0 { // otherwise it is forgotten
			sched.Yield()
			m.holder[l] = -1
			sched.MutexUnlock(&m.locks[l])
		}
	case 5:
		sched.Select(false, sched.SendCase(m.channels[c], id), sched.ReceiveCase(m.channels[d], nil, nil))
	}
	now("")
}

// canGoOn says why a goroutine that waits could go on, which a deadlock excludes.
func (m *machine) canGoOn(id int) string {
	p := m.pending[id]
	receives := func(c int) string {
		if len(m.channels[c]) > 0 {
			return fmt.Sprintf("channel %d holds a value", c)
		}
		for other, q := range m.pending {
			if other != id && (q.kind == "send" || q.kind == "select") && q.channel == c {
				return fmt.Sprintf("goroutine %d sends to channel %d", other, c)
			}
		}
		return ""
	}
	sends := func(c int) string {
		if len(m.channels[c]) < cap(m.channels[c]) {
			return fmt.Sprintf("channel %d has room", c)
		}
		for other, q := range m.pending {
			if other != id && (q.kind == "receive" && q.channel == c || q.kind == "select" && q.other == c) {
				return fmt.Sprintf("goroutine %d receives from channel %d", other, c)
			}
		}
		return ""
	}
	switch p.kind {
	case "receive":
		return receives(p.channel)
	case "send":
		return sends(p.channel)
	case "select":
		return sends(p.channel) + receives(p.other)
	case "lock":
		if m.holder[p.l] < 0 {
			return fmt.Sprintf("lock %d is free", p.l)
		}
	}
	return ""
}

// A deadlock is told only where there is one, and a program whose goroutines all can
// go to their ends does.
func TestRandomPrograms(t *testing.T) {
	outcomes := make(map[sched.Outcome]int)
	for program := range randomPrograms {
		for _, o := range strategies {
			o.Seed = uint64(program)
			var m *machine
			goroutines := 2 + program%4
			r := run(t, o, func() {
				random := rand.New(rand.NewSource(int64(program)))
				m = newMachine(random)
				m.pending = make([]pending, goroutines)
				var all sync.WaitGroup
				for id := range goroutines {
					own := rand.New(rand.NewSource(random.Int63()))
					sched.WaitGroupGo(&all, func() {
						for range 1 + program%6 {
							m.step(id, own)
						}
					})
				}
				sched.WaitGroupWait(&all)
			})
			outcomes[r.Outcome]++
			waiting := 0
			for id, p := range m.pending {
				if p.kind != "" {
					waiting++
				}
				if why := m.canGoOn(id); why != "" {
					t.Errorf("%v: %s, though goroutine %d waits for %+v and %s", o, r.Outcome, id, p, why)
				}
			}
			if r.Outcome != sched.OutcomeDone && r.Outcome != sched.OutcomeDeadlock || r.Uncontrolled != "" {
				t.Errorf("%v: %s %s %s", o, r.Outcome, r.Message, r.Uncontrolled)
			}
			if (r.Outcome == sched.OutcomeDeadlock) != (waiting > 0) {
				t.Errorf("%v: %s with %d goroutines waiting", o, r.Outcome, waiting)
			}
			if r.Outcome == sched.OutcomeDeadlock && len(r.Waiting) != waiting+1 { // and the main goroutine
				t.Errorf("%v: %d of %d are named in the report", o, len(r.Waiting), waiting+1)
			}
			if t.Failed() {
				return
			}
		}
	}
	t.Log(outcomes)
	if outcomes[sched.OutcomeDone] == 0 || outcomes[sched.OutcomeDeadlock] == 0 {
		t.Error("one of the two never came")
	}
}
