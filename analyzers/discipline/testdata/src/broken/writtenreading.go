package broken

import "sync"

type odometerReport struct{ total, mean uint64 }

// An Odometer is asked by several, and driven by one.
type Odometer struct {
	mu     sync.RWMutex
	metres uint64
	trips  uint64
	report odometerReport
}

// Drive counts a trip.
func (o *Odometer) Drive(metres uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.metres += metres
	o.trips++
}

// Report fills in what it returns, under the lock for readers.
func (o *Odometer) Report() odometerReport {
	o.mu.RLock()
	defer o.mu.RUnlock()
	o.report.total = o.metres // want `o.report.total is written here with o.mu held for reading only: those who call \(\*Odometer\).Report at the same time write it at the same time`
	if o.trips > 0 {
		o.report.mean = o.metres / o.trips
	}
	return o.report
}
