package lspinflight

import (
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
)

var ErrCancelled = errors.New("lsp: cancelled")

type pending struct {
	result chan json.RawMessage
	failed chan error
}

type Conn struct {
	next  atomic.Int64
	calls sync.Map
	write func(id int64, method string, params any) error
}

func NewConn(write func(int64, string, any) error) *Conn { return &Conn{write: write} }

func (c *Conn) resolve(id int64) *pending {
	v, ok := c.calls.LoadAndDelete(id)
	if !ok {
		return nil
	}
	return v.(*pending)
}

func (c *Conn) OnResponse(id int64, raw json.RawMessage) {
	if p := c.resolve(id); p != nil {
		p.result <- raw
		close(p.result)
	}
}

func (c *Conn) Cancel(id int64) {
	if p := c.resolve(id); p != nil {
		p.failed <- ErrCancelled
	}
}

func (c *Conn) Call(method string, params any) (json.RawMessage, error) {
	id := c.next.Add(1)
	p := &pending{result: make(chan json.RawMessage, 1), failed: make(chan error, 1)}
	c.calls.Store(id, p)
	if err := c.write(id, method, params); err != nil {
		c.calls.Delete(id)
		return nil, err
	}
	select {
	case r := <-p.result:
		return r, nil
	case err := <-p.failed:
		return nil, err
	}
}
