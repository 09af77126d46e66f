package broken

import (
	"sync"
	"sync/atomic"
)

// Quays hands out one quayPlace for each ship.
type Quays struct {
	mu    sync.Mutex
	of    map[string]*quayPlace
	taken int
}

type quayPlace struct{ number int }

func NewQuays() *Quays { return &Quays{of: map[string]*quayPlace{}} }

// Moor looks again, and gives the lock up once more.
func (b *Quays) Moor(ship string, dredge func() *quayPlace) *quayPlace {
	b.mu.Lock()
	// Double-check that no other goroutine has moored the ship.
	if at, ok := b.of[ship]; ok { // want `two goroutines can both pass the test of b.of\[ship\] and both set it: b.mu is released in between`
		b.mu.Unlock()
		return at
	}
	b.mu.Unlock()

	at := dredge()

	b.mu.Lock()
	b.taken++
	at.number = b.taken
	b.of[ship] = at
	b.mu.Unlock()
	return at
}

// Signals gives each signal a number, by a copy of it that is its own.
type Signals struct {
	numbers sync.Map
	last    atomic.Uint64
}

type signalName struct{ group, name string }

// Number may be called by several goroutines at once.
func (s *Signals) Number(names []signalName) []uint64 {
	list := make([]uint64, len(names))
	s.number(list, names)
	return list
}

func (s *Signals) number(list []uint64, names []signalName) {
	for i, name := range names {
		v, ok := s.numbers.Load(name) // want `two goroutines can both pass the test of s.numbers\[name\] and both set it: Load and Store are two operations`
		if !ok {
			v = s.last.Add(1)
			own := cloneSignal(name)
			s.numbers.Store(own, v)
		}
		list[i] = v.(uint64)
	}
}

func cloneSignal(n signalName) signalName {
	b := append([]byte(nil), n.group...)
	group := string(b)
	b = append(b[:0], n.name...)
	return signalName{group: group, name: string(b)}
}
