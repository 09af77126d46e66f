package jsonrpcmux

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
)

var ErrLost = errors.New("jsonrpcmux: connection lost")

type request struct {
	ID     uint64 `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params,omitempty"`
}

type response struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

type Client struct {
	addr   string
	dialer net.Dialer
	log    *slog.Logger

	mtx     sync.Mutex
	conn    net.Conn
	seq     uint64
	pending map[uint64]chan response
}

func NewClient(addr string, log *slog.Logger) *Client {
	return &Client{addr: addr, log: log, pending: make(map[uint64]chan response)}
}

// ensureConn connects if need be. The caller holds c.mtx; it is given up
// during the dial so that replies on other calls are not held up.
func (c *Client) ensureConn(ctx context.Context) error {
	if c.conn != nil {
		return nil
	}
	c.mtx.Unlock()
	nc, err := c.dialer.DialContext(ctx, "tcp", c.addr)
	c.mtx.Lock()
	if err != nil {
		return fmt.Errorf("dial %s: %w", c.addr, err)
	}
	if c.conn != nil {
		nc.Close()
		return nil
	}
	c.conn = nc
	go c.readLoop(nc)
	return nil
}

func (c *Client) start(ctx context.Context, method string, params any) (uint64, chan response, error) {
	c.mtx.Lock()
	defer c.mtx.Unlock()

	req := request{ID: c.seq + 1, Method: method, Params: params}
	raw, err := json.Marshal(req)
	if err != nil {
		return 0, nil, fmt.Errorf("encode %s: %w", method, err)
	}
	if err := c.ensureConn(ctx); err != nil {
		return 0, nil, err
	}
	c.seq = req.ID
	ch := make(chan response, 1)
	c.pending[req.ID] = ch
	if _, err := c.conn.Write(append(raw, '\n')); err != nil {
		delete(c.pending, req.ID)
		return 0, nil, fmt.Errorf("write %s: %w", method, err)
	}
	return req.ID, ch, nil
}

func (c *Client) readLoop(nc net.Conn) {
	dec := json.NewDecoder(nc)
	for {
		var r response
		if err := dec.Decode(&r); err != nil {
			c.fail(nc, err)
			return
		}
		c.mtx.Lock()
		if ch, ok := c.pending[r.ID]; ok {
			delete(c.pending, r.ID)
			ch <- r
		}
		c.mtx.Unlock()
	}
}

func (c *Client) fail(nc net.Conn, err error) {
	nc.Close()
	c.mtx.Lock()
	defer c.mtx.Unlock()
	c.log.Warn("connection lost", "addr", c.addr, "calls", len(c.pending), "err", err)
	c.conn = nil
	for id, ch := range c.pending {
		delete(c.pending, id)
		close(ch)
	}
}

// Call sends one request and decodes its result into out.
func (c *Client) Call(ctx context.Context, method string, params, out any) error {
	id, ch, err := c.start(ctx, method, params)
	if err != nil {
		return err
	}
	select {
	case r, ok := <-ch:
		switch {
		case !ok:
			return ErrLost
		case r.Error != "":
			return errors.New(r.Error)
		}
		return json.Unmarshal(r.Result, out)
	case <-ctx.Done():
		c.mtx.Lock()
		delete(c.pending, id)
		c.mtx.Unlock()
		return ctx.Err()
	}
}
