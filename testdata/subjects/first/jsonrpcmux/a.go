package jsonrpcmux

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
)

type response struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result"`
}

type Client struct {
	next    atomic.Uint64
	pending sync.Map // uint64 -> chan response
	wmu     sync.Mutex
	enc     *json.Encoder
	gone    chan struct{}
}

func NewClient(rw io.ReadWriter) *Client {
	c := &Client{enc: json.NewEncoder(rw), gone: make(chan struct{})}
	go c.readLoop(json.NewDecoder(rw))
	return c
}

func (c *Client) readLoop(dec *json.Decoder) {
	defer close(c.gone)
	for {
		var r response
		if err := dec.Decode(&r); err != nil {
			return
		}
		c.take(r.ID, &r)
	}
}

func (c *Client) take(id uint64, r *response) {
	v, ok := c.pending.LoadAndDelete(id)
	if !ok {
		return
	}
	ch := v.(chan response)
	if r != nil {
		ch <- *r
	}
	close(ch)
}

func (c *Client) Call(ctx context.Context, method string) (json.RawMessage, error) {
	id := c.next.Add(1)
	ch := make(chan response, 1)
	c.pending.Store(id, ch)
	c.wmu.Lock()
	err := c.enc.Encode(map[string]any{"id": id, "method": method})
	c.wmu.Unlock()
	if err != nil {
		c.take(id, nil)
		return nil, err
	}
	select {
	case r := <-ch:
		return r.Result, nil
	case <-c.gone:
		c.take(id, nil)
		return nil, io.ErrUnexpectedEOF
	case <-ctx.Done():
		c.take(id, nil)
		return nil, ctx.Err()
	}
}
