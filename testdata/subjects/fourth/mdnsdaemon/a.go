package mdnsdaemon

import (
	"errors"
	"net"
	"sync"
)

var ErrRunning = errors.New("mdns: already running")

type Daemon struct {
	group *net.UDPAddr

	mu      sync.Mutex
	running bool
	conn    *net.UDPConn
}

func New(group *net.UDPAddr) *Daemon { return &Daemon{group: group} }

func (d *Daemon) Start(handle func([]byte)) (err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running {
		return ErrRunning
	}
	conn, err := net.ListenMulticastUDP("udp4", nil, d.group)
	if err != nil {
		return err
	}
	d.conn = conn
	d.running = true
	go d.listen(conn, handle)
	return nil
}

func (d *Daemon) listen(conn *net.UDPConn, handle func([]byte)) {
	for {
		buf := make([]byte, 9000)
		n, _, err := conn.ReadFromUDP(buf)
		if err != nil {
			return
		}
		handle(buf[:n])
	}
}

func (d *Daemon) Stop() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.running {
		return nil
	}
	err := d.conn.Close()
	d.running, d.conn = false, nil
	return err
}
