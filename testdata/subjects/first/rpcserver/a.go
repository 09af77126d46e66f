package rpcserver

import (
	"errors"
	"log"
	"net"
	"sync"
	"sync/atomic"
)

var ErrStarted = errors.New("rpcserver: already serving")

type Handler interface {
	HandleConn(net.Conn) error
}

type Server struct {
	ln      net.Listener
	h       Handler
	started atomic.Bool
	wg      sync.WaitGroup
}

func NewServer(ln net.Listener, h Handler) *Server {
	return &Server{ln: ln, h: h}
}

func (s *Server) Serve() error {
	if s.started.Load() {
		return ErrStarted
	}
	s.started.Store(true)
	go s.acceptLoop()
	return nil
}

func (s *Server) acceptLoop() {
	defer s.ln.Close()
	for {
		c, err := s.ln.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				log.Printf("rpcserver: accept: %v", err)
			}
			return
		}
		s.wg.Add(1)
		go s.handle(c)
	}
}

func (s *Server) handle(c net.Conn) {
	defer s.wg.Done()
	defer c.Close()
	if err := s.h.HandleConn(c); err != nil {
		log.Printf("rpcserver: %s: %v", c.RemoteAddr(), err)
	}
}

func (s *Server) Addr() net.Addr { return s.ln.Addr() }
