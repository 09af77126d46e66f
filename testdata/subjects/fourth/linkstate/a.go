package linkstate

import (
	"errors"
	"fmt"
	"net"
	"sync/atomic"
)

const (
	idle int32 = iota
	dialing
	established
	dead
)

var errDead = errors.New("link is dead")

type Link struct {
	addr  string
	state int32
	conn  atomic.Pointer[net.Conn]
}

func NewLink(addr string) *Link { return &Link{addr: addr} }

func (l *Link) Connect() error {
	if s := atomic.LoadInt32(&l.state); s == dead {
		return errDead
	}
	if !atomic.CompareAndSwapInt32(&l.state, idle, dialing) {
		return fmt.Errorf("link %s: not idle", l.addr)
	}
	c, err := net.Dial("tcp", l.addr)
	if err != nil {
		atomic.StoreInt32(&l.state, dead)
		return err
	}
	l.conn.Store(&c)
	atomic.StoreInt32(&l.state, established)
	return nil
}

func (l *Link) Write(p []byte) (int, error) {
	if atomic.LoadInt32(&l.state) != established {
		return 0, net.ErrClosed
	}
	return (*l.conn.Load()).Write(p)
}
