package downloadmgr

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"
)

type Task struct {
	URL, Dest string

	mu      sync.Mutex
	written int64
	done    bool
	err     error
}

type Manager struct {
	client *http.Client
}

func NewManager(c *http.Client) *Manager {
	if c == nil {
		c = http.DefaultClient
	}
	return &Manager{client: c}
}

func (m *Manager) Start(ctx context.Context, url, dest string) *Task {
	t := &Task{URL: url, Dest: dest}
	go func() { t.finish(m.fetch(ctx, t)) }()
	return t
}

func (m *Manager) fetch(ctx context.Context, t *Task) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return 0, err
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	f, err := os.Create(t.Dest)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return io.Copy(f, resp.Body)
}

func (t *Task) finish(n int64, err error) {
	t.mu.Lock()
	t.written, t.done = n, true
	t.mu.Unlock()
	if err != nil {
		os.Remove(t.Dest)
		t.mu.Lock()
		t.err = err
		t.mu.Unlock()
	}
}

func (t *Task) Status() (done bool, n int64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.done, t.written, t.err
}
