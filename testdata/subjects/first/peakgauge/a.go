package peakgauge

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

type HighWater struct {
	peak atomic.Int64
	at   atomic.Int64
}

type Monitor struct {
	heap     HighWater
	requests HighWater
	inflight atomic.Int64
	interval time.Duration
}

func NewMonitor(ctx context.Context, interval time.Duration) *Monitor {
	m := &Monitor{interval: interval}
	go m.sample(ctx)
	return m
}

func (h *HighWater) Record(v int64) {
	if cur := h.peak.Load(); v > cur {
		h.peak.Store(v)
	}
}

func (m *Monitor) sample(ctx context.Context) {
	t := time.NewTicker(m.interval)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			var ms runtime.MemStats
			runtime.ReadMemStats(&ms)
			m.heap.Record(int64(ms.HeapInuse))
		}
	}
}

func (m *Monitor) Begin() (end func()) {
	m.requests.Record(m.inflight.Add(1))
	return func() { m.inflight.Add(-1) }
}

func (m *Monitor) String() string {
	return fmt.Sprintf("heap_peak=%d req_peak=%d", m.heap.peak.Load(), m.requests.peak.Load())
}
