package broken

import (
	"net"
	"sync"
	"sync/atomic"
)

type trunkWire struct {
	conn net.Conn
	cut  atomic.Bool
}

func (w *trunkWire) listen() {
	w.conn.Read(make([]byte, 1))
	w.cut.Store(true)
}

// Trunkboard keeps one trunkWire for each address. What is found is asked in a second test.
type Trunkboard struct {
	wires sync.Map
	trunk atomic.Pointer[trunkWire]
	mu    sync.RWMutex
	named map[string]*trunkWire
}

func dialWire(addr string) *trunkWire {
	c, _ := net.Dial("tcp", addr)
	w := &trunkWire{conn: c}
	go w.listen()
	return w
}

func (e *Trunkboard) Wire(addr string) *trunkWire {
	if v, ok := e.wires.Load(addr); ok { // want `two goroutines can both pass the test of e.wires\[addr\] and both set it`
		if w := v.(*trunkWire); !w.cut.Load() {
			return w
		}
	}
	w := dialWire(addr)
	e.wires.Store(addr, w)
	return w
}

func (e *Trunkboard) Trunk() *trunkWire {
	w := e.trunk.Load() // want `two goroutines can both pass the test of e.trunk and both set it`
	if w != nil {
		if !w.cut.Load() {
			return w
		}
		w.conn.Close()
	}
	w = dialWire("trunk")
	e.trunk.Store(w)
	return w
}

func (e *Trunkboard) Named(name string) *trunkWire {
	e.mu.RLock()
	w := e.named[name] // want `two goroutines can both pass the test of e.named\[name\] and both set it`
	e.mu.RUnlock()
	if w != nil {
		if !w.cut.Load() {
			return w
		}
	}
	n := dialWire(name)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.named[name] = n
	return n
}
