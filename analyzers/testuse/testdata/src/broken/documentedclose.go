package broken

import "time"

// Rickshaw carries messages. It may be used by multiple goroutines concurrently.
type Rickshaw struct {
	closed chan struct{}
	loads  chan string
}

func NewRickshaw() *Rickshaw {
	c := &Rickshaw{closed: make(chan struct{}), loads: make(chan string, 8)}
	go c.ride()
	return c
}

func (c *Rickshaw) ride() {
	for {
		select {
		case <-time.After(time.Second):
			<-c.loads
		case <-c.closed:
			return
		}
	}
}

func (c *Rickshaw) Carry(load string) { c.loads <- load }

func (c *Rickshaw) Close() {
	close(c.closed) // want `c.closed is closed without a look whether it is closed already: a second call panics`
}
