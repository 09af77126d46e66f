package fine

import "sync/atomic"

// WaterGauge is how high the water has been.
type WaterGauge struct {
	high  atomic.Int64
	mask  atomic.Uint32
	state atomic.Int32
	parts [8]atomic.Int64
}

// Each turn loads it again, here or there.
func (t *WaterGauge) Rise(n int64) {
	high := t.high.Load()
	for n > high {
		if t.high.CompareAndSwap(high, n) {
			break
		}
		high = t.high.Load()
	}
}

func (t *WaterGauge) Mark(bit uint32) {
	for mask := t.mask.Load(); !t.mask.CompareAndSwap(mask, mask|bit); mask = t.mask.Load() {
	}
}

func (t *WaterGauge) Unmark(bit uint32) {
	for {
		mask := t.mask.Load()
		if t.mask.CompareAndSwap(mask, mask&^bit) {
			return
		}
	}
}

// It is awaited to be free.
func (t *WaterGauge) Lock() {
	for !t.state.CompareAndSwap(0, 1) {
	}
}

// One try for each.
func (t *WaterGauge) Each(n int64) {
	first := t.parts[0].Load()
	for i := range t.parts {
		if t.parts[i].CompareAndSwap(first, n) {
			break
		}
	}
}

// It gives up.
func (t *WaterGauge) Once(n int64) bool {
	high := t.high.Load()
	for n > high {
		if !t.high.CompareAndSwap(high, n) {
			return false
		}
		n++
	}
	return true
}
