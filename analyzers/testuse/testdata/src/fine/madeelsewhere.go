package fine

import "gauges"

// Headlamp has a switch that another package has made of an integer.
type Headlamp struct {
	dark gauges.Switch
	lamp chan struct{}
}

func (t *Headlamp) Darken() {
	if t.dark.Turn(false, true) {
		close(t.lamp)
	}
}

// Report reads two switches of two headlamps.
func (t *Headlamp) Report(other *Headlamp) int {
	n := 0
	if t.dark.On() {
		n++
	}
	if !other.dark.On() {
		other.dark.Set(t.dark.On())
	}
	return n
}

func (t *Headlamp) Run() { go t.Darken() }
