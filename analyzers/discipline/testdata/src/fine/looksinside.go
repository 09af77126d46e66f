package fine

import (
	"net"
	"sync"
)

// Greeter2 says hello before it reads, if nobody has written yet.
type Greeter2 struct {
	mu      sync.Mutex
	conn    net.Conn
	greeted bool
}

func (g *Greeter2) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.greeted {
		if _, err := g.conn.Write([]byte("hello")); err != nil {
			return 0, err
		}
		g.greeted = true
	}
	return g.conn.Write(b)
}

func (g *Greeter2) greet() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.greeted {
		return nil
	}
	if _, err := g.conn.Write([]byte("hello")); err != nil {
		return err
	}
	g.greeted = true
	return nil
}

func (g *Greeter2) Read(b []byte) (int, error) {
	if !g.greeted {
		if err := g.greet(); err != nil {
			return 0, err
		}
	}
	return g.conn.Read(b)
}
