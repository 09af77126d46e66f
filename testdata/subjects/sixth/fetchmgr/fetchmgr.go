// Package fetchmgr downloads files with resume.
package fetchmgr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"
)

type State uint8

const (
	Idle State = iota
	Running
	Finished
	Failed
)

type transfer struct {
	url, dest string

	mu     sync.Mutex
	state  State
	cancel context.CancelFunc
	got    int64
	tries  int
}

type Manager struct {
	hc  *http.Client
	log *slog.Logger
	ctx context.Context

	mu  sync.RWMutex
	all map[string]*transfer
}

var ErrUnknown = errors.New("fetchmgr: unknown transfer")

func New(ctx context.Context, hc *http.Client, log *slog.Logger) *Manager {
	return &Manager{hc: hc, log: log, ctx: ctx, all: make(map[string]*transfer)}
}

// Enqueue registers a transfer; Start runs it.
func (m *Manager) Enqueue(id, url, dest string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.all[id]; !ok {
		m.all[id] = &transfer{url: url, dest: dest}
	}
}

func (m *Manager) find(id string) (*transfer, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	t, ok := m.all[id]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrUnknown, id)
	}
	return t, nil
}

// Start begins or resumes a transfer.
func (m *Manager) Start(id string) error {
	t, err := m.find(id)
	if err != nil {
		return err
	}
	if t.state == Running || t.state == Finished {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	t.mu.Lock()
	t.state = Running
	t.cancel = cancel
	t.tries++
	t.mu.Unlock()

	go func() {
		defer cancel()
		err := m.run(ctx, t)
		t.mu.Lock()
		defer t.mu.Unlock()
		switch {
		case err == nil:
			t.state = Finished
			m.log.Info("downloaded", "id", id, "bytes", t.got)
		case ctx.Err() != nil:
			t.state = Idle
		case t.tries < 5:
			t.state = Failed
			m.log.Warn("download failed, will retry", "id", id, "try", t.tries, "err", err)
			time.AfterFunc(time.Duration(t.tries)*time.Second, func() { m.Start(id) })
		default:
			t.state = Failed
			m.log.Error("download failed", "id", id, "err", err)
		}
	}()
	return nil
}

// Pause stops a running transfer; what was fetched is kept.
func (m *Manager) Pause(id string) error {
	t, err := m.find(id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == Running {
		t.cancel()
	}
	return nil
}

func (m *Manager) run(ctx context.Context, t *transfer) error {
	f, err := os.OpenFile(t.dest+".part", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-", fi.Size()))
	resp, err := m.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	n, err := io.Copy(f, resp.Body)
	t.mu.Lock()
	t.got += n
	t.mu.Unlock()
	if err != nil {
		return err
	}
	return os.Rename(t.dest+".part", t.dest)
}
