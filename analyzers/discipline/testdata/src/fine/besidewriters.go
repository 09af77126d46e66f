package fine

import "sync"

// Band plays to all who listen, from a copy.
type Band struct {
	mu      sync.Mutex
	playing sync.Mutex
	ears    []func(string)
	title   string
}

var Saturday Band

func (b *Band) Listen(ear func(string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ears = append(b.ears, ear)
}

func (b *Band) Quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ears = nil
}

func (b *Band) Play(song string) {
	b.mu.Lock()
	ears := append([]func(string){}, b.ears...)
	b.mu.Unlock()

	b.playing.Lock()
	for _, ear := range ears {
		ear(song)
	}
	b.playing.Unlock()
}

// Title is written with both locks held, and read with either.
func (b *Band) Name(title string) {
	b.playing.Lock()
	defer b.playing.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.title = title
}

func (b *Band) Announce() string {
	b.mu.Lock()
	b.ears = nil
	b.mu.Unlock()
	b.playing.Lock()
	defer b.playing.Unlock()
	return b.title
}
