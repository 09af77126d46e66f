// Package gauges has atomics of its own.
package gauges

import "sync/atomic"

// Switch is on or off.
type Switch int32

func (s *Switch) Set(on bool) {
	if on {
		atomic.StoreInt32((*int32)(s), 1)
	} else {
		atomic.StoreInt32((*int32)(s), 0)
	}
}

func (s *Switch) On() bool { return atomic.LoadInt32((*int32)(s)) == 1 }

// Turn changes old into on, and says whether it was old.
func (s *Switch) Turn(old, on bool) bool {
	number := func(b bool) int32 {
		if b {
			return 1
		}
		return 0
	}
	return atomic.CompareAndSwapInt32((*int32)(s), number(old), number(on))
}
