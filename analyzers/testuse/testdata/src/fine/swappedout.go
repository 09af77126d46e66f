package fine

import (
	"io"
	"net"
	"sync"
)

type lodger struct {
	name string
	conn net.Conn
}

type Lodge struct{ lodgers sync.Map }

func (l *Lodge) Open(ln net.Listener) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go l.serve(&lodger{name: c.RemoteAddr().String(), conn: c})
	}
}

// serve deletes its own alone.
func (l *Lodge) serve(g *lodger) {
	old, loaded := l.lodgers.Swap(g.name, g)
	if loaded {
		old.(*lodger).conn.Close()
	}
	defer l.lodgers.CompareAndDelete(g.name, g)
	io.Copy(io.Discard, g.conn)
}

// greet puts and deletes in one go, and nothing else comes in between.
func (l *Lodge) Greet(g *lodger) {
	old, loaded := l.lodgers.Swap(g.name, g)
	if loaded {
		old.(*lodger).conn.Close()
	}
	l.lodgers.Delete(g.name)
}

// Gateways keep what they let in by its gateDoor.
type Gateways struct {
	mu        sync.Mutex
	gateDoors map[string]*gateDoor
}

type gateDoor struct {
	name string
	rw   io.ReadWriteCloser
}

func (g *Gateways) Enter(name string, rw io.ReadWriteCloser) {
	go g.run(&gateDoor{name: name, rw: rw})
}

func (g *Gateways) run(d *gateDoor) {
	g.put(d)
	defer g.drop(d)
	io.Copy(io.Discard, d.rw)
}

func (g *Gateways) put(d *gateDoor) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if was, ok := g.gateDoors[d.name]; ok {
		was.rw.Close()
	}
	g.gateDoors[d.name] = d
}

// drop leaves the gateDoor of another.
func (g *Gateways) drop(d *gateDoor) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.gateDoors[d.name] == d {
		delete(g.gateDoors, d.name)
	}
}
