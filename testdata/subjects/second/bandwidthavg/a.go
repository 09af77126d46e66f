package bandwidthavg

import (
	"math"
	"sync/atomic"
	"time"
)

type Meter struct {
	rate   atomic.Uint64
	alpha  float64
	window time.Duration
}

type Option func(*Meter)

func Alpha(a float64) Option { return func(m *Meter) { m.alpha = a } }

func NewMeter(window time.Duration, opts ...Option) *Meter {
	m := &Meter{alpha: 0.1, window: window}
	for _, o := range opts {
		o(m)
	}
	return m
}

func (m *Meter) Update(bytes int) float64 {
	inst := float64(bytes) / m.window.Seconds()
	for {
		old := m.rate.Load()
		cur := math.Float64frombits(old)
		next := cur + m.alpha*(inst-cur)
		if m.rate.CompareAndSwap(old, math.Float64bits(next)) {
			return next
		}
	}
}

func (m *Meter) Rate() float64 {
	return math.Float64frombits(m.rate.Load())
}
