package fine

import "time"

// Gong is set up, and started when it is.
type Gong struct {
	ears []func(string)
}

// NewGong makes one that does not sound yet.
func NewGong() *Gong { return &Gong{} }

// Hear is called before Begin.
func (g *Gong) Hear(ear func(string)) { g.ears = append(g.ears, ear) }

// Begin starts it.
func (g *Gong) Begin() { go g.sound() }

func (g *Gong) sound() {
	for range time.Tick(time.Second) {
		for _, ear := range g.ears {
			ear("gong")
		}
	}
}

// Chime has its goroutine told of what there is to do.
type Chime struct {
	tune string
	play chan struct{}
}

// NewChime makes one that waits.
func NewChime() *Chime {
	c := &Chime{play: make(chan struct{})}
	go func() {
		for range c.play {
			println(c.tune)
		}
	}()
	return c
}

// Play plays it.
func (c *Chime) Play(tune string) {
	c.tune = tune
	c.play <- struct{}{}
}

// Carillon says when its bells are chosen.
type Carillon struct {
	bells []string
	tunes chan string
}

// NewCarillon lets it play what comes.
func NewCarillon() *Carillon {
	c := &Carillon{tunes: make(chan string)}
	go func() {
		for tune := range c.tunes {
			println(tune, len(c.bells))
		}
	}()
	return c
}

// SetBells chooses the bells. Must be called before the first
// tune is played.
func (c *Carillon) SetBells(names []string) { c.bells = names }

// Sound plays a tune.
func (c *Carillon) Sound(tune string) { c.tunes <- tune }
