package turns

import "sync/atomic"

type seat struct {
	index int
	out   chan string
}

// A Table deals to its seats in turn.
type Table struct {
	seats []*seat
	turn  atomic.Int64
	next  func() string
}

func (t *Table) Play() {
	for i := 0; i < len(t.seats); i++ {
		go t.sit(t.seats[i])
	}
}

func (t *Table) sit(s *seat) {
	for {
		t.deal(s)
	}
}

func (t *Table) deal(s *seat) {
	if int(t.turn.Load())%len(t.seats) != s.index {
		return
	}
	s.out <- t.next()
	t.turn.Add(1)
}

func NewTable(n int, next func() string) *Table {
	t := &Table{next: next}
	for i := range n {
		t.seats = append(t.seats, &seat{index: i, out: make(chan string)})
	}
	return t
}
