package agentpool

import (
	"errors"
	"io"
	"sync"
)

var ErrOffline = errors.New("agent offline")

type Conn interface {
	Recv() (string, error)
	Send(string) error
	io.Closer
}

type agent struct {
	conn Conn
	wmu  sync.Mutex
}

type Pool struct {
	mu     sync.Mutex
	agents map[string]*agent
	inbox  chan<- string
}

func NewPool(inbox chan<- string) *Pool {
	return &Pool{agents: make(map[string]*agent), inbox: inbox}
}

func (p *Pool) Attach(name string, c Conn) {
	a := &agent{conn: c}
	p.mu.Lock()
	old := p.agents[name]
	p.agents[name] = a
	p.mu.Unlock()
	if old != nil {
		old.conn.Close()
	}
	go p.serve(name, a)
}

func (p *Pool) serve(name string, a *agent) {
	for {
		msg, err := a.conn.Recv()
		if err != nil {
			break
		}
		p.inbox <- name + ": " + msg
	}
	a.conn.Close()
	p.mu.Lock()
	if p.agents[name] == a {
		delete(p.agents, name)
	}
	p.mu.Unlock()
}

func (p *Pool) Send(name, msg string) error {
	p.mu.Lock()
	a := p.agents[name]
	p.mu.Unlock()
	if a == nil {
		return ErrOffline
	}
	a.wmu.Lock()
	defer a.wmu.Unlock()
	return a.conn.Send(msg)
}
