package broken

import "sync"

// Tides keeps the last few levels of the water.
type Tides struct {
	mu     sync.RWMutex
	levels []float64
}

func (t *Tides) Levels() []float64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	list := make([]float64, len(t.levels))
	copy(list, t.levels)
	return list
}

func (t *Tides) Add(level float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.levels = append(t.levels, level)
	if len(t.levels) > 10 {
		t.levels = append([]float64(nil), t.levels[5:]...)
	}
}

// Highest goes over the copy and looks into the other one.
func (t *Tides) Highest() (high float64) {
	for i := range t.Levels() {
		high = max(high, t.levels[i]) // want `t.levels is read here without t.mu, which all functions hold that write it`
	}
	return high
}

// Ebbs asks the copy for its length, and the slice for what stands there.
type Ebbs struct {
	mu     sync.Mutex
	levels []float64
}

func (e *Ebbs) Levels() []float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]float64(nil), e.levels...)
}

func (e *Ebbs) Add(level float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.levels = append(e.levels[1:], level)
}

func (e *Ebbs) Last() float64 {
	list := e.Levels()
	n := len(list)
	if n == 0 {
		return 0
	}
	return e.levels[n-1] // want `e.levels\[n - 1\] is read here without the lock under which e.Levels has made the copy`
}
