package broken

import "sync"

type sink struct{ n int }

func (s *sink) flush() int { return s.n }

// Volume has a journal that Close takes away under the lock, and nobody tests under it.
type Volume struct {
	journalLock sync.Mutex
	journal     *sink
}

func (v *Volume) Sync() int {
	if v.journal != nil { // want `another goroutine can change v.journal after it was tested and before it is used: v.journalLock is taken only afterwards`
		v.journalLock.Lock()
		defer v.journalLock.Unlock()
		return v.journal.flush()
	}
	return 0
}

func (v *Volume) Close() {
	if v.journal != nil {
		v.journalLock.Lock()
		v.journal.flush()
		v.journal = nil
		v.journalLock.Unlock()
	}
}

func (v *Volume) Size() int {
	if v.journal == nil {
		return 0
	}
	return 1
}
