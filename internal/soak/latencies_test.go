//go:build unix

package main

import (
	"testing"
	"time"
)

// Quantiles are right to half a bracket, over the whole range.
func TestQuantiles(t *testing.T) {
	for _, unit := range []time.Duration{10 * time.Microsecond, time.Millisecond, 100 * time.Millisecond} {
		var all, part latencies
		for i := 1; i <= 1000; i++ {
			part.add(time.Duration(i) * unit)
			if i%100 == 0 {
				all.merge(&part)
				part.reset()
			}
		}
		for q, want := range map[float64]time.Duration{0.001: unit, 0.5: 500 * unit, 0.99: 990 * unit, 1: 1000 * unit} {
			got := all.quantile(q)
			if off := float64(got)/float64(want) - 1; off < -0.06 || off > 0.06 {
				t.Errorf("quantile %v of 1 to 1000 times %v is %v, want %v", q, unit, got, want)
			}
		}
	}
	if got := new(latencies).quantile(0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
