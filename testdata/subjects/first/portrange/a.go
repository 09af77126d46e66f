package portrange

import (
	"errors"
	"fmt"
	"math/rand"
	"net"
	"sync/atomic"
)

var ErrNoPort = errors.New("portrange: no free port")

type Allocator struct {
	lo, hi  atomic.Int32
	host    string
	retries int
}

func NewAllocator(host string, lo, hi int32) (*Allocator, error) {
	a := &Allocator{host: host, retries: 32}
	if err := a.SetRange(lo, hi); err != nil {
		return nil, err
	}
	return a, nil
}

// SetRange may be called again when the configuration is reloaded.
func (a *Allocator) SetRange(lo, hi int32) error {
	if lo <= 0 || hi <= lo {
		return fmt.Errorf("portrange: bad range %d-%d", lo, hi)
	}
	a.lo.Store(lo)
	a.hi.Store(hi)
	return nil
}

func (a *Allocator) pick() int {
	lo, hi := a.lo.Load(), a.hi.Load()
	return int(lo + rand.Int31n(hi-lo))
}

func (a *Allocator) Allocate() (net.PacketConn, int, error) {
	for i := 0; i < a.retries; i++ {
		port := a.pick()
		pc, err := net.ListenPacket("udp", net.JoinHostPort(a.host, fmt.Sprint(port)))
		if err != nil {
			continue
		}
		return pc, port, nil
	}
	return nil, 0, ErrNoPort
}

func (a *Allocator) String() string {
	return fmt.Sprintf("%s:%d-%d", a.host, a.lo.Load(), a.hi.Load())
}
