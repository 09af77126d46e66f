package connlimit

import (
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
)

type Handler interface {
	Handle(net.Conn) error
}

type Listener struct {
	max    int32
	active atomic.Int32
	h      Handler
}

func NewListener(max int, h Handler) (*Listener, error) {
	if max <= 0 || h == nil {
		return nil, errors.New("connlimit: bad arguments")
	}
	return &Listener{max: int32(max), h: h}, nil
}

// ServeAll serves several sockets with one shared limit.
func (l *Listener) ServeAll(lns ...net.Listener) {
	for _, ln := range lns {
		go l.serve(ln)
	}
}

func (l *Listener) serve(ln net.Listener) {
	for {
		c, err := ln.Accept()
		if err != nil {
			slog.Warn("accept", "addr", ln.Addr(), "err", err)
			return
		}
		if !l.admit() {
			c.Close()
			continue
		}
		go l.run(c)
	}
}

func (l *Listener) admit() bool {
	if l.active.Load() >= l.max {
		return false
	}
	l.active.Add(1)
	return true
}

func (l *Listener) run(c net.Conn) {
	defer l.active.Add(-1)
	defer c.Close()
	if err := l.h.Handle(c); err != nil {
		slog.Debug("conn ended", "err", err)
	}
}
