package broken

import (
	"io"
	"sync"
	"sync/atomic"
)

// CounterMeter sends what it has counted.
type CounterMeter struct {
	mu   sync.Mutex
	n    int
	conn io.Closer
	stop chan struct{}
}

func NewCounterMeter(conn io.Closer) *CounterMeter {
	m := &CounterMeter{conn: conn, stop: make(chan struct{})}
	go m.loop()
	return m
}

func (m *CounterMeter) loop() {
	<-m.stop
}

func (m *CounterMeter) Count() {
	m.mu.Lock()
	m.n++
	m.mu.Unlock()
}

func (m *CounterMeter) Close() error {
	if m == nil {
		return nil
	}
	close(m.stop) // want `m.stop is closed without a look whether it is closed already: a second call panics`
	return m.conn.Close()
}

// Hotline tells those that ring that it is over.
type Hotline struct {
	over  int32
	rings chan string
}

func (h *Hotline) Ring(s string) bool {
	if atomic.LoadInt32(&h.over) == 1 {
		return false
	}
	return len(h.rings) > 0
}

func (h *Hotline) Shutdown() {
	atomic.StoreInt32(&h.over, 1)
	h.end()
}

func (h *Hotline) end() {
	close(h.rings) // want `h.rings is closed without a look whether it is closed already`
}

// A heater is part of an Oven.
type heater struct {
	off chan struct{}
}

func (h *heater) stop() {
	close(h.off) // want `h.off is closed without a look whether it is closed already: a second call panics`
}

type Oven struct {
	heat *heater
	door io.Closer
}

func (o *Oven) Close() error {
	o.heat.stop()
	return o.door.Close()
}

func (o *Oven) CoolDown() {
	o.heat.stop()
}
