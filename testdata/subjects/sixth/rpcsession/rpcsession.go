// Package rpcsession multiplexes calls over one connection, JSON in both directions.
package rpcsession

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

var (
	ErrShutdown = errors.New("rpcsession: shut down")
	ErrExpired  = errors.New("rpcsession: no answer in time")
)

type request struct {
	ID     uint64 `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

type response struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
}

type call struct {
	method string
	sent   time.Time
	reply  chan result
}

type result struct {
	raw json.RawMessage
	err error
}

type Session struct {
	rwc   io.ReadWriteCloser
	limit time.Duration
	log   *slog.Logger
	gone  chan struct{}

	writeMu sync.Mutex
	enc     *json.Encoder

	callMu  sync.Mutex
	lastID  uint64
	pending map[uint64]*call
}

func New(rwc io.ReadWriteCloser, limit time.Duration, log *slog.Logger) *Session {
	s := &Session{
		rwc:     rwc,
		limit:   limit,
		log:     log,
		gone:    make(chan struct{}),
		enc:     json.NewEncoder(rwc),
		pending: make(map[uint64]*call),
	}
	go s.readLoop()
	go s.janitor()
	return s
}

// Call sends one request and waits for its answer.
func (s *Session) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	c := &call{method: method, sent: time.Now(), reply: make(chan result, 2)}
	s.callMu.Lock()
	s.lastID++
	id := s.lastID
	s.pending[id] = c
	s.callMu.Unlock()

	if err := s.write(request{ID: id, Method: method, Params: params}); err != nil {
		return nil, fmt.Errorf("rpcsession: send %s: %w", method, err)
	}
	select {
	case r := <-c.reply:
		return r.raw, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.gone:
		return nil, ErrShutdown
	}
}

func (s *Session) write(r request) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	return s.enc.Encode(r)
}

func (s *Session) readLoop() {
	defer close(s.gone)
	dec := json.NewDecoder(bufio.NewReader(s.rwc))
	for {
		var resp response
		if err := dec.Decode(&resp); err != nil {
			s.log.Info("session ended", "err", err)
			return
		}
		s.callMu.Lock()
		c, ok := s.pending[resp.ID]
		delete(s.pending, resp.ID)
		s.callMu.Unlock()
		switch {
		case !ok:
			s.log.Warn("answer to nothing", "id", resp.ID)
		case resp.Error != "":
			c.reply <- result{err: errors.New(resp.Error)}
		default:
			c.reply <- result{raw: resp.Result}
		}
	}
}

func (s *Session) janitor() {
	t := time.NewTicker(s.limit / 2)
	defer t.Stop()
	for {
		select {
		case <-s.gone:
			return
		case now := <-t.C:
			s.expire(now)
		}
	}
}

func (s *Session) expire(now time.Time) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	for id, c := range s.pending {
		if now.Sub(c.sent) > s.limit {
			delete(s.pending, id)
			s.log.Warn("call expired", "id", id, "method", c.method)
			c.reply <- result{err: fmt.Errorf("%s: %w", c.method, ErrExpired)}
		}
	}
}

func (s *Session) Close() error { return s.rwc.Close() }
