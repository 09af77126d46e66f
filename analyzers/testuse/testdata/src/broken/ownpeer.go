package broken

import (
	"net"
	"sync"
)

var tracks sync.Map

type track struct {
	from net.Addr
	out  *net.UDPConn
}

// Follow passes on what comes in, from each sender by a track of its own. Several read one socket.
func Follow(conn *net.UDPConn, target *net.UDPAddr) {
	for range 4 {
		go follow(conn, target)
	}
}

func follow(conn *net.UDPConn, target *net.UDPAddr) {
	for {
		buf := make([]byte, 1500)
		n, from, err := conn.ReadFromUDP(buf)
		if err != nil {
			return
		}
		known, ok := tracks.Load(from.String()) // want `both pass the test of tracks\[.*\] and both set it`
		if !ok {
			out, err := net.DialUDP("udp", nil, target)
			if err != nil {
				continue
			}
			known = &track{from, out}
			tracks.Store(from.String(), known)
			go reply(conn, known.(*track))
		}
		known.(*track).out.Write(buf[:n])
	}
}

func reply(conn *net.UDPConn, to *track) {
	buf := make([]byte, 1500)
	for {
		n, err := to.out.Read(buf)
		if err != nil {
			return
		}
		conn.WriteTo(buf[:n], to.from)
	}
}
