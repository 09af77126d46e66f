package fine

import (
	"bufio"
	"io"
	"time"
)

// Pages sends one page after the other, and has read what Err gives when there is no more.
type Pages struct {
	err   error
	count int
	out   chan string
}

// NewPages starts to read.
func NewPages(r io.Reader) *Pages {
	p := &Pages{out: make(chan string)}
	go p.read(bufio.NewReader(r))
	return p
}

func (p *Pages) read(r *bufio.Reader) {
	defer close(p.out)
	for {
		s, err := r.ReadString('\f')
		if err != nil {
			p.err = err
			return
		}
		p.count++
		p.out <- s
	}
}

// C gives the pages.
func (p *Pages) C() <-chan string { return p.out }

// Err is why there are no more, when C is closed.
func (p *Pages) Err() error { return p.err }

// Count is their number then.
func (p *Pages) Count() int { return p.count }

// Hourglass is read by its goroutine alone, and set before that.
type Hourglass struct {
	grains int
	every  time.Duration
	done   chan struct{}
}

// Turn starts it.
func (h *Hourglass) Turn() { go h.trickle() }

func (h *Hourglass) trickle() {
	defer close(h.done)
	for h.grains > 0 {
		h.grains--
		time.Sleep(h.every)
	}
}

// Left waits for its end first.
func (h *Hourglass) Left() int {
	<-h.done
	return h.grains
}

// Lockbox is asked by the goroutine that changes it, though its method has a name for others.
type Lockbox struct {
	code string
}

// NewLockbox follows the changes that come in.
func NewLockbox(changed <-chan string, out chan<- string) *Lockbox {
	b := &Lockbox{}
	go func() {
		for name := range changed {
			b.code = name + "!"
			println(b.Code())
		}
	}()
	return b
}

func (b *Lockbox) Code() string { return b.code }

// Telegraph sends what it is handed, and wipes it when nobody else has it any more.
type Telegraph struct{ in chan *Telegram }

// A Telegram belongs to whoever writes it, and then to the Telegraph.
type Telegram struct{ words map[string]bool }

func NewTelegraph(out func(int)) *Telegraph {
	t := &Telegraph{in: make(chan *Telegram)}
	go t.tap(out)
	return t
}

func (t *Telegraph) tap(out func(int)) {
	for m := range t.in {
		out(len(m.words))
		m.wipe()
	}
}

func (m *Telegram) wipe() {
	for w := range m.words {
		delete(m.words, w)
	}
}

func (m *Telegram) Word(w string) { m.words[w] = true }

func (t *Telegraph) Hand(m *Telegram) {
	select {
	case t.in <- m:
	default:
		m.wipe() // nobody gets it
	}
}
