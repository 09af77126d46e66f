package bridgeports

import (
	"net"
	"sync"
)

type mac [6]byte

type Port interface {
	Name() string
	Transmit(frame []byte) error
}

type Bridge struct {
	portMu sync.Mutex
	ports  map[string]Port

	fdbMu sync.Mutex
	fdb   map[mac]string
}

func New() *Bridge {
	return &Bridge{ports: map[string]Port{}, fdb: map[mac]string{}}
}

func (b *Bridge) Plug(p Port) {
	b.portMu.Lock()
	b.ports[p.Name()] = p
	b.portMu.Unlock()
}

func (b *Bridge) Learn(hw net.HardwareAddr, port string) {
	var m mac
	copy(m[:], hw)
	b.portMu.Lock()
	defer b.portMu.Unlock()
	if _, ok := b.ports[port]; !ok {
		return
	}
	if b.fdb[m] != port {
		b.fdb[m] = port
	}
}

func (b *Bridge) Lookup(hw net.HardwareAddr) (string, bool) {
	var m mac
	copy(m[:], hw)
	b.fdbMu.Lock()
	defer b.fdbMu.Unlock()
	p, ok := b.fdb[m]
	return p, ok
}

func (b *Bridge) Flush() {
	b.fdbMu.Lock()
	b.fdb = map[mac]string{}
	b.fdbMu.Unlock()
}
