package natport

import (
	"errors"
	"net/netip"
	"sync"
)

var ErrExhausted = errors.New("natport: no free external port")

type Flow struct {
	Inside  netip.AddrPort
	Outside uint16
}

type Table struct {
	mu      sync.Mutex
	byIn    map[netip.AddrPort]*Flow
	byOut   map[uint16]*Flow
	low     uint16
	high    uint16
	next    uint16
	dropped int
}

func NewTable(low, high uint16) (*Table, error) {
	if low >= high {
		return nil, errors.New("natport: empty port range")
	}
	return &Table{
		byIn:  make(map[netip.AddrPort]*Flow),
		byOut: make(map[uint16]*Flow),
		low:   low,
		high:  high,
		next:  low,
	}, nil
}

// Bind allocates an external port for a new inside endpoint.
func (t *Table) Bind(in netip.AddrPort) (*Flow, error) {
	if t.next >= t.high {
		return nil, ErrExhausted
	}
	port := t.next
	t.next++
	f := &Flow{Inside: in, Outside: port}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byIn[in] = f
	t.byOut[port] = f
	return f, nil
}

func (t *Table) Lookup(port uint16) (Flow, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f, ok := t.byOut[port]
	if !ok {
		t.dropped++
		return Flow{}, false
	}
	return *f, true
}

// Serve binds every endpoint it is sent.
func (t *Table) Serve(in <-chan netip.AddrPort, workers int) {
	for i := 0; i < workers; i++ {
		go func() {
			for ap := range in {
				_, _ = t.Bind(ap)
			}
		}()
	}
}
