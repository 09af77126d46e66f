package broken

import (
	"os"
	"time"
)

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

// Strongbox is opened with what a goroutine of its own reads anew; another one asks for it as well.
type Strongbox struct {
	label  string
	secret string
}

// NewStrongbox follows the changes of a file.
func NewStrongbox(changed <-chan string, asked <-chan int, out chan<- string) *Strongbox {
	b := &Strongbox{label: "box"}
	go func() {
		for name := range changed {
			text, err := os.ReadFile(name)
			if err == nil {
				b.secret = string(text) // want `b.secret is written here, turn by turn, by a goroutine of the object's own, and \(\*Strongbox\).Secret reads it at the same time: neither holds a lock`
			}
		}
	}()
	go b.answer(asked, out)
	return b
}

func (b *Strongbox) answer(asked <-chan int, out chan<- string) {
	for range asked {
		out <- b.Secret()
	}
}

func (b *Strongbox) Secret() string { return b.label + b.secret }
