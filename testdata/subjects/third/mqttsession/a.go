package mqttsession

import (
	"errors"
	"io"
	"sync"
	"time"
)

type Packet struct {
	Type byte
	Body []byte
}

type Codec interface {
	Read() (Packet, error)
	Write(Packet) error
	io.Closer
}

var ErrClosed = errors.New("mqtt: session closed")

type Session struct {
	codec Codec
	out   chan Packet
	once  sync.Once
	done  chan struct{}
	err   error
}

func Run(c Codec, keepAlive time.Duration, on func(Packet)) *Session {
	s := &Session{codec: c, out: make(chan Packet, 16), done: make(chan struct{})}
	go s.read(on)
	go s.write(keepAlive)
	return s
}

func (s *Session) Close() error {
	s.once.Do(func() {
		close(s.done)
		s.err = s.codec.Close()
	})
	return s.err
}

func (s *Session) read(on func(Packet)) {
	defer s.Close()
	for {
		p, err := s.codec.Read()
		if err != nil {
			return
		}
		on(p)
	}
}

func (s *Session) write(keepAlive time.Duration) {
	defer s.Close()
	for {
		p := Packet{Type: 0xC0}
		select {
		case <-s.done:
			return
		case <-time.After(keepAlive):
		case p = <-s.out:
		}
		if s.codec.Write(p) != nil {
			return
		}
	}
}

func (s *Session) Send(p Packet) error {
	select {
	case s.out <- p:
		return nil
	case <-s.done:
		return ErrClosed
	}
}
