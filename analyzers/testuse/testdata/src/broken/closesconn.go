package broken

import "net"

// tracked is a connection that tells when it is closed. The goroutine that reads and the one that
// writes both close it when they fail.
type tracked struct {
	net.Conn
	gone bool
	done chan struct{}
}

func trackConn(c net.Conn) *tracked { return &tracked{Conn: c, done: make(chan struct{})} }

func (t *tracked) Close() error {
	if t.gone { // want `two goroutines can both pass the test of t.gone and close t.done twice: no lock is held`
		return net.ErrClosed
	}
	t.gone = true
	err := t.Conn.Close()
	close(t.done)
	return err
}
