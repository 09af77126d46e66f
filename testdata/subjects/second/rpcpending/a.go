package rpcpending

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var ErrTimeout = errors.New("rpcpending: timeout")

type call struct {
	reply []byte
	err   error
	done  chan struct{}
}

type Mux struct {
	seq     atomic.Uint64
	pending sync.Map
	send    func(id uint64, req []byte) error
}

func NewMux(send func(uint64, []byte) error) *Mux { return &Mux{send: send} }

func (m *Mux) complete(id uint64, fill func(*call)) bool {
	v, ok := m.pending.Load(id)
	if !ok {
		return false
	}
	m.pending.Delete(id)
	c := v.(*call)
	fill(c)
	close(c.done)
	return true
}

func (m *Mux) OnReply(id uint64, body []byte) bool {
	return m.complete(id, func(c *call) { c.reply = body })
}

func (m *Mux) Call(req []byte, d time.Duration) ([]byte, error) {
	id := m.seq.Add(1)
	c := &call{done: make(chan struct{})}
	m.pending.Store(id, c)
	t := time.AfterFunc(d, func() {
		m.complete(id, func(c *call) { c.err = ErrTimeout })
	})
	defer t.Stop()
	if err := m.send(id, req); err != nil {
		m.pending.Delete(id)
		return nil, err
	}
	<-c.done
	return c.reply, c.err
}
