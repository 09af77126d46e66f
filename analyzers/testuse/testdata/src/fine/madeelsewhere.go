package fine

import "gauges"

// Torch has a switch that another package has made of an integer.
type Torch struct {
	dark gauges.Switch
	lamp chan struct{}
}

func (t *Torch) Darken() {
	if t.dark.Turn(false, true) {
		close(t.lamp)
	}
}

// Report reads two switches of two torches.
func (t *Torch) Report(other *Torch) int {
	n := 0
	if t.dark.On() {
		n++
	}
	if !other.dark.On() {
		other.dark.Set(t.dark.On())
	}
	return n
}

func (t *Torch) Run() { go t.Darken() }
