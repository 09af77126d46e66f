package broken

import (
	"sync"
	"sync/atomic"
)

// SavedSeries keeps what was added; the last chunk is not yet useable for sums
// SavedSeries is concurrency-safe
type SavedSeries struct {
	sync.RWMutex
	last  uint32
	total uint64
}

func NewSavedSeries() *SavedSeries { return &SavedSeries{} }

// OnSaved returns what is called when all up to t is saved.
func (s *SavedSeries) OnSaved(t uint32) func() {
	return func() {
		last := atomic.LoadUint32(&s.last) // want `two goroutines can both pass the test of s\.last and both set it: two atomic operations are not one`
		if t > last {
			atomic.StoreUint32(&s.last, t)
		}
	}
}

func (s *SavedSeries) Add(n uint64) {
	s.Lock()
	defer s.Unlock()
	s.total += n
}
