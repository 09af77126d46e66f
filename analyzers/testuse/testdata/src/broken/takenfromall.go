package broken

import "sync"

type bicycle struct{ gears int }

// Stand lends bicycles, whichever comes first.
type Stand struct {
	bikes sync.Map
	used  sync.Map
}

func (s *Stand) Return(no int, b *bicycle) { s.bikes.Store(no, b) }

func (s *Stand) Lend() *bicycle {
	var b *bicycle
	s.bikes.Range(func(no, v any) bool {
		b = v.(*bicycle) // want `two goroutines can both find this entry of s.bikes before either deletes it, and both go on with it`
		s.bikes.Delete(no)
		return false
	})
	return b
}

// Pick deletes when it has found one.
func (s *Stand) Pick(gears int, to chan<- *bicycle) {
	var b *bicycle
	var key any
	for no, v := range s.used.Range {
		if v.(*bicycle).gears == gears {
			key = no
			b = v.(*bicycle) // want `two goroutines can both find this entry of s.used before either deletes it`
			break
		}
	}
	s.used.Delete(key)
	to <- b
}

func (s *Stand) Put(no int, b *bicycle) { s.used.Store(no, b) }
