package broken

import (
	"net"
	"sync"
)

// Landline sends lines to a server.
type Landline struct {
	addr  string
	mu    sync.Mutex
	up    bool
	wire  net.Conn
	ended chan struct{}
}

func NewLandline(addr string) *Landline { return &Landline{addr: addr} }

// Open does nothing if there is a connection.
func (u *Landline) Open() error {
	if u.up { // want `two goroutines can both pass the test of u.up and both set it: u.mu is taken only afterwards`
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	wire, err := net.Dial("tcp", u.addr)
	if err != nil {
		return err
	}
	u.wire = wire
	u.ended = make(chan struct{})
	u.up = true
	return nil
}

// Send writes the line.
func (u *Landline) Send(line string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.up {
		return net.ErrClosed
	}
	_, err := u.wire.Write([]byte(line))
	return err
}

// Drop ends the connection.
func (u *Landline) Drop() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.up {
		u.wire.Close()
		u.up = false
	}
}
