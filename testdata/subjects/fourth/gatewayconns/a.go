package gatewayconns

import (
	"bufio"
	"net"
	"sync"
)

type Gateway struct {
	mu    sync.Mutex
	conns map[string]net.Conn
	onMsg func(id, line string)
}

func New(onMsg func(id, line string)) *Gateway {
	return &Gateway{conns: make(map[string]net.Conn), onMsg: onMsg}
}

func (g *Gateway) Attach(id string, c net.Conn) { go g.run(id, c) }

func (g *Gateway) register(id string, c net.Conn) {
	g.mu.Lock()
	old := g.conns[id]
	g.conns[id] = c
	g.mu.Unlock()
	if old != nil {
		old.Close()
	}
}

func (g *Gateway) unregister(id string, c net.Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.conns[id] == c {
		delete(g.conns, id)
	}
}

func (g *Gateway) run(id string, c net.Conn) {
	defer c.Close()
	g.register(id, c)
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		g.onMsg(id, sc.Text())
	}
	g.unregister(id, c)
}

func (g *Gateway) Send(id string, b []byte) error {
	g.mu.Lock()
	c := g.conns[id]
	g.mu.Unlock()
	if c == nil {
		return net.ErrClosed
	}
	_, err := c.Write(b)
	return err
}
