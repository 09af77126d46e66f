package broken

import (
	"container/heap"
	"sync"
)

type trip struct{ at, tries int }

type trips []*trip

func (e trips) Len() int           { return len(e) }
func (e trips) Less(i, j int) bool { return e[i].at < e[j].at }
func (e trips) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *trips) Push(x any)        { *e = append(*e, x.(*trip)) }
func (e *trips) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// Messenger runs trips in the order of their time.
type Messenger struct {
	mu   sync.Mutex
	due  trips
	late trips
	run  func(trip) error
}

func NewMessenger(run func(trip) error) *Messenger {
	m := &Messenger{run: run}
	go m.loop()
	return m
}

func (m *Messenger) Send(e *trip) {
	m.mu.Lock()
	defer m.mu.Unlock()
	heap.Push(&m.due, e)
	heap.Push(&m.late, e)
}

func (m *Messenger) loop() {
	for {
		m.step()
		m.stepLate()
	}
}

// step calls a function that gives up the lock.
func (m *Messenger) step() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.due.Len() > 0 {
		first := m.due[0] // want `what is taken out of Messenger.due need not be first`
		if err := m.runLocked(first); err != nil {
			first.at++
			heap.Fix(&m.due, 0)
			continue
		}
		heap.Pop(&m.due)
	}
}

func (m *Messenger) runLocked(e *trip) error {
	e.tries++
	copied := *e
	m.mu.Unlock()
	defer m.mu.Lock()
	return m.run(copied)
}

// stepLate gives it up itself.
func (m *Messenger) stepLate() {
	m.mu.Lock()
	if len(m.late) == 0 {
		m.mu.Unlock()
		return
	}
	first := m.late[0] // want `what is taken out of Messenger.late need not be first`
	m.mu.Unlock()
	m.run(*first)
	m.mu.Lock()
	heap.Remove(&m.late, 0)
	m.mu.Unlock()
}
