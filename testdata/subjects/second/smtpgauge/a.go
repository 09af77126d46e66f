package smtpgauge

import (
	"bufio"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

type Server struct {
	Hostname string
	active   int32
}

func (s *Server) Serve(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		atomic.AddInt32(&s.active, 1)
		go s.session(c)
	}
}

func (s *Server) session(c net.Conn) {
	defer atomic.AddInt32(&s.active, -1)
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(5 * time.Minute))
	fmt.Fprintf(c, "220 %s ESMTP\r\n", s.Hostname)
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		if sc.Text() == "QUIT" {
			fmt.Fprint(c, "221 bye\r\n")
			return
		}
		fmt.Fprint(c, "502 not implemented\r\n")
	}
}

func (s *Server) Sessions() int {
	if s.active < 0 {
		s.active = 0
	}
	return int(atomic.LoadInt32(&s.active))
}
