package dialcache

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

type Handler func(addr string, line []byte)

type link struct {
	addr string
	conn net.Conn
	dead atomic.Bool
}

func (l *link) readLoop(h Handler) {
	defer l.conn.Close()
	defer l.dead.Store(true)
	sc := bufio.NewScanner(l.conn)
	for sc.Scan() {
		h(l.addr, sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		log.Printf("link %s: %v", l.addr, err)
	}
}

func (l *link) Write(p []byte) (int, error) {
	if err := l.conn.SetWriteDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return 0, err
	}
	return l.conn.Write(p)
}

// Cache shares one outgoing link per peer address.
type Cache struct {
	dialer net.Dialer
	onLine Handler
	links  sync.Map // string -> *link
}

func New(onLine Handler, timeout time.Duration) *Cache {
	return &Cache{onLine: onLine, dialer: net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}}
}

// Conn returns the live link of addr and dials if there is none.
func (c *Cache) Conn(ctx context.Context, addr string) (*link, error) {
	if v, ok := c.links.Load(addr); ok {
		if l := v.(*link); !l.dead.Load() {
			return l, nil
		}
	}
	nc, err := c.dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", addr, err)
	}
	l := &link{addr: addr, conn: nc}
	c.links.Store(addr, l)
	go l.readLoop(c.onLine)
	return l, nil
}

func (c *Cache) Send(ctx context.Context, addr string, line []byte) error {
	l, err := c.Conn(ctx, addr)
	if err != nil {
		return err
	}
	if _, err := l.Write(append(line[:len(line):len(line)], '\n')); err != nil {
		if c.links.CompareAndDelete(addr, l) {
			l.conn.Close()
		}
		return fmt.Errorf("send to %s: %w", addr, err)
	}
	return nil
}

func (c *Cache) Close() {
	c.links.Range(func(k, v any) bool {
		if c.links.CompareAndDelete(k, v) {
			v.(*link).conn.Close()
		}
		return true
	})
}
