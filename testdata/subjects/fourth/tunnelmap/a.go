package tunnelmap

import (
	"errors"
	"io"
	"sync"
)

var ErrNoRoute = errors.New("tunnel: no route to peer")

type Tunnel struct {
	peer string
	rw   io.ReadWriteCloser
}

type Server struct {
	mu      sync.Mutex
	tunnels map[string]*Tunnel
	deliver func(peer string, pkt []byte)
}

func NewServer(deliver func(string, []byte)) *Server {
	return &Server{tunnels: map[string]*Tunnel{}, deliver: deliver}
}

func (s *Server) Accept(peer string, rw io.ReadWriteCloser) {
	go s.run(&Tunnel{peer: peer, rw: rw})
}

func (s *Server) register(t *Tunnel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if prev := s.tunnels[t.peer]; prev != nil {
		prev.rw.Close()
	}
	s.tunnels[t.peer] = t
}

func (s *Server) unregister(peer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tunnels, peer)
}

func (s *Server) run(t *Tunnel) {
	s.register(t)
	buf := make([]byte, 2048)
	for {
		n, err := t.rw.Read(buf)
		if err != nil {
			break
		}
		s.deliver(t.peer, buf[:n])
	}
	s.unregister(t.peer)
	t.rw.Close()
}

func (s *Server) Send(peer string, pkt []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.tunnels[peer]
	if !ok {
		return ErrNoRoute
	}
	_, err := t.rw.Write(pkt)
	return err
}
