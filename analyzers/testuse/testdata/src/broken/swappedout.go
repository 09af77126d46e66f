package broken

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

func (l *Lodge) serve(g *lodger) {
	old, loaded := l.lodgers.Swap(g.name, g) // want `the next call puts its own in the place of this one, as this one does with what was in Lodge.lodgers\[\], and loses it where this one deletes the key: CompareAndDelete leaves it`
	if loaded {
		old.(*lodger).conn.Close()
	}
	buf := make([]byte, 512)
	for {
		if _, err := g.conn.Read(buf); err != nil {
			break
		}
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
	g.put(d) // want `the next call puts its own in the place of this one, as this one does with what was in Gateways.gateDoors\[\], and loses it where this one deletes the key under g.mu without a look`
	defer g.drop(d.name)
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

func (g *Gateways) drop(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.gateDoors, name)
}
