package fine

import (
	"net"
	"sync"
)

// Downlink looks again under the lock.
type Downlink struct {
	addr string
	mu   sync.Mutex
	up   bool
	name string
	wire net.Conn
}

func NewDownlink(addr string) *Downlink { return &Downlink{addr: addr} }

// Open does nothing if there is a connection.
func (u *Downlink) Open() error {
	if u.up {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.up {
		return nil
	}
	wire, err := net.Dial("tcp", u.addr)
	if err != nil {
		return err
	}
	u.wire = wire
	u.up = true
	return nil
}

// Send writes the line.
func (u *Downlink) Send(line string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.up {
		return net.ErrClosed
	}
	_, err := u.wire.Write([]byte(line))
	return err
}

// Drop ends the connection.
func (u *Downlink) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.up {
		u.wire.Close()
		u.up = false
	}
}

// Banner keeps a text that is the same for all who make it.
type Banner struct {
	mu   sync.Mutex
	made bool
	text string
}

func (b *Banner) Make(name string) {
	if b.made {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = "hello"
	b.made = true
}

func (b *Banner) Text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text
}
