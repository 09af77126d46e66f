package broken

import "net"

type switchLine struct {
	fits  func(net.Conn) bool
	calls chan net.Conn
}

// OldSwitchboard hands connections on to those who take them.
type OldSwitchboard struct {
	root  net.Listener
	lines []switchLine
}

func (b *OldSwitchboard) Line(fits func(net.Conn) bool) <-chan net.Conn {
	l := switchLine{fits: fits, calls: make(chan net.Conn, 4)}
	b.lines = append(b.lines, l)
	return l.calls
}

func (b *OldSwitchboard) Serve() error {
	defer func() {
		for _, l := range b.lines {
			close(l.calls)
		}
	}()
	for {
		c, err := b.root.Accept()
		if err != nil {
			return err
		}
		go b.connect(c)
	}
}

func (b *OldSwitchboard) connect(c net.Conn) {
	for _, l := range b.lines {
		if l.fits(c) {
			l.calls <- c // want `l.calls can be closed by \(\*OldSwitchboard\).Serve before or during this send, which then panics`
			return
		}
	}
	c.Close()
}
