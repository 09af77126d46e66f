package wsgateway

import (
	"errors"
	"io"
	"sync"
)

var ErrOffline = errors.New("wsgateway: device offline")

type Conn struct {
	wmu sync.Mutex
	rwc io.ReadWriteCloser
}

func (c *Conn) Send(p []byte) error {
	c.wmu.Lock()
	defer c.wmu.Unlock()
	_, err := c.rwc.Write(p)
	return err
}

type Gateway struct {
	devices sync.Map
}

func (g *Gateway) Attach(device string, rwc io.ReadWriteCloser) {
	c := &Conn{rwc: rwc}
	if old, loaded := g.devices.Swap(device, c); loaded {
		old.(*Conn).rwc.Close()
	}
	go g.readPump(device, c)
}

func (g *Gateway) readPump(device string, c *Conn) {
	defer g.Detach(device, c)
	buf := make([]byte, 4096)
	for {
		if _, err := c.rwc.Read(buf); err != nil {
			return
		}
	}
}

func (g *Gateway) Detach(device string, c *Conn) {
	if cur, ok := g.devices.Load(device); ok && cur.(*Conn) == c {
		g.devices.Delete(device)
	}
	c.rwc.Close()
}

func (g *Gateway) Push(device string, p []byte) error {
	v, ok := g.devices.Load(device)
	if !ok {
		return ErrOffline
	}
	return v.(*Conn).Send(p)
}
