package fine

import (
	"net"
	"sync"
	"time"
)

// Wireless serves what comes by one connection; others ask for its state.
type Wireless struct {
	mu      sync.Mutex
	conn    net.PacketConn
	handled int
}

// Serve is the only one that stores the connection, and calls the only other one that reads it
// without the lock.
func (w *Wireless) Serve(c net.PacketConn) error {
	w.mu.Lock()
	w.conn = c
	w.handled = 0
	w.mu.Unlock()
	return w.serveSingle()
}

func (w *Wireless) serveSingle() error {
	buf := make([]byte, 512)
	for {
		w.mu.Lock()
		n := w.handled
		w.handled++
		w.mu.Unlock()
		if n > 100 {
			return w.conn.Close()
		}
		w.conn.SetReadDeadline(time.Now().Add(time.Second))
		if _, _, err := w.conn.ReadFrom(buf); err != nil {
			return err
		}
	}
}

func (w *Wireless) Handled() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.handled
}

func (w *Wireless) Addr() net.Addr {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.conn.LocalAddr()
}

// SetHandledForTesting is called by tests alone.
func (w *Wireless) SetHandledForTesting(n int) { w.handled = n }
