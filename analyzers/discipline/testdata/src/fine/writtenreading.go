package fine

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

// Report fills in a copy.
func (o *Odometer) Report() odometerReport {
	o.mu.RLock()
	defer o.mu.RUnlock()
	r := o.report
	r.total = o.metres
	if o.trips > 0 {
		r.mean = o.metres / o.trips
	}
	return r
}

// A Tripmeter takes the lock for writing.
type Tripmeter struct {
	mu     sync.RWMutex
	metres uint64
	report odometerReport
}

// Drive counts.
func (t *Tripmeter) Drive(metres uint64) {
	t.mu.Lock()
	t.metres += metres
	t.mu.Unlock()
}

// Report fills in what it returns.
func (t *Tripmeter) Report() odometerReport {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.report.total = t.metres
	return t.report
}
