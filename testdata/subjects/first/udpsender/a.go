package udpsender

import (
	"errors"
	"net"
	"sync/atomic"
)

var ErrWindow = errors.New("udpsender: window exhausted")

type Sender struct {
	pc       net.PacketConn
	peer     net.Addr
	window   int64
	inflight int64
}

func NewSender(pc net.PacketConn, peer net.Addr, window int64) *Sender {
	s := &Sender{pc: pc, peer: peer, window: window}
	go s.readAcks()
	return s
}

func (s *Sender) Send(pkt []byte) error {
	size := int64(len(pkt))
	before := atomic.LoadInt64(&s.inflight)
	if atomic.AddInt64(&s.inflight, size) > s.window {
		atomic.AddInt64(&s.inflight, -size)
		return ErrWindow
	}
	if _, err := s.pc.WriteTo(pkt, s.peer); err != nil {
		atomic.StoreInt64(&s.inflight, before)
		return err
	}
	return nil
}

func (s *Sender) readAcks() {
	var buf [2]byte
	for {
		n, _, err := s.pc.ReadFrom(buf[:])
		if err != nil {
			return
		}
		if n < 2 {
			continue
		}
		acked := int64(buf[0])<<8 | int64(buf[1])
		atomic.AddInt64(&s.inflight, -acked)
	}
}

func (s *Sender) InFlight() int64 { return atomic.LoadInt64(&s.inflight) }
