package fine

import "sync"

// Tides looks into the copy alone.
type Tides struct {
	mu     sync.RWMutex
	levels []float64
	names  []float64 // made once, as long as levels will ever be
}

func NewTides(names []float64) *Tides { return &Tides{names: names} }

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
}

func (t *Tides) Last() float64 {
	list := t.Levels()
	n := len(list)
	if n == 0 {
		return 0
	}
	return list[n-1]
}

// Named looks into a slice that nobody changes.
func (t *Tides) Named() (sum float64) {
	list := t.Levels()
	for i := range list {
		sum += list[i] * t.names[i]
	}
	return sum
}

// Again takes the lock, and looks how many there are now.
func (t *Tides) Again() float64 {
	n := len(t.Levels())
	t.mu.RLock()
	defer t.mu.RUnlock()
	if n == 0 || n > len(t.levels) {
		return 0
	}
	return t.levels[n-1]
}
