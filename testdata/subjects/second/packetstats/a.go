package packetstats

import (
	"log"
	"net"
	"sync/atomic"
)

type Interface struct {
	name  string
	rx    atomic.Uint64
	drops atomic.Uint64
	queue chan []byte
	log   *log.Logger
}

func NewInterface(name string, depth int, l *log.Logger) *Interface {
	return &Interface{name: name, queue: make(chan []byte, depth), log: l}
}

func (i *Interface) Recv(pc net.PacketConn) error {
	buf := make([]byte, 65535)
	n, _, err := pc.ReadFrom(buf)
	if err != nil {
		return err
	}
	total := i.rx.Add(1)
	select {
	case i.queue <- buf[:n]:
	default:
		i.drops.Add(1)
	}
	if total%1000 == 0 {
		i.log.Printf("%s: rx=%d drops=%d", i.name, total, i.drops.Load())
	}
	return nil
}

func (i *Interface) Queue() <-chan []byte { return i.queue }

func (i *Interface) Totals() (rx, drops uint64) {
	return i.rx.Load(), i.drops.Load()
}
