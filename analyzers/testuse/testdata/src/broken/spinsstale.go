package broken

import (
	"math"
	"sync/atomic"
)

// WaterGauge is how high the water has been.
type WaterGauge struct {
	high atomic.Int64
	low  uint64
	mask atomic.Uint32
}

func (t *WaterGauge) Rise(n int64) {
	high := t.high.Load() // want `if another goroutine changes t.high after it is loaded here, the swap fails in each turn of the loop, which goes on for ever: nothing loads it again`
	for n > high {
		if t.high.CompareAndSwap(high, n) {
			break
		}
	}
}

func loadGauge(addr *uint64) float64 { return math.Float64frombits(atomic.LoadUint64(addr)) }

func (t *WaterGauge) Fall(n float64) {
	low := loadGauge(&t.low) // want `if another goroutine changes t.low after it is loaded here, the swap fails in each turn`
	for {
		if low <= n {
			return
		}
		if atomic.CompareAndSwapUint64(&t.low, math.Float64bits(low), math.Float64bits(n)) {
			return
		}
	}
}

func (t *WaterGauge) Mark(bit uint32) {
	mask := t.mask.Load() // want `if another goroutine changes t.mask after it is loaded here`
	for !t.mask.CompareAndSwap(mask, mask|bit) {
	}
}

// LeastOf is told by address.
func LeastOf(addr *int64, v int64) {
	least := atomic.LoadInt64(addr) // want `if another goroutine changes addr after it is loaded here`
	for v < least {
		if atomic.CompareAndSwapInt64(addr, least, v) {
			break
		}
	}
}
