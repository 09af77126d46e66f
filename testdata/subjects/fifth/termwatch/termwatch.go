// Package termwatch follows the leader of a group and keeps a connection to it.
package termwatch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"
)

var ErrNoLeader = errors.New("termwatch: no leader")

type Leader struct {
	ID   string
	Addr string
	Term uint64
}

type Conn interface {
	io.Closer
	Call(ctx context.Context, method string, arg []byte) ([]byte, error)
}

type Dialer func(ctx context.Context, addr string) (Conn, error)

type Watcher struct {
	dial    Dialer
	timeout time.Duration
	log     *slog.Logger

	st     sync.Mutex
	leader Leader
	conn   Conn
	gen    uint64
}

func New(d Dialer, timeout time.Duration, log *slog.Logger) *Watcher {
	return &Watcher{dial: d, timeout: timeout, log: log}
}

// Follow takes announcements until the channel is closed.
func (w *Watcher) Follow(ctx context.Context, ann <-chan Leader) {
	for l := range ann {
		old, changed := w.learn(l)
		if old != nil {
			old.Close()
		}
		if changed {
			w.log.Info("leader changes", "id", l.ID, "term", l.Term)
			go w.connect(ctx)
		}
	}
}

func (w *Watcher) learn(l Leader) (old Conn, changed bool) {
	w.st.Lock()
	defer w.st.Unlock()
	if l.Term <= w.leader.Term {
		return nil, false
	}
	old, w.conn = w.conn, nil
	w.leader = l
	w.gen++
	return old, true
}

// connect dials the leader of now and installs the connection.
func (w *Watcher) connect(ctx context.Context) {
	w.st.Lock()
	target, gen := w.leader, w.gen
	w.st.Unlock()

	dctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	c, err := w.dial(dctx, target.Addr)
	if err != nil {
		w.log.Warn("dial leader", "addr", target.Addr, "err", err)
		return
	}

	w.st.Lock()
	if w.gen != gen {
		w.st.Unlock()
		c.Close()
		return
	}
	stale := w.conn
	w.conn = c
	w.gen++
	w.st.Unlock()
	if stale != nil {
		stale.Close()
	}
}

func (w *Watcher) current() (Conn, uint64, error) {
	w.st.Lock()
	defer w.st.Unlock()
	if w.conn == nil {
		return nil, 0, ErrNoLeader
	}
	return w.conn, w.leader.Term, nil
}

// Call sends a request to the leader, and looks for a new connection if that fails.
func (w *Watcher) Call(ctx context.Context, method string, arg []byte) ([]byte, error) {
	c, term, err := w.current()
	if err != nil {
		return nil, err
	}
	out, err := c.Call(ctx, method, arg)
	if err != nil {
		go w.connect(context.WithoutCancel(ctx))
		return nil, fmt.Errorf("leader of term %d: %w", term, err)
	}
	return out, nil
}
