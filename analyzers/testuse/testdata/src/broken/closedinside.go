package broken

import "sync"

// Mailroom sends letters by one goroutine.
type Mailroom struct {
	over    chan struct{}
	letters chan string
	parcels chan string
	notes   chan string
	cards   chan string
	wg      sync.WaitGroup
}

// Begin starts the goroutines.
func (p *Mailroom) Begin() {
	go func() {
		for {
			select {
			case <-p.over:
				p.drainLetters()
				return
			case l := <-p.letters:
				p.carry(l)
			}
		}
	}()
	go p.runParcels()
	go p.runNotes()
	go p.runCards()
}

func (p *Mailroom) carry(string) {}

func (p *Mailroom) drainLetters() {
	for n := len(p.letters); n > 0; n-- {
		p.carry(<-p.letters)
	}
	close(p.letters)
}

// Send can find both arms ready.
func (p *Mailroom) Send(l string) {
	select {
	case <-p.over:
	case p.letters <- l: // want `p.letters can be closed here: \(\*Mailroom\).drainLetters closes it once p.over is closed, and a select that finds both arms ready takes either`
	}
}

func (p *Mailroom) runParcels() {
	for {
		select {
		case _, ok := <-p.over:
			if !ok {
				p.carry("")
			}
			p.shutParcels()
			return
		case l := <-p.parcels:
			p.carry(l)
		}
	}
}

func (p *Mailroom) shutParcels() { close(p.parcels) }

// Parcel may be safe: what is called before may wait.
func (p *Mailroom) Parcel(l string) {
	select {
	case <-p.over:
	case p.parcels <- l:
	}
}

func (p *Mailroom) runNotes() {
	for {
		select {
		case l := <-p.notes:
			p.carry(l)
		case <-p.over:
			p.shutNotes()
			return
		}
	}
}

func (p *Mailroom) shutNotes() { close(p.notes) }

// Note looks at the end first, which helps nothing.
func (p *Mailroom) Note(l string) bool {
	select {
	case <-p.over:
		return false
	default:
	}
	select {
	case p.notes <- l: // want `p.notes can be closed here: \(\*Mailroom\).shutNotes closes it once p.over is closed`
		return true
	case <-p.over:
		return false
	}
}

func (p *Mailroom) runCards() {
	for {
		select {
		case l := <-p.cards:
			p.carry(l)
		case <-p.over:
			p.shutCards()
			return
		}
	}
}

func (p *Mailroom) shutCards() {
	p.wg.Wait()
	close(p.cards)
}

// Card is waited for.
func (p *Mailroom) Card(l string) {
	select {
	case p.cards <- l:
	case <-p.over:
	}
}
