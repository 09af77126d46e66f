package vpnkeepalive

import (
	"net/netip"
	"sync/atomic"
	"time"
)

type Peer struct {
	Key      [32]byte
	Endpoint netip.AddrPort

	dead    atomic.Bool
	stopped chan struct{}
	timer   *time.Timer
}

type Device struct {
	Timeout time.Duration
	Send    func(netip.AddrPort, []byte) error
}

func (d *Device) AddPeer(key [32]byte, ep netip.AddrPort) *Peer {
	p := &Peer{Key: key, Endpoint: ep, stopped: make(chan struct{})}
	p.timer = time.AfterFunc(d.Timeout, func() { p.teardown() })
	go d.keepalive(p)
	return p
}

func (d *Device) keepalive(p *Peer) {
	t := time.NewTicker(d.Timeout / 5)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if d.Send(p.Endpoint, nil) == nil {
				p.timer.Reset(d.Timeout)
			}
		case <-p.stopped:
			return
		}
	}
}

func (p *Peer) teardown() bool {
	if p.dead.Load() {
		return false
	}
	p.dead.Store(true)
	close(p.stopped)
	return true
}

func (p *Peer) Remove() bool { return p.teardown() }

func (p *Peer) Alive() bool { return !p.dead.Load() }
