package broken

import (
	"context"
	"sync"
)

var replyChans = sync.Pool{New: func() any { return make(chan []byte, 1) }}

// A wireClient has questions under way.
type wireClient struct {
	mu      sync.Mutex
	last    uint32
	pending map[uint32]chan []byte
	read    func() (uint32, []byte, error)
}

func newWireClient(read func() (uint32, []byte, error)) *wireClient {
	c := &wireClient{pending: map[uint32]chan []byte{}, read: read}
	go c.receive()
	return c
}

func (c *wireClient) receive() {
	for {
		id, answer, err := c.read()
		if err != nil {
			return
		}
		c.mu.Lock()
		ch := c.pending[id] // want `ch can be back in its pool once c\.mu is released`
		c.mu.Unlock()
		if ch != nil {
			select {
			case ch <- answer:
			default:
			}
		}
	}
}

func (c *wireClient) Ask(ctx context.Context) ([]byte, error) {
	ch := replyChans.Get().(chan []byte)
	c.mu.Lock()
	c.last++
	id := c.last
	c.pending[id] = ch
	c.mu.Unlock()
	defer c.forget(id, ch)
	select {
	case answer := <-ch:
		return answer, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (c *wireClient) forget(id uint32, ch chan []byte) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
	select {
	case <-ch:
	default:
	}
	replyChans.Put(ch)
}
