package rpcpending

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var ErrTimeout = errors.New("rpcpending: timeout")

type outcome struct {
	body []byte
	err  error
}

type call struct {
	result atomic.Pointer[outcome]
	done   chan struct{}
}

type Mux struct {
	seq   atomic.Uint64
	calls sync.Map // uint64 -> *call
	send  func(id uint64, body []byte) error
	wait  time.Duration
}

func NewMux(send func(uint64, []byte) error, wait time.Duration) *Mux {
	return &Mux{send: send, wait: wait}
}

func (m *Mux) finish(id uint64, out *outcome) {
	v, ok := m.calls.Load(id)
	if !ok {
		return
	}
	m.calls.Delete(id)
	c := v.(*call)
	c.result.Store(out)
	close(c.done)
}

func (m *Mux) OnReply(id uint64, body []byte) { m.finish(id, &outcome{body: body}) }

func (m *Mux) Call(ctx context.Context, body []byte) ([]byte, error) {
	id := m.seq.Add(1)
	c := &call{done: make(chan struct{})}
	m.calls.Store(id, c)
	t := time.AfterFunc(m.wait, func() { m.finish(id, &outcome{err: ErrTimeout}) })
	defer t.Stop()
	if err := m.send(id, body); err != nil {
		m.finish(id, &outcome{err: err})
	}
	select {
	case <-c.done:
		out := c.result.Load()
		return out.body, out.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
