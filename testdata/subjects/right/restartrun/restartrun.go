// Package restartrun halts its goroutine before it changes what that uses.
package restartrun

import "sync"

// Player has one goroutine at a time.
type Player struct {
	mu     sync.Mutex // held by those who halt and start it
	offset int
	frames []int
	quit   chan struct{}
	done   chan struct{}
	out    chan int
}

// Open starts one.
func Open(frames []int) *Player {
	p := &Player{frames: frames, out: make(chan int)}
	p.start()
	return p
}

// start begins to play; p.mu is held, or p is new.
func (p *Player) start() {
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	go p.play(p.quit, p.done)
}

// play. Right: who else uses offset has p.mu and has halted this goroutine.
func (p *Player) play(quit, done chan struct{}) {
	defer close(done)
	for p.offset < len(p.frames) {
		select {
		case p.out <- p.frames[p.offset]:
			p.offset++
		case <-quit:
			return
		}
	}
}

// Seek goes elsewhere.
func (p *Player) Seek(to int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.quit)
	<-p.done
	p.offset = to
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	go p.play(p.quit, p.done)
}

// Load plays others.
func (p *Player) Load(frames []int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.quit)
	<-p.done
	p.frames, p.offset = frames, 0
	p.quit, p.done = make(chan struct{}), make(chan struct{})
	go p.play(p.quit, p.done)
}

// Position halts it for a moment.
func (p *Player) Position() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.quit)
	<-p.done
	at := p.offset
	p.start()
	return at
}
