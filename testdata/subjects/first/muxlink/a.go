package muxlink

import (
	"io"
	"sync"
)

type Link struct {
	rmu  sync.Mutex
	wmu  sync.Mutex
	rwc  io.ReadWriteCloser
	dead chan struct{}
	rbuf []byte
	recv func([]byte)
}

func NewLink(rwc io.ReadWriteCloser, recv func([]byte)) *Link {
	l := &Link{rwc: rwc, dead: make(chan struct{}), rbuf: make([]byte, 65536), recv: recv}
	go l.pump()
	return l
}

func (l *Link) isDead() bool {
	select {
	case <-l.dead:
		return true
	default:
		return false
	}
}

func (l *Link) pump() {
	for !l.isDead() {
		l.rmu.Lock()
		n, err := l.rwc.Read(l.rbuf)
		if err == nil {
			l.recv(l.rbuf[:n])
		}
		l.rmu.Unlock()
		if err != nil {
			l.fail()
		}
	}
}

func (l *Link) fail() {
	l.rmu.Lock()
	defer l.rmu.Unlock()
	if !l.isDead() {
		close(l.dead)
	}
}

func (l *Link) Write(p []byte) (int, error) {
	l.wmu.Lock()
	defer l.wmu.Unlock()
	if l.isDead() {
		return 0, io.ErrClosedPipe
	}
	return l.rwc.Write(p)
}

func (l *Link) Close() error {
	l.wmu.Lock()
	defer l.wmu.Unlock()
	if l.isDead() {
		return nil
	}
	close(l.dead)
	return l.rwc.Close()
}
