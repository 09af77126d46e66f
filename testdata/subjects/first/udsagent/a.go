package udsagent

import (
	"net"
	"os"
	"sync"
)

type Agent struct {
	path string
	mu   sync.Mutex
	ln   net.Listener
	stop chan struct{}
}

func New(path string) *Agent { return &Agent{path: path} }

func (a *Agent) Start(handle func(net.Conn)) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		return os.ErrExist
	}
	ln, err := net.Listen("unix", a.path)
	if err != nil {
		return err
	}
	a.ln = ln
	a.stop = make(chan struct{})
	go accept(ln, a.stop, handle)
	return nil
}

func accept(ln net.Listener, stop <-chan struct{}, handle func(net.Conn)) {
	go func() {
		<-stop
		ln.Close()
	}()
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		go handle(c)
	}
}

func (a *Agent) Close() error {
	if a.stop != nil {
		close(a.stop)
		a.stop = nil
	}
	return os.Remove(a.path)
}

func (a *Agent) Running() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stop != nil
}
