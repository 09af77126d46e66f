package fine

import (
	"net"
	"sync"
)

// datagrams are passed on, by a route per sender.
type datagrams struct {
	routes sync.Map
	target *net.UDPAddr
}

type route struct {
	from net.Addr
	out  *net.UDPConn
}

// Serve passes on what comes in.
func (r *datagrams) Serve(conn net.PacketConn) error {
	for {
		buf := make([]byte, 1500)
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return err
		}
		key := from.String()
		known, ok := r.routes.Load(key)
		if !ok {
			out, err := net.DialUDP("udp", nil, r.target)
			if err != nil {
				continue
			}
			known = &route{from, out}
			r.routes.Store(key, known)
			go r.back(conn, known.(*route))
		}
		known.(*route).out.Write(buf[:n])
	}
}

func (r *datagrams) back(conn net.PacketConn, to *route) {
	defer r.routes.Delete(to.from.String())
	buf := make([]byte, 1500)
	for {
		n, err := to.out.Read(buf)
		if err != nil {
			return
		}
		conn.WriteTo(buf[:n], to.from)
	}
}

// NewDatagrams makes one.
func NewDatagrams(target *net.UDPAddr) interface{ Serve(net.PacketConn) error } {
	return &datagrams{target: target}
}

var paths sync.Map

// Forward passes on what comes in, from each sender by a path of its own.
func Forward(conn *net.UDPConn, target *net.UDPAddr) error {
	for {
		buf := make([]byte, 1500)
		n, from, err := conn.ReadFromUDP(buf)
		if err != nil {
			return err
		}
		known, ok := paths.Load(from.String())
		if !ok {
			out, err := net.DialUDP("udp", nil, target)
			if err != nil {
				continue
			}
			known = &route{from, out}
			paths.Store(from.String(), known)
			go func(to *route) {
				defer paths.Delete(to.from.String())
				buf := make([]byte, 1500)
				for {
					n, err := to.out.Read(buf)
					if err != nil {
						return
					}
					conn.WriteTo(buf[:n], to.from)
				}
			}(known.(*route))
		}
		known.(*route).out.Write(buf[:n])
	}
}
