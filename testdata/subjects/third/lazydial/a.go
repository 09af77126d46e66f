package lazydial

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

type link struct {
	net.Conn
	since time.Time
}

type Upstream struct {
	addr string
	d    net.Dialer
	cur  atomic.Pointer[link]
}

func NewUpstream(addr string, timeout time.Duration) *Upstream {
	return &Upstream{addr: addr, d: net.Dialer{Timeout: timeout}}
}

func (u *Upstream) conn(ctx context.Context) (*link, error) {
	l := u.cur.Load()
	if l == nil {
		c, err := u.d.DialContext(ctx, "tcp", u.addr)
		if err != nil {
			return nil, fmt.Errorf("dial %s: %w", u.addr, err)
		}
		l = &link{Conn: c, since: time.Now()}
		u.cur.Store(l)
	}
	return l, nil
}

func (u *Upstream) Send(ctx context.Context, frame []byte) error {
	l, err := u.conn(ctx)
	if err != nil {
		return err
	}
	if n, err := l.Write(frame); err != nil {
		return err
	} else if n < len(frame) {
		return io.ErrShortWrite
	}
	return nil
}

func (u *Upstream) Close() error {
	if l := u.cur.Swap(nil); l != nil {
		return l.Close()
	}
	return nil
}
