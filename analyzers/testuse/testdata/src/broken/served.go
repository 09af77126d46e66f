package broken

import (
	"io"
	"net/rpc"
)

// Engine ends when it is told so.
type Engine struct {
	Done chan<- struct{}
}

func (e *Engine) Serve(conn io.ReadWriteCloser) {
	server := rpc.NewServer()
	server.RegisterName("Control", &control{engine: e})
	server.ServeConn(conn)
}

func (e *Engine) done() {
	if e.Done != nil {
		close(e.Done) // want `e.Done is closed without a look whether it is closed already, on each request: the second one panics`
	}
}

type control struct {
	engine *Engine
}

func (c *control) Quit(_ bool, reply *struct{}) error {
	c.engine.done()
	*reply = struct{}{}
	return nil
}
