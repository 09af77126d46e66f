package broken

import (
	"net"
	"sync"
)

type hubListener struct {
	net.Listener
	mx        sync.Mutex
	calls     map[int]net.Conn
	last      int
	closed    chan struct{}
	closeOnce sync.Once
}

func HubListen(l net.Listener) net.Listener {
	h := &hubListener{Listener: l, calls: map[int]net.Conn{}, closed: make(chan struct{})}
	go h.listen()
	return h
}

func (h *hubListener) listen() {
	for {
		conn, err := h.Listener.Accept()
		if err != nil {
			return
		}
		go h.handle(conn)
	}
}

func (h *hubListener) handle(conn net.Conn) {
	h.mx.Lock()
	h.last++
	id := h.last
	h.calls[id] = conn
	h.mx.Unlock()
	defer func() {
		h.mx.Lock()
		delete(h.calls, id)
		h.mx.Unlock()
	}()
	<-h.closed
}

// Close is done once, and handle does not wait for that.
func (h *hubListener) Close() (err error) {
	h.closeOnce.Do(func() {
		close(h.closed)
		for _, c := range h.calls { // want `h.calls is accessed here without the lock that all other functions hold for it: h.mx in \(\*hubListener\).handle`
			c.Close()
		}
		err = h.Listener.Close()
	})
	return
}
