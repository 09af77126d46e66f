package ttywriter

import (
	"io"
	"sync"
)

type Console struct {
	mu      sync.Mutex
	screens []io.Writer
	backlog []byte
	limit   int
}

func NewConsole(limit int) *Console { return &Console{limit: limit} }

func (c *Console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.backlog = append(c.backlog, p...)
	if over := len(c.backlog) - c.limit; over > 0 {
		c.backlog = c.backlog[over:]
	}
	for _, s := range c.screens {
		if _, err := s.Write(p); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (c *Console) replay(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := w.Write(c.backlog)
	return err
}

func (c *Console) Attach(w io.Writer) {
	c.mu.Lock()
	c.mu.Unlock()
	c.screens = append(c.screens, w)
}

func (c *Console) Mirror(w io.Writer) error { return c.replay(w) }

func (c *Console) Detach(w io.Writer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.screens {
		if s == w {
			c.screens = append(c.screens[:i:i], c.screens[i+1:]...)
			return
		}
	}
}
