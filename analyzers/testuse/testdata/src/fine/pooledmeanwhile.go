package fine

import (
	"context"
	"sync"
)

var tubeChans = sync.Pool{New: func() any { return make(chan []byte, 1) }}

// A tubeClient has questions under way; who answers takes the channel out.
type tubeClient struct {
	mu      sync.Mutex
	last    uint32
	pending map[uint32]chan []byte
	read    func() (uint32, []byte, error)
}

func newTubeClient(read func() (uint32, []byte, error)) *tubeClient {
	c := &tubeClient{pending: map[uint32]chan []byte{}, read: read}
	go c.receive()
	return c
}

func (c *tubeClient) receive() {
	for {
		id, answer, err := c.read()
		if err != nil {
			return
		}
		c.mu.Lock()
		ch := c.pending[id]
		delete(c.pending, id)
		c.mu.Unlock()
		if ch != nil {
			ch <- answer
		}
	}
}

func (c *tubeClient) Ask(ctx context.Context) ([]byte, error) {
	ch := tubeChans.Get().(chan []byte)
	c.mu.Lock()
	c.last++
	id := c.last
	c.pending[id] = ch
	c.mu.Unlock()
	select {
	case answer := <-ch:
		tubeChans.Put(ch)
		return answer, nil
	case <-ctx.Done():
		c.forget(id, ch)
		return nil, ctx.Err()
	}
}

func (c *tubeClient) forget(id uint32, ch chan []byte) {
	c.mu.Lock()
	_, mine := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if mine {
		tubeChans.Put(ch)
	}
}

// A pipeClient sends with the lock held, so that nobody gives the channel back meanwhile.
type pipeClient struct {
	mu      sync.Mutex
	last    uint32
	pending map[uint32]chan []byte
}

func (c *pipeClient) Answer(id uint32, answer []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.pending[id]; ch != nil {
		select {
		case ch <- answer:
		default:
		}
	}
}

func (c *pipeClient) Ask(ctx context.Context) ([]byte, error) {
	ch := tubeChans.Get().(chan []byte)
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

func (c *pipeClient) forget(id uint32, ch chan []byte) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
	select {
	case <-ch:
	default:
	}
	tubeChans.Put(ch)
}
