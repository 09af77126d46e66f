package broken

import "time"

// Windvane turns with the wind.
type Windvane struct {
	degrees int
	gusts   map[int]int
	stop    chan struct{}
}

// Mount starts the goroutine.
func (v *Windvane) Mount() { go v.turn() }

func (v *Windvane) turn() {
	tick := time.NewTicker(time.Second)
	for {
		select {
		case <-v.stop:
			return
		case now := <-tick.C:
			v.degrees = now.Second() * 6 // want `v.degrees is written here, turn by turn, by a goroutine of the object's own, and \(\*Windvane\).Degrees reads it at the same time`
			v.note(now)
		}
	}
}

func (v *Windvane) note(now time.Time) {
	v.gusts[now.Hour()] = v.degrees // want `v.gusts\[now.Hour\(\)\] is written here, turn by turn, by a goroutine of the object's own, and \(\*Windvane\).Gusts reads it`
}

// Degrees is where it points to.
func (v *Windvane) Degrees() int { return v.degrees }

// Gusts are those of an hour.
func (v *Windvane) Gusts(hour int) int { return v.gusts[hour] }

// Sundial shows the hour.
type Sundial struct {
	hour int
}

// NewSundial makes one that goes on for ever.
func NewSundial() *Sundial {
	d := &Sundial{}
	go func() {
		for {
			d.hour = time.Now().Hour() // want `d.hour is written here, turn by turn, by a goroutine of the object's own, and \(\*Sundial\).Hour reads it`
			time.Sleep(time.Minute)
		}
	}()
	return d
}

// Hour is what it shows.
func (d *Sundial) Hour() int { return d.hour }
