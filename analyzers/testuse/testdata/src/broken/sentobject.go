package broken

import (
	"errors"
	"sync"
)

// Pigeon is sent to the loft, which lets it carry letters while its breeder still has it.
type Pigeon struct {
	mu      *sync.RWMutex
	alive   bool
	letters chan string
}

func (p *Pigeon) dead() bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return !p.alive
}

func (p *Pigeon) bury() {
	if !p.dead() { // want `two goroutines can both pass the test of p.alive \(in p.dead\) and close p.letters twice: p.mu is held for reading first and taken for writing later, without looking again`
		p.mu.Lock()
		p.alive = false
		close(p.letters)
		p.mu.Unlock()
	}
}

// Carry is for whoever has got the pigeon.
func (p *Pigeon) Carry(letter string) error {
	if p.dead() { // want `p.letters can be closed between the test of p.alive and the send on it, which then panics`
		return errors.New("the pigeon is dead")
	}
	select {
	case p.letters <- letter:
	default:
	}
	return nil
}

// Loft keeps pigeons.
type Loft struct {
	arrivals chan *Pigeon
	feed     func(*Pigeon)
}

// Breed lets a pigeon live as long as it is fed.
func (l *Loft) Breed() {
	p := &Pigeon{mu: &sync.RWMutex{}, alive: true, letters: make(chan string, 8)}
	l.arrivals <- p
	l.feed(p)
	p.bury()
}
