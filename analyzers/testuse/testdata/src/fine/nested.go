package fine

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
	mu    sync.RWMutex
	named map[string]*trunkWire
}

func dialWire(addr string) *trunkWire {
	c, _ := net.Dial("tcp", addr)
	w := &trunkWire{conn: c}
	go w.listen()
	return w
}

// Wire swaps the dead one for its own, or takes that of whoever was faster.
func (e *Trunkboard) Wire(addr string) *trunkWire {
	if v, ok := e.wires.Load(addr); ok {
		w := v.(*trunkWire)
		if !w.cut.Load() {
			return w
		}
		e.wires.CompareAndDelete(addr, w)
	}
	w := dialWire(addr)
	if v, there := e.wires.LoadOrStore(addr, w); there {
		w.conn.Close()
		return v.(*trunkWire)
	}
	return w
}

// Named looks again.
func (e *Trunkboard) Named(name string) *trunkWire {
	e.mu.RLock()
	w := e.named[name]
	e.mu.RUnlock()
	if w != nil {
		if !w.cut.Load() {
			return w
		}
	}
	n := dialWire(name)
	e.mu.Lock()
	defer e.mu.Unlock()
	if w := e.named[name]; w != nil {
		if !w.cut.Load() {
			n.conn.Close()
			return w
		}
	}
	e.named[name] = n
	return n
}

// Locked holds the lock throughout.
func (e *Trunkboard) Locked(name string) *trunkWire {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w, ok := e.named[name]; ok {
		if !w.cut.Load() {
			return w
		}
	}
	w := dialWire(name)
	e.named[name] = w
	return w
}
