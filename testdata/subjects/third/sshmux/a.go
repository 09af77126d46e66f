package sshmux

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
)

type Channel struct {
	id    uint32
	inbox chan []byte
}

// Mux carries many logical channels over one connection.
type Mux struct {
	nextID atomic.Uint32

	mu    sync.Mutex
	chans map[uint32]*Channel

	wmu sync.Mutex
	w   io.Writer
}

func New(w io.Writer) *Mux {
	return &Mux{w: w, chans: make(map[uint32]*Channel)}
}

func (m *Mux) allocate() uint32 {
	id := m.nextID.Load()
	m.nextID.Store(id + 1)
	return id
}

func (m *Mux) Open(kind string) (*Channel, error) {
	ch := &Channel{id: m.allocate(), inbox: make(chan []byte, 16)}
	m.mu.Lock()
	m.chans[ch.id] = ch
	m.mu.Unlock()
	if err := m.sendOpen(ch.id, kind); err != nil {
		m.drop(ch.id)
		return nil, fmt.Errorf("open %s: %w", kind, err)
	}
	return ch, nil
}

func (m *Mux) sendOpen(id uint32, kind string) error {
	buf := binary.BigEndian.AppendUint32(nil, id)
	buf = append(buf, kind...)
	m.wmu.Lock()
	defer m.wmu.Unlock()
	_, err := m.w.Write(buf)
	return err
}

func (m *Mux) drop(id uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.chans, id)
}

func (m *Mux) Deliver(id uint32, p []byte) bool {
	m.mu.Lock()
	ch, ok := m.chans[id]
	m.mu.Unlock()
	if ok {
		ch.inbox <- p
	}
	return ok
}
