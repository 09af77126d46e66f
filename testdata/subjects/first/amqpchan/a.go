package amqpchan

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
)

type Channel struct {
	conn   net.Conn
	closed uint32
	notify chan struct{}
	errs   chan error

	wmu sync.Mutex
	bw  *bufio.Writer
}

func Open(conn net.Conn) *Channel {
	ch := &Channel{
		conn:   conn,
		notify: make(chan struct{}),
		errs:   make(chan error, 2),
		bw:     bufio.NewWriter(conn),
	}
	go ch.reader()
	return ch
}

func (ch *Channel) reader() {
	buf := make([]byte, 1024)
	for {
		_, err := ch.conn.Read(buf)
		if err != nil {
			ch.shutdown(fmt.Errorf("amqpchan: read: %w", err))
			return
		}
	}
}

func (ch *Channel) shutdown(err error) {
	if atomic.LoadUint32(&ch.closed) == 1 {
		return
	}
	atomic.StoreUint32(&ch.closed, 1)
	if err != nil {
		select {
		case ch.errs <- err:
		default:
		}
	}
	close(ch.notify)
	ch.conn.Close()
}

func (ch *Channel) Publish(body []byte) error {
	if atomic.LoadUint32(&ch.closed) == 1 {
		return net.ErrClosed
	}
	ch.wmu.Lock()
	defer ch.wmu.Unlock()
	if _, err := ch.bw.Write(body); err != nil {
		return err
	}
	return ch.bw.Flush()
}

func (ch *Channel) Close() { ch.shutdown(nil) }

func (ch *Channel) NotifyClose() <-chan struct{} { return ch.notify }
