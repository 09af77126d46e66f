// Atomics keeps running statistics of measurements from several goroutines
// without a lock: count and sum by Add, minimum and maximum by CompareAndSwap
// loops, the last few samples in a lock-free list. All are checked against a
// sequential computation.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	sensors  = 5
	readings = 40
)

type sample struct {
	value int64
	next  *sample // never changes once the sample is on the list
}

type statistics struct {
	count, sum, min, max atomic.Int64
	samples              atomic.Pointer[sample]
	largest              int32 // number of the highest sensor seen; atomic functions only
}

func (s *statistics) record(sensor int32, value int64) {
	s.count.Add(1)
	s.sum.Add(value)
	for {
		old := s.min.Load()
		if value >= old || s.min.CompareAndSwap(old, value) {
			break
		}
	}
	for old := s.max.Load(); value > old; old = s.max.Load() {
		if s.max.CompareAndSwap(old, value) {
			break
		}
	}
	fresh := &sample{value: value}
	for {
		fresh.next = s.samples.Load()
		if s.samples.CompareAndSwap(fresh.next, fresh) {
			break
		}
	}
	for {
		seen := atomic.LoadInt32(&s.largest)
		if sensor <= seen || atomic.CompareAndSwapInt32(&s.largest, seen, sensor) {
			return
		}
	}
}

// reading is what the sensor measures the nth time.
func reading(sensor, n int) int64 {
	return int64((sensor*readings+n)*7919%10007 - 5000)
}

func main() {
	s := new(statistics)
	s.min.Store(reading(0, 0))
	s.max.Store(reading(0, 0))
	var running sync.WaitGroup
	start := make(chan struct{})
	for sensor := range sensors {
		running.Go(func() {
			<-start
			for n := range readings {
				s.record(int32(sensor), reading(sensor, n))
			}
		})
	}
	close(start)
	running.Wait()

	lowest, highest, sum := reading(0, 0), reading(0, 0), int64(0)
	for sensor := range sensors {
		for n := range readings {
			lowest = min(lowest, reading(sensor, n))
			highest = max(highest, reading(sensor, n))
			sum += reading(sensor, n)
		}
	}
	listed, listSum := 0, int64(0)
	for x := s.samples.Load(); x != nil; x = x.next {
		listed++
		listSum += x.value
	}
	const count = sensors * readings
	right := s.count.Load() == count && s.sum.Load() == sum && s.min.Load() == lowest && s.max.Load() == highest &&
		listed == count && listSum == sum && s.largest == sensors-1
	if !right {
		fmt.Printf("WRONG: count %d, sum %d, %d to %d, %d listed; expected %d, %d, %d to %d\n",
			s.count.Load(), s.sum.Load(), s.min.Load(), s.max.Load(), listed, count, sum, lowest, highest)
		os.Exit(1)
	}
	fmt.Printf("ok: %d readings from %d to %d\n", count, lowest, highest)
}
