package fine

import (
	"io"
	"net/rpc"
	"sync"
)

type Motor struct {
	once sync.Once
	Done chan<- struct{}
}

func (e *Motor) Serve(conn io.ReadWriteCloser) {
	server := rpc.NewServer()
	server.RegisterName("Steer", &steer{motor: e})
	server.ServeConn(conn)
}

func (e *Motor) done() {
	e.once.Do(func() {
		if e.Done != nil {
			close(e.Done)
		}
	})
}

type steer struct{ motor *Motor }

func (c *steer) Quit(_ bool, reply *struct{}) error {
	c.motor.done()
	return nil
}

// pedal is not served.
type pedal struct{ out chan struct{} }

func (p *pedal) Press(_ bool, reply *struct{}) error {
	close(p.out)
	return nil
}
