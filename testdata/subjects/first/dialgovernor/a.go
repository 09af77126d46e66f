package dialgovernor

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
)

var ErrBusy = errors.New("dialgovernor: too many dials under way")

type Dialer struct {
	net.Dialer
	max     int32
	dialing int32
	total   uint64
}

func NewDialer(max int32) *Dialer { return &Dialer{max: max} }

func (d *Dialer) enter() error {
	if atomic.AddInt32(&d.dialing, 1) > d.max {
		atomic.AddInt32(&d.dialing, -1)
		return ErrBusy
	}
	return nil
}

func (d *Dialer) exit() { atomic.AddInt32(&d.dialing, -1) }

func (d *Dialer) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.exit()
	c, err := d.Dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	atomic.AddUint64(&d.total, 1)
	return c, nil
}

func (d *Dialer) Stats() (dialing int32, total uint64) {
	return atomic.LoadInt32(&d.dialing), atomic.LoadUint64(&d.total)
}
