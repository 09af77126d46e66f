package fine

import "time"

// Rickshaw carries messages. It may be used by multiple goroutines concurrently.
type Rickshaw struct {
	closed chan struct{}
	loads  chan string
}

func NewRickshaw() *Rickshaw {
	p := &Rickshaw{closed: make(chan struct{}), loads: make(chan string, 8)}
	go p.walk()
	return p
}

func (p *Rickshaw) walk() {
	for {
		select {
		case <-time.After(time.Second):
			<-p.loads
		case <-p.closed:
			return
		}
	}
}

func (p *Rickshaw) Carry(load string) { p.loads <- load }

// Close ends the porter. It must not be called more than once.
func (p *Rickshaw) Close() { close(p.closed) }

// Carter carries messages, for whoever has made it.
type Carter struct {
	closed chan struct{}
}

func NewCarter() *Carter {
	c := &Carter{closed: make(chan struct{})}
	go func() { <-c.closed }()
	return c
}

func (c *Carter) Close() { close(c.closed) }
