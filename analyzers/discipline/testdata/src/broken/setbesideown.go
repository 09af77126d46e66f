package broken

import "time"

// Foghorn sounds at whoever listens.
type Foghorn struct {
	ears  []func(string)
	tone  string
	every chan string
}

// NewFoghorn makes one that sounds.
func NewFoghorn() *Foghorn {
	f := &Foghorn{every: make(chan string)}
	go f.sound()
	return f
}

func (f *Foghorn) sound() {
	for range time.Tick(time.Second) {
		for _, ear := range f.ears { // want `f.ears is read here, turn by turn, by a goroutine that runs as long as the object has been there, and \(\*Foghorn\).Listen changes it at the same time: neither holds a lock`
			ear("toot")
		}
	}
}

// Listen is called whenever somebody comes.
func (f *Foghorn) Listen(ear func(string)) { f.ears = append(f.ears, ear) }
