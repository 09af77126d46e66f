//go:build unix

package main

import (
	"math"
	"time"
)

// latencies is a histogram whose brackets are 1 % apart, from 1 µs to more than a
// minute. It is for one goroutine.
type latencies struct{ n [2048]int }

const bracket = 1.01

func (l *latencies) add(d time.Duration) {
	i := int(math.Log(float64(max(d, time.Microsecond))/float64(time.Microsecond)) / math.Log(bracket))
	l.n[min(i, len(l.n)-1)]++
}

func (l *latencies) merge(o *latencies) {
	for i := range o.n {
		l.n[i] += o.n[i]
	}
}

func (l *latencies) reset() { *l = latencies{} }

func (l *latencies) count() (n int) {
	for _, x := range l.n {
		n += x
	}
	return n
}

// quantile is the latency that the share q of the requests did not exceed, 0 if there
// were none.
func (l *latencies) quantile(q float64) time.Duration {
	left := int(math.Ceil(q * float64(l.count())))
	for i, x := range l.n {
		if left -= x; x > 0 && left <= 0 {
			return time.Duration(math.Pow(bracket, float64(i)+0.5) * float64(time.Microsecond)).Round(time.Microsecond)
		}
	}
	return 0
}
